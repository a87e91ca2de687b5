/** Signing in, the agents and the first steps with a language model. */
export const start = {
  "agents.addModel": "Add a language model",
  "agents.chat": "Chat",
  "agents.noModel": "No language model",
  "agents.none": "No agent yet",
  "agents.noneText": "Agents are defined in the data directory, or by somebody with the role builder.",
  "agents.toolCount": { one: "{count} tool", other: "{count} tools" },

  "model.address": "Address",
  "model.check": "Check",
  "model.choose": "Language model",
  "model.found": {
    one: "The address answers and has {count} model.",
    other: "The address answers and has {count} models.",
  },
  "model.key": "Key",
  "model.keyPlaceholder": "empty for local models",
  "model.mayNot": "Somebody with the role admin or builder can change this.",
  "model.model": "Model",
  "model.none": "No language model is set. Tools can be run by hand.",
  "model.reachable": "Reachable",
  "model.save": "Save",
  "model.saved": "The language model is saved.",
  "model.setIn": "Set in",
  "model.unreachable": "Not reachable",

  "origin.environment": "the environment",
  "origin.file": "the configuration file",
  "origin.web": "these settings",

  "settings.appearance": "Appearance",
  "settings.data": "Data in",
  "settings.density": "Density",
  "settings.grants": "Decisions for later calls",
  "settings.model": "Language model",
  "settings.org": "Organisation",
  "settings.roles": "Roles",
  "settings.session": "Session",
  "settings.signOut": "Sign out",
  "settings.signedInAs": "Signed in as",
  "settings.theme": "Theme",

  "signIn.action": "Sign in",
  "signIn.command": "toolcrib user link <email>",
  "signIn.continue": "Continue as {name}",
  "signIn.noLink": "Open the one-time link that the server printed when it started. For a new one, run:",
  "signIn.ready": "This link signs you in once, on this browser.",
  "signIn.title": "Sign in to Toolcrib",

  "welcome.dataIn": "Data is in",
  "welcome.model": "Add a language model",
  "welcome.modelAsk":
    "Somebody with the role admin or builder can add one, so that an agent chooses the tools for you.",
  "welcome.modelText":
    "Any OpenAI-compatible address, also a local one. Its models are listed before anything is saved.",
  "welcome.run": "Run a tool by hand",
  "welcome.runSample": "It answers from sample data: a shop with customers, products, orders and invoices.",
  "welcome.runText": "Every call is checked and written down the same way, whoever asks.",
  "welcome.runTool": "Run “{title}”",
  "welcome.started": "Server started, database ready",
  "welcome.text": {
    one: "{count} tool is ready. Run it now, no key needed. Add a language model when you want an agent to choose the tools for you.",
    other:
      "{count} tools are ready. Run one now, no key needed. Add a language model when you want an agent to choose the tools for you.",
  },
  "welcome.title": "You are running. Nothing leaves this machine yet.",
} as const;
