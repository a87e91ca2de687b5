/** What frames every page: its navigation, the palette, the keys and what all pages say alike. */
export const shell = {
  "action.cancel": "Cancel",
  "action.close": "Close",
  "action.discard": "Discard",
  "action.more": "Show more",
  "action.retry": "Try again",
  "action.save": "Save",

  "app.announcements": "Announcements",
  "app.name": "Toolcrib",
  "app.pages": "Pages",
  "app.title": "{page} · Toolcrib",
  "app.skip": "Skip to the page",

  "chips.add": "Add",
  "chips.remove": "Remove {value}",

  "day.older": "Older",
  "day.today": "Today",
  "day.week": "Last 7 days",
  "day.yesterday": "Yesterday",

  "density.comfortable": "Comfortable",
  "density.compact": "Compact",

  "format.bytes": "{n} B",
  "format.kilobytes": "{n} KB",
  "format.megabytes": "{n} MB",
  "format.milliseconds": "{n} ms",
  "format.minutes": "{n} min",
  "format.seconds": "{n} s",

  "keys.decide": "Approve, with the focus in the card",
  "keys.goTo": "Go to {page}",
  "keys.newLine": "New line in a message",
  "keys.pending": "Jump to what waits",
  "keys.slash": "Search, or run a tool",
  "keys.these": "These keys",
  "keys.title": "Keys",

  "nav.agents": "Agents",
  "nav.approvals": "Approvals",
  "nav.audit": "Audit",
  "nav.calls": "Calls",
  "nav.chat": "Chat",
  "nav.data": "Data",
  "nav.events": "Events",
  "nav.settings": "Settings",
  "nav.tools": "Tools",
  "nav.usage": "Usage",

  "notFound.text": "The address leads nowhere.",
  "notFound.title": "Not found",

  "palette.action": "Action",
  "palette.conversation": "Conversation",
  "palette.label": "Search pages, conversations and tools",
  "palette.nothing": "Nothing matches.",
  "palette.open": "Search or run",
  "palette.page": "Page",
  "palette.placeholder": "Go to a page, a conversation, a tool",
  "palette.tool": "Tool",

  "person.withEmail": "{name} ({email})",

  "state.loading": "Loading…",

  "theme.dark": "Dark",
  "theme.light": "Light",
  "theme.system": "Like the system",
  "theme.toDark": "Dark theme",
  "theme.toLight": "Light theme",
} as const;
