import {
  Bell,
  Bot,
  Calculator,
  Calendar,
  ChartColumn,
  Clock,
  Cloud,
  Code,
  CreditCard,
  Database,
  Download,
  FileText,
  Folder,
  Globe,
  Image,
  Key,
  Languages,
  Link,
  Lock,
  Mail,
  MapPin,
  MessageSquare,
  Package,
  Pencil,
  Phone,
  Receipt,
  Search,
  Send,
  Shield,
  ShoppingCart,
  Star,
  Tag,
  Trash2,
  Truck,
  Upload,
  User,
  Users,
  Wrench,
  Zap,
} from "lucide-react";
import type { Tool } from "@/api/types";
import { kindIcon } from "./kind";

type Icon = typeof Wrench;

/** The icons that a tool may choose: those that the app brings along. */
const icons: Record<string, Icon> = {
  bell: Bell,
  bot: Bot,
  calculator: Calculator,
  calendar: Calendar,
  "chart-column": ChartColumn,
  clock: Clock,
  cloud: Cloud,
  code: Code,
  "credit-card": CreditCard,
  database: Database,
  download: Download,
  "file-text": FileText,
  folder: Folder,
  globe: Globe,
  image: Image,
  key: Key,
  languages: Languages,
  link: Link,
  lock: Lock,
  mail: Mail,
  "map-pin": MapPin,
  "message-square": MessageSquare,
  package: Package,
  pencil: Pencil,
  phone: Phone,
  receipt: Receipt,
  search: Search,
  send: Send,
  shield: Shield,
  "shopping-cart": ShoppingCart,
  star: Star,
  tag: Tag,
  "trash-2": Trash2,
  truck: Truck,
  upload: Upload,
  user: User,
  users: Users,
  wrench: Wrench,
  zap: Zap,
};

export const iconNames = Object.keys(icons);

/** The icon of a tool: the one it names, else that of its kind. */
export function toolIcon({ kind, icon }: { kind: string; icon?: string | undefined }): Icon {
  return (icon !== undefined && Object.hasOwn(icons, icon) ? icons[icon] : undefined) ?? kindIcon(kind);
}

export const iconOf = (tool: Pick<Tool, "kind" | "settings">): Icon =>
  toolIcon({ kind: tool.kind, icon: tool.settings.icon });
