import { Outlet } from "@tanstack/react-router";
import { t } from "@/lib/t";

export function Shell() {
  return (
    <div className="flex h-dvh flex-col">
      <Outlet />
      <div
        id="announcements"
        aria-live="polite"
        className="sr-only"
        aria-label={t("app.announcements")}
        role="status"
      />
    </div>
  );
}
