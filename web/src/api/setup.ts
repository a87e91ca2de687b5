import { queryOptions } from "@tanstack/react-query";
import { request } from "./client";
import type { LanguageModel, Setup } from "./types";

export const setupQuery = queryOptions({
  queryKey: ["setup"],
  queryFn: ({ signal }) => request<Setup>("/api/setup", { signal }),
  staleTime: 30_000,
});

export type ModelAddress = { baseUrl: string; apiKey?: string };

export const checkLanguageModel = (address: ModelAddress) =>
  request<{ models: string[] }>("/api/language-models/check", { method: "POST", body: address });

export const saveLanguageModel = (choice: ModelAddress & { model: string }) =>
  request<LanguageModel>("/api/language-models/default", { method: "PUT", body: choice });
