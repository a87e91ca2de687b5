import { Outlet } from "@tanstack/react-router";
import { useState } from "react";
import { Modal } from "@/components/modal";
import { t } from "@/lib/t";
import { Sidebar } from "./sidebar/sidebar";
import { SidebarContext } from "./sidebar/sidebar-context";

/** Conversations at the side, or in a drawer where the screen is narrow, and one page beside them. */
export function ChatLayout() {
  const [open, setOpen] = useState(false);
  return (
    <SidebarContext value={() => setOpen(true)}>
      <div className="flex min-h-0 flex-1">
        <div className="hidden w-60 shrink-0 flex-col border-line border-e md:flex">
          <Sidebar />
        </div>
        <Modal open={open} onClose={() => setOpen(false)} title={t("chat.conversations")} place="start" bare>
          <Sidebar onNavigate={() => setOpen(false)} />
        </Modal>
        <main id="main" className="flex min-w-0 flex-1 flex-col">
          <Outlet />
        </main>
      </div>
    </SidebarContext>
  );
}
