import { ArrowDown, ArrowUp, ChevronRight, Trash2 } from "lucide-react";
import { useId } from "react";
import { Button } from "@/components/button";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";
import { FlagBadges } from "../flag-badges";
import { typeText } from "../type-text";
import { type FieldDraft, textAt } from "./draft";
import { FieldInputs } from "./field-inputs";

type Props = {
  field: FieldDraft;
  index: number;
  count: number;
  isOpen: boolean;
  nameError: string | null;
  models: string[];
  onOpen: (isOpen: boolean) => void;
  onChange: (field: FieldDraft) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
};

/** A field of a model: a line to read, which opens to what can be set. */
export function FieldCard(props: Props) {
  const { field, index, count, isOpen, nameError, models, onOpen, onChange, onMove, onRemove } = props;
  const id = useId();
  const name = field.name || t("data.unnamed");
  return (
    <li data-field={field.key} className="border-line border-b last:border-b-0">
      <div className="flex items-center gap-1 py-1.5 ps-1.5 pe-2">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${id}-inputs`}
          onClick={() => onOpen(!isOpen)}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-md px-1.5 text-start hover:bg-hover"
        >
          <ChevronRight
            aria-hidden
            className={cx("size-4 shrink-0 text-ink-3", isOpen ? "rotate-90" : "rtl:rotate-180")}
          />
          <span className={cx("truncate font-mono text-small", nameError && "text-danger")}>{name}</span>
          <span className="truncate max-sm:hidden">{textAt(field.definition, "title")}</span>
          <span className="truncate text-ink-3 text-small">{typeText(field.definition)}</span>
          <span className="ms-auto flex shrink-0 gap-1 max-md:hidden">
            <FlagBadges definition={field.definition} />
          </span>
        </button>
        <Button
          variant="ghost"
          size="icon"
          disabled={index === 0}
          aria-label={t("data.moveUp", { name })}
          onClick={() => onMove(index - 1)}
        >
          <ArrowUp aria-hidden />
        </Button>
        <Button
          variant="ghost"
          size="icon"
          disabled={index === count - 1}
          aria-label={t("data.moveDown", { name })}
          onClick={() => onMove(index + 1)}
        >
          <ArrowDown aria-hidden />
        </Button>
        <Button variant="ghost" size="icon" aria-label={t("data.removeField", { name })} onClick={onRemove}>
          <Trash2 aria-hidden />
        </Button>
      </div>
      <fieldset
        id={`${id}-inputs`}
        hidden={!isOpen}
        aria-label={t("data.field", { name })}
        className="min-w-0 px-3.5 pt-1 pb-4"
      >
        {isOpen ? (
          <FieldInputs field={field} nameError={nameError} models={models} onChange={onChange} />
        ) : null}
      </fieldset>
    </li>
  );
}
