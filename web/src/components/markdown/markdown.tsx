import { ImageOff } from "lucide-react";
import { memo, useMemo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import remend from "remend";
import { t } from "@/lib/t";
import { blocksOf } from "./blocks";

const plugins = [remarkGfm];

const components: Components = {
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // An image would tell its server that, when and from where the answer was read: it is never
  // loaded by itself, a person opens it.
  img: ({ src, alt }) => <ImageLink src={typeof src === "string" ? src : ""} alt={alt ?? ""} />,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
    <figure className="table-wrap" tabIndex={0} aria-label={t("result.label")}>
      <table>{children}</table>
    </figure>
  ),
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
    <pre tabIndex={0}>{children}</pre>
  ),
};

function ImageLink({ src, alt }: { src: string; alt: string }) {
  const label = alt || t("markdown.image");
  const className =
    "inline-flex items-center gap-1.5 rounded-md border border-line px-2 py-0.5 text-base text-ink-2 [&_svg]:size-3.5";
  if (!/^https?:/.test(src))
    return (
      <span className={className}>
        <ImageOff aria-hidden />
        {label}
      </span>
    );
  return (
    <a href={src} target="_blank" rel="noopener noreferrer nofollow" className={className}>
      <ImageOff aria-hidden />
      {t("markdown.openImage", { label, host: new URL(src).host })}
    </a>
  );
}

const Block = memo(function Block({ source }: { source: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {source}
    </ReactMarkdown>
  );
});

/** Markdown as elements. Raw HTML in it stays text. */
export const Markdown = memo(function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  // While streaming, open marks (`**bo`) are closed so that the text does not jump.
  const blocks = useMemo(() => blocksOf(streaming ? remend(text) : text), [text, streaming]);
  return (
    <div className="prose-answer" dir="auto">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever grow at the end
        <Block key={index} source={block} />
      ))}
    </div>
  );
});
