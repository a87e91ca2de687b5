import type { Json, Tool, ToolPatch } from "@/api/types";

/** What of a tool is set in its settings, as it is typed. */
export type Draft = {
  composer: boolean;
  buttonLabel: string;
  icon: string;
  timeout: string;
  outputSchema: Json | undefined;
};

export const draftOf = ({ composer, settings }: Tool): Draft => ({
  composer,
  buttonLabel: settings.buttonLabel ?? "",
  icon: settings.icon ?? "",
  timeout: settings.timeoutMs === undefined ? "" : String(settings.timeoutMs / 1000),
  outputSchema: settings.outputSchema,
});

const LONGEST = 600_000;

/** Seconds as they are typed, in milliseconds: null where none are, undefined where they are not fit. */
export function millisecondsOf(seconds: string): number | null | undefined {
  const text = seconds.trim().replace(",", ".");
  if (text === "") return null;
  const ms = Math.round(Number(text) * 1000);
  return ms >= 1 && ms <= LONGEST ? ms : undefined;
}

export const isSchema = (value: Json | undefined): boolean =>
  value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value));

/** The change that saves a draft; null while something of it is not fit. */
export function patchOf(tool: Tool, draft: Draft): ToolPatch | null {
  const ms = millisecondsOf(draft.timeout);
  if (ms === undefined || !isSchema(draft.outputSchema)) return null;
  const { buttonLabel: _label, icon: _icon, timeoutMs: _ms, outputSchema: _schema, ...rest } = tool.settings;
  const label = draft.buttonLabel.trim();
  return {
    composer: draft.composer,
    settings: {
      ...rest,
      ...(draft.icon ? { icon: draft.icon } : {}),
      ...(label ? { buttonLabel: label } : {}),
      ...(ms === null ? {} : { timeoutMs: ms }),
      ...(draft.outputSchema === undefined ? {} : { outputSchema: draft.outputSchema }),
    },
  };
}
