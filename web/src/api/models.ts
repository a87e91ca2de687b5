import { queryOptions } from "@tanstack/react-query";
import { request } from "./client";
import type { DocumentChange, Models, WorkspaceDocument } from "./types";

export const modelsQuery = queryOptions({
  queryKey: ["models"],
  queryFn: ({ signal }) => request<Models>("/api/models", { signal }),
  staleTime: 15_000,
});

const at = (path: string) => `/api/workspace/documents/${path.split("/").map(encodeURIComponent).join("/")}`;

export const documentQuery = (path: string) =>
  queryOptions({
    queryKey: ["documents", path],
    queryFn: ({ signal }) => request<WorkspaceDocument>(at(path), { signal }),
  });

/** How far a change goes: only looked at, or done, also where data is lost by it. */
export type ChangeOptions = { dryRun?: true; allowDataLoss?: true };

/** The version that is changed; null for a file that is not there yet. */
const precondition = (version: number | null): Record<string, string> =>
  version === null ? { "if-none-match": "*" } : { "if-match": `"${version}"` };

type Change = { path: string; version: number | null; text: string };

export const saveDocument = ({ path, version, text }: Change, options: ChangeOptions) =>
  request<DocumentChange>(at(path), {
    method: "PUT",
    headers: precondition(version),
    body: { text, ...options },
  });

export function deleteDocument({ path, version }: Omit<Change, "text">, options: ChangeOptions) {
  const params = new URLSearchParams(Object.keys(options).map((key) => [key, "true"]));
  return request<DocumentChange>(`${at(path)}?${params}`, {
    method: "DELETE",
    headers: precondition(version),
  });
}
