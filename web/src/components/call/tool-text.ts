import type { Call } from "@/api/types";
import { t } from "@/lib/t";

/** The tool of a call with its version, which it has none of where there was no such tool. */
export const toolText = ({ tool, toolVersion }: Call): string =>
  toolVersion === null ? tool : t("calls.toolVersion", { name: tool, version: toolVersion });
