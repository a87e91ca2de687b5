import type { AuditPerson, PolicySubject, UsagePolicy } from "@/api/types";
import { t } from "@/lib/t";

type Named = Pick<AuditPerson, "id" | "name">;

const personOf = (id: string, people: Named[]): string =>
  people.find((person) => person.id === id)?.name ?? t("usage.unknownPerson");

/** For whom a policy is, as its line begins. */
export function subjectText({ subjectKind, subject }: PolicySubject, people: Named[]): string {
  switch (subjectKind) {
    case "org":
      return t("usage.everybody");
    case "role":
      return subject;
    case "user":
      return personOf(subject, people);
  }
}

/** For whom a policy is, in the middle of a sentence. */
export function whoText({ subjectKind, subject }: PolicySubject, people: Named[]): string {
  switch (subjectKind) {
    case "org":
      return t("usage.forEverybody");
    case "role":
      return t("usage.forRole", { role: subject });
    case "user":
      return personOf(subject, people);
  }
}

const order = { org: 0, role: 1, user: 2 };

/** From the one for everybody to those for one person. */
export const sorted = (policies: UsagePolicy[], people: Named[]): UsagePolicy[] =>
  [...policies].sort(
    (one, other) =>
      order[one.subjectKind] - order[other.subjectKind] ||
      subjectText(one, people).localeCompare(subjectText(other, people)),
  );
