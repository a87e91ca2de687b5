import type { Approval, Card, ErasedCard, Withheld } from "@/api/types";
import { WITHHELD } from "@/lib/marks";
import { t } from "@/lib/t";

type AnyCard = Approval["card"];

export const isWithheld = (card: AnyCard): card is Withheld => card === WITHHELD;
export const isErased = (card: AnyCard): card is ErasedCard => !isWithheld(card) && card.title === undefined;
export const isWhole = (card: AnyCard): card is Card => !isWithheld(card) && !isErased(card);

/** The title of a card, or what stands in its place where it was erased or is withheld. */
export function cardTitle(card: AnyCard): string {
  if (isWithheld(card)) return t("approval.withheldTitle");
  if (isErased(card)) return t("approval.erasedTitle");
  return card.title === WITHHELD ? t("approval.withheldTitleOf", { verb: card.verb }) : card.title;
}
