import { PanelLeft } from "lucide-react";
import { use } from "react";
import { Button } from "@/components/button";
import { t } from "@/lib/t";
import { SidebarContext } from "./sidebar-context";

export function SidebarButton() {
  const open = use(SidebarContext);
  return (
    <Button
      variant="ghost"
      size="icon"
      className="md:hidden"
      aria-label={t("chat.conversations")}
      onClick={open}
    >
      <PanelLeft aria-hidden className="rtl:rotate-180" />
    </Button>
  );
}
