import { ApiError } from "@/api/client";
import type { FieldError } from "@/api/types";
import { errorText } from "@/lib/error-text";
import { fieldAtLine } from "./yaml";

/** What stands against a change, and where: at a field, at a place of the text, or in another file. */
export type Problem = {
  message: string;
  field: string | null;
  path: string | null;
  line: number | null;
  column: number | null;
};

export const plainProblem = (message: string): Problem => ({
  message,
  field: null,
  path: null,
  line: null,
  column: null,
});

/** The problems of a refused change of the file at `path` with this text. */
export function problemsOf(error: unknown, path: string, text: string): Problem[] {
  if (!(error instanceof ApiError)) return [plainProblem(errorText(error))];
  const errors = error.problem.errors ?? [];
  if (errors.length === 0) return [plainProblem(errorText(error))];
  return errors.map((each) => placed(each, path, text));
}

function placed(error: FieldError, path: string, text: string): Problem {
  const { message, line = null, column = null } = error;
  if (error.path !== undefined && error.path !== path)
    return { message, field: null, path: error.path, line, column };
  const named = fieldIn(error.pointer);
  const field = named ?? (line === null ? null : fieldAtLine(text, line));
  return { message, field, path: null, line, column };
}

function fieldIn(pointer: string | undefined): string | null {
  const name = /(?:^|\/)fields\/([^/]+)/.exec(pointer ?? "")?.[1];
  return name ? name.replaceAll("~1", "/").replaceAll("~0", "~") : null;
}

/** Where a problem is in a text: `12:5`, or `models/order.yaml:12:5` for another file. */
export const placeText = ({ path, line, column }: Problem): string =>
  [path, line, line === null ? null : column].filter((part) => part !== null).join(":");

/** Whether somebody else changed the file in between, so that it has to be read again. */
export const isChangedElsewhere = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "version_changed";

export const losesData = (error: unknown): boolean => error instanceof ApiError && error.code === "data_loss";
