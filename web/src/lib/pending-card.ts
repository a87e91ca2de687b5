const SELECTOR = '[data-approval][data-status="pending"]';

export const pendingCard = (within: ParentNode = document): HTMLElement | null =>
  within.querySelector<HTMLElement>(SELECTOR);

/** Brings the pending card into sight and gives it the focus. */
export function jumpToPendingCard(within: ParentNode = document): boolean {
  const card = pendingCard(within);
  if (!card) return false;
  card.scrollIntoView({ block: "center" });
  card.focus({ preventScroll: true });
  return true;
}
