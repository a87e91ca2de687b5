import { t } from "./t";

type Named = { name: string; email: string };

/** How one of many people is called: by name, and by what tells namesakes apart. */
export const personText = ({ name, email }: Named): string =>
  email && email !== name ? t("person.withEmail", { name, email }) : name;
