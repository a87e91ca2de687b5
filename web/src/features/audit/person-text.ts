import type { AuditPerson } from "@/api/types";
import { t } from "@/lib/t";

export const personText = ({ name, email }: AuditPerson): string =>
  email && email !== name ? t("audit.personEmail", { name, email }) : name;
