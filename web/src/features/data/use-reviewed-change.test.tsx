import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { ApiError } from "@/api/client";
import type { ChangeOptions } from "@/api/models";
import type { DocumentChange } from "@/api/types";
import { useReviewedChange } from "./use-reviewed-change";

afterEach(cleanup);

const done = (losses: string[], saved: boolean): DocumentChange => ({
  path: "models/book.yaml",
  version: 1,
  text: "",
  definition: null,
  steps: [],
  losses,
  saved,
});
const refused = () =>
  new ApiError({ type: "", title: "", status: 409, code: "data_loss", detail: "Data would be lost." });

function use(send: (options: ChangeOptions) => Promise<DocumentChange>) {
  const onApplied = vi.fn();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useReviewedChange(send, onApplied), { wrapper });
  return { result, onApplied };
}

it("loses data only after it was seen and accepted, also what came in since the review", async () => {
  const sent: ChangeOptions[] = [];
  let losses: string[] = [];
  const { result, onApplied } = use(async (options) => {
    sent.push(options);
    if (options.dryRun) return done(losses, false);
    if (losses.length > 0 && !options.allowDataLoss) throw refused();
    return done(losses, true);
  });
  expect(result.current.mayApply).toBe(false);
  act(() => result.current.look());
  await waitFor(() => expect(result.current.mayApply).toBe(true));

  losses = ["2 values"];
  act(() => result.current.apply());
  await waitFor(() => expect(result.current.review?.losses).toEqual(["2 values"]));
  expect(result.current.mayApply).toBe(false);
  expect(onApplied).not.toHaveBeenCalled();

  act(() => result.current.accept(true));
  expect(result.current.mayApply).toBe(true);
  act(() => result.current.apply());
  await waitFor(() => expect(onApplied).toHaveBeenCalledTimes(1));
  expect(sent).toEqual([{ dryRun: true }, {}, { dryRun: true }, { allowDataLoss: true }]);
});

it("forgets a review of what has changed since, also one that is still on its way", async () => {
  let answer: (change: DocumentChange) => void = () => undefined;
  const { result } = use(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  act(() => result.current.look());
  await waitFor(() => expect(result.current.pending).toBe("review"));
  act(() => result.current.reset());
  await act(async () => answer(done([], false)));
  expect(result.current.review).toBeNull();
  expect(result.current.mayApply).toBe(false);
});
