import type { JsonSchema } from "@/api/types";
import { fieldOf, resolve } from "@/components/schema-form/schema";
import { t } from "@/lib/t";
import { typeText } from "./type-text";

const DEPTH = 2;

/** The arguments of a tool, readable: name, type, what it means; nested ones indented. */
export function SchemaTable({ schema }: { schema: JsonSchema }) {
  const field = fieldOf(resolve(schema, schema), schema);
  if (field.kind !== "object") return <p className="text-ink-3">{t("form.noArguments")}</p>;
  return (
    <ul className="rounded-lg border border-line">
      <Properties schema={schema} root={schema} depth={0} />
    </ul>
  );
}

function Properties({ schema, root, depth }: { schema: JsonSchema; root: JsonSchema; depth: number }) {
  const field = fieldOf(resolve(schema, root), root);
  const object = field.kind === "list" ? fieldOf(field.items, root) : field;
  if (object.kind !== "object" || depth > DEPTH) return null;
  return object.properties.map(([name, each]) => {
    const resolved = resolve(each, root);
    return (
      <li key={name} className="border-line border-b last:border-b-0">
        <div className="px-3 py-2">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <code className="font-medium font-mono text-small">{name}</code>
            <span className="text-ink-3 text-small">{typeText(resolved, root)}</span>
            {object.required.has(name) ? (
              <span className="text-ink-2 text-meta">{t("form.requiredMark")}</span>
            ) : null}
          </p>
          {resolved.description ? <p className="text-ink-2">{resolved.description}</p> : null}
        </div>
        {/* A definition that refers to itself is shown once; its type says what goes on. */}
        {each.$ref && depth > 0 ? null : (
          <ul className="ms-4 border-line border-s empty:hidden">
            <Properties schema={each} root={root} depth={depth + 1} />
          </ul>
        )}
      </li>
    );
  });
}
