import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { Moon, Search, Sun } from "lucide-react";
import { pendingApprovalsQuery } from "@/api/approvals";
import { Button } from "@/components/button";
import { Keys } from "@/components/kbd";
import { cx } from "@/lib/cx";
import { isDark, setPreferences, usePreferences } from "@/lib/preferences";
import { t } from "@/lib/t";
import { isAt } from "./use-page-title";
import { usePages } from "./use-pages";

export function Header({ onPalette }: { onPalette: () => void }) {
  const { data: approvals } = useQuery(pendingApprovalsQuery);
  const pages = usePages();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const waiting = approvals?.filter((each) => each.mayDecide).length ?? 0;
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-line border-b bg-rail px-3 max-sm:gap-0 max-sm:px-2">
      <Link to="/" className="me-2 flex items-center gap-2 font-semibold max-[1200px]:me-1">
        <span
          aria-hidden
          className="grid size-6 place-items-center rounded-md bg-accent text-accent-ink text-small"
        >
          T
        </span>
        <span className="max-[1200px]:sr-only">{t("app.name")}</span>
      </Link>
      <nav aria-label={t("app.pages")} className="flex min-w-0 items-center gap-0.5 max-sm:gap-0">
        {pages.map((page) => {
          const { to, label, icon: Icon } = page;
          const here = isAt(page, path);
          const badge = to === "/approvals" && waiting > 0 ? waiting : null;
          return (
            <Link
              key={to}
              to={to}
              aria-current={here ? "page" : undefined}
              className={cx(
                "relative flex h-8 items-center gap-2 rounded-md px-2.5 font-medium hover:bg-hover max-sm:px-1.5 hover:text-ink [&_svg]:size-4",
                here ? "bg-hover text-ink" : "text-ink-2",
              )}
            >
              <Icon aria-hidden />
              <span className="max-[1000px]:sr-only">{t(label)}</span>
              {badge ? (
                <span className="grid h-4 min-w-4 place-items-center rounded-full bg-ask-soft px-1 font-semibold text-ask text-meta tabular-nums ring-1 ring-ask-line max-[1000px]:absolute max-[1000px]:end-0 max-[1000px]:-top-0.5">
                  <span aria-hidden>{badge}</span>
                  <span className="sr-only">{t("approvals.waitingCount", { count: badge })}</span>
                </span>
              ) : null}
            </Link>
          );
        })}
      </nav>
      <span className="ms-auto" />
      <Button variant="ghost" className="max-sm:hidden" onClick={onPalette} aria-keyshortcuts="Control+K">
        <span className="text-small max-[1200px]:sr-only">{t("palette.open")}</span>
        <Search aria-hidden className="min-[1200px]:hidden" />
        <span className="flex max-[1200px]:hidden">
          <Keys keys={["Ctrl", "K"]} />
        </span>
      </Button>
      <ThemeButton />
    </header>
  );
}

function ThemeButton() {
  const { theme } = usePreferences();
  const dark = isDark(theme);
  return (
    <Button
      variant="ghost"
      size="icon"
      aria-label={dark ? t("theme.toLight") : t("theme.toDark")}
      onClick={() => setPreferences({ theme: dark ? "light" : "dark" })}
    >
      {dark ? <Sun aria-hidden /> : <Moon aria-hidden />}
    </Button>
  );
}
