import type { Page, Problem } from "./types";

/** An answer of the server that is not a success, with its problem document. */
export class ApiError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail || problem.title);
    this.name = "ApiError";
    this.problem = problem;
  }
  get status(): number {
    return this.problem.status;
  }
  get code(): string {
    return this.problem.code;
  }
}

export const SIGNED_OUT = "toolcrib:signed-out";

export async function problemOf(response: Response): Promise<ApiError> {
  const fallback: Problem = {
    type: "about:blank",
    title: response.statusText || `HTTP ${response.status}`,
    status: response.status,
    code: "",
    detail: "",
  };
  let body: Partial<Problem> = {};
  try {
    body = (await response.json()) as Partial<Problem>;
  } catch {
    // A proxy in between may answer with HTML; the status alone has to do then.
  }
  const error = new ApiError({ ...fallback, ...body, status: response.status });
  if (error.status === 401 && error.code === "not_signed_in") window.dispatchEvent(new Event(SIGNED_OUT));
  return error;
}

type Options = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

export async function send(path: string, options: Options = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  const init: RequestInit = { method: options.method ?? "GET", headers, credentials: "same-origin" };
  if (options.signal) init.signal = options.signal;
  if (options.body !== undefined) {
    headers.set("content-type", "application/json");
    init.body = JSON.stringify(options.body);
  }
  const response = await fetch(path, init);
  if (!response.ok) throw await problemOf(response);
  return response;
}

export async function request<T>(path: string, options: Options = {}): Promise<T> {
  const response = await send(path, options);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Reads every page of a list. */
export async function requestAll<T>(path: string, signal?: AbortSignal): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const url = new URL(path, window.location.origin);
    if (cursor) url.searchParams.set("cursor", cursor);
    const page: Page<T> = await request<Page<T>>(url.pathname + url.search, signal ? { signal } : {});
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor);
  return items;
}
