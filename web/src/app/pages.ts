import {
  Bot,
  ChartColumn,
  Database,
  ListChecks,
  MessageSquare,
  ScrollText,
  Settings,
  ShieldCheck,
  Webhook,
  Wrench,
} from "lucide-react";
import type { GuardedPage } from "@/api/session";
import type { MessageKey } from "@/lib/t";

export type Page = {
  to:
    | "/"
    | "/approvals"
    | "/agents"
    | "/tools"
    | "/data"
    | "/calls"
    | "/audit"
    | "/events"
    | "/usage"
    | "/settings";
  label: Extract<MessageKey, `nav.${string}`>;
  icon: typeof Bot;
  keys?: [string, string];
  /** Which page it is, where not everybody has it. */
  guarded?: GuardedPage;
};

/** All pages of the navigation, in its order. */
export const pages: Page[] = [
  { to: "/", label: "nav.chat", icon: MessageSquare, keys: ["g", "c"] },
  { to: "/approvals", label: "nav.approvals", icon: ListChecks, keys: ["g", "a"] },
  { to: "/agents", label: "nav.agents", icon: Bot },
  { to: "/tools", label: "nav.tools", icon: Wrench, keys: ["g", "t"] },
  { to: "/data", label: "nav.data", icon: Database, keys: ["g", "d"], guarded: "data" },
  { to: "/calls", label: "nav.calls", icon: ScrollText, keys: ["g", "l"] },
  { to: "/audit", label: "nav.audit", icon: ShieldCheck, keys: ["g", "u"], guarded: "audit" },
  { to: "/events", label: "nav.events", icon: Webhook, keys: ["g", "e"], guarded: "events" },
  { to: "/usage", label: "nav.usage", icon: ChartColumn, keys: ["g", "g"] },
  { to: "/settings", label: "nav.settings", icon: Settings, keys: ["g", "s"] },
];
