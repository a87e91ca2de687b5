import { isObject } from "@/api/json";
import type { Json, JsonObject } from "@/api/types";

/** Whether a result is to be drawn as a widget. This much of widgets is known before their code is loaded. */
export const isWidget = (output: Json | undefined): output is JsonObject =>
  isObject(output) && typeof output.widget === "string" && Array.isArray(output.rows);
