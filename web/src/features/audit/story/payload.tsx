import { EyeOff } from "lucide-react";
import type { AuditStory, Json } from "@/api/types";
import { StorySection } from "@/components/call/story-section";
import { JsonView } from "@/components/json-view";
import { HandlePreview } from "@/components/result/handle-preview";
import { ResultView } from "@/components/result/result-view";
import { shapeOf } from "@/components/result/shape";
import { t } from "@/lib/t";
import { hasMasked } from "./masked";

/** What a call was asked with, and what it answered. */
export function Payload({ story }: { story: AuditStory }) {
  if (story.erased) return <p className="rounded-lg bg-sunken px-3 py-2 text-ink-2">{t("audit.erased")}</p>;
  return (
    <>
      {hasMasked(story) ? (
        <p className="flex items-start gap-2 rounded-lg bg-sunken px-3 py-2 text-ink-2">
          <EyeOff aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t("audit.masked")}
        </p>
      ) : null}
      <StorySection title={t("form.arguments")}>
        <JsonView value={story.arguments} label={t("form.arguments")} className="max-h-72" />
      </StorySection>
      {story.output === null ? null : (
        <StorySection title={t("result.label")}>
          <Result value={story.output} />
        </StorySection>
      )}
    </>
  );
}

/** A large result is opened only by whose it is. */
function Result({ value }: { value: Json }) {
  const shape = shapeOf(value);
  return shape.kind === "handle" ? <HandlePreview handle={shape.handle} /> : <ResultView value={value} />;
}
