import { Link } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { buttonClass } from "@/components/button";
import { Empty } from "@/components/page-state";
import { t } from "@/lib/t";

export function NotFound() {
  return (
    <main id="main" className="flex-1">
      <Empty icon={<SearchX aria-hidden />} title={t("notFound.title")} text={t("notFound.text")}>
        <Link to="/" className={buttonClass("primary")}>
          {t("nav.chat")}
        </Link>
      </Empty>
    </main>
  );
}
