import type { Audience } from "@/api/types";
import { t } from "@/lib/t";

export type AudienceKind = "everyone" | "editors" | "some";
export type Chosen = { users: string[]; roles: string[] };

export const audienceKinds: AudienceKind[] = ["everyone", "editors", "some"];

export function kindOf(audience: Audience): AudienceKind {
  if (audience === null) return "editors";
  return audience.everyone ? "everyone" : "some";
}

export const chosenOf = (audience: Audience): Chosen => ({
  users: audience?.users ?? [],
  roles: audience?.roles ?? [],
});

export const isEmpty = ({ users, roles }: Chosen): boolean => users.length + roles.length === 0;

/** What is saved for a choice. Who was chosen before stays on record while everyone has it. */
export function audienceOf(kind: AudienceKind, chosen: Chosen): Audience {
  return kind === "editors" ? null : { ...chosen, everyone: kind === "everyone" };
}

export const audienceText = (kind: AudienceKind): string => t(`audience.${kind}`);
