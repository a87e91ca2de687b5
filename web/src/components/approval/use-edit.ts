import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "@/api/client";
import { toolQuery } from "@/api/tools";
import type { Approval, JsonObject, JsonSchema } from "@/api/types";
import { type Errors, fromProblem, fromText, missing } from "@/components/schema-form/errors";
import { holds, WITHHELD } from "@/lib/marks";
import { isWhole } from "./card-title";

/** Takes any object; for a tool that who decides can't look up. */
const anything: JsonSchema = { type: "object", additionalProperties: true };

export const isUnfit = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === "arguments_unfit";

/** Whether there are arguments to edit: what is withheld would be sent as what it reads. */
export const canEdit = (approval: Approval): boolean =>
  approval.mayDecide &&
  approval.mayEdit &&
  isWhole(approval.card) &&
  !holds(approval.card.arguments, WITHHELD);

/** The arguments of a card while they are edited: null while they stand as they were asked for. */
export function useEdit(approval: Approval, error: unknown) {
  const asked = isWhole(approval.card) ? approval.card.arguments : {};
  const [value, setValue] = useState<JsonObject | null>(null);
  const [local, setLocal] = useState<Errors>({});
  const tool = useQuery({ ...toolQuery(approval.tool), enabled: value !== null });
  const schema = tool.data?.inputSchema ?? anything;
  const unfit = isUnfit(error) ? error.problem : null;
  const remote = unfit ? { ...fromText(unfit.detail, value ?? {}), ...fromProblem(unfit.errors) } : {};
  const isChanged = value !== null && JSON.stringify(value) !== JSON.stringify(asked);
  return {
    value,
    schema,
    isLoading: tool.isLoading,
    errors: { ...remote, ...local },
    /** What to send; nothing where nothing was changed. */
    terms: isChanged ? { arguments: value } : {},
    start: () => setValue(asked),
    cancel: () => {
      setValue(null);
      setLocal({});
    },
    change: (next: JsonObject) => {
      setValue(next);
      if (Object.keys(local).length > 0) setLocal(missing(schema, next, schema));
    },
    /** Whether every required field is there. */
    check: () => {
      const found = value === null ? {} : missing(schema, value, schema);
      setLocal(found);
      return Object.keys(found).length === 0;
    },
  };
}

export type Edit = ReturnType<typeof useEdit>;
