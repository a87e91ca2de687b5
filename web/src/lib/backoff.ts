/** Milliseconds to wait before the given attempt, counted from zero: 0.3 s, doubling, at most 8 s. */
export function backoff(attempt: number): number {
  return Math.min(8_000, 300 * 2 ** attempt);
}

export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
