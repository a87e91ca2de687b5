import {
  Blocks,
  Braces,
  Database,
  Globe,
  ListOrdered,
  MonitorSmartphone,
  Plug,
  Server,
  Wrench,
} from "lucide-react";
import { humanise } from "@/lib/labels";
import { type MessageKey, t } from "@/lib/t";

type KindKey = Extract<MessageKey, `kind.${string}`>;

const known: Record<string, { label: KindKey; icon: typeof Wrench }> = {
  system: { label: "kind.system", icon: Blocks },
  record: { label: "kind.record", icon: Database },
  http: { label: "kind.http", icon: Globe },
  function: { label: "kind.function", icon: Braces },
  action: { label: "kind.action", icon: ListOrdered },
  service: { label: "kind.service", icon: Server },
  mcp: { label: "kind.mcp", icon: Plug },
  client: { label: "kind.client", icon: MonitorSmartphone },
};

export function kindText(kind: string): string {
  const label = known[kind]?.label;
  return label ? t(label) : humanise(kind);
}

export const kindIcon = (kind: string): typeof Wrench => known[kind]?.icon ?? Wrench;
