import { type RefObject, useCallback, useEffect, useRef } from "react";

const NEAR = 80;

/** Keeps a scrolled region at its end while it grows, unless the reader has scrolled up. */
export function useStickToBottom(region: RefObject<HTMLElement | null>, resetKey: string) {
  const stuck = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation begins at its end
  useEffect(() => {
    const element = region.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    stuck.current = true;
    const onScroll = () => {
      stuck.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    const follow = () => {
      if (stuck.current) element.scrollTop = element.scrollHeight;
    };
    const observer = new ResizeObserver(follow);
    observer.observe(content);
    observer.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, [region, resetKey]);
  return useCallback(() => {
    stuck.current = true;
    region.current?.scrollTo({ top: region.current.scrollHeight });
  }, [region]);
}
