import type { Approval, ErasedCard } from "@/api/types";
import { t } from "@/lib/t";

export const isErased = (card: Approval["card"]): card is ErasedCard => card.title === undefined;

/** The title of a card, or what stands in its place once the payload of its call was erased. */
export const cardTitle = (card: Approval["card"]): string => card.title ?? t("approval.erasedTitle");
