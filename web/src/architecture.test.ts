import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(process.cwd(), "src");
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)));
const sources = files
  .filter((file) => !file.includes(".test."))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

const layer = (file: string) => file.split("/")[0] ?? "";
const feature = (file: string) => /features\/([^/]+)/.exec(file)?.[1];

/** What a file imports, as a path below `src`. */
function importsOf({ file, text }: { file: string; text: string }): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)]
    .map((match) => match[1] ?? "")
    .filter((path) => path.startsWith("@/") || path.startsWith("."))
    .map((path) => (path.startsWith("@/") ? path.slice(2) : join(file, "..", path)));
}

const mayImport: Record<string, string[]> = {
  lib: ["lib"],
  api: ["api", "lib"],
  widgets: ["widgets", "api", "lib"],
  components: ["components", "widgets", "api", "lib"],
  features: ["features", "components", "widgets", "api", "lib"],
};

describe("architecture", () => {
  it("layers import downwards only", () => {
    const wrong = sources.flatMap((source) => {
      const allowed = mayImport[layer(source.file)];
      return importsOf(source)
        .filter((path) => allowed && !allowed.includes(layer(path)))
        .map((path) => `${source.file} imports ${path}`);
    });
    expect(wrong).toEqual([]);
  });

  it("features do not import each other", () => {
    const wrong = sources.flatMap((source) =>
      importsOf(source)
        .filter((path) => feature(source.file) && feature(path) && feature(path) !== feature(source.file))
        .map((path) => `${source.file} imports ${path}`),
    );
    expect(wrong).toEqual([]);
  });

  it("imports what is only for tests and the gallery from nowhere else", () => {
    const wrong = sources.filter((source) => importsOf(source).some((path) => path === "widgets/fixtures"));
    expect(wrong.map((source) => source.file)).toEqual([]);
  });

  it("has no barrels", () => {
    expect(files.filter((file) => /(^|\/)index\.tsx?$/.test(file))).toEqual([]);
  });

  it("keeps components small: median under 90 lines, 19 of 20 under 330", () => {
    const lines = sources
      .filter(({ file }) => file.endsWith(".tsx"))
      .map(({ text }) => text.split("\n").length)
      .sort((a, b) => a - b);
    expect(lines[Math.floor(lines.length / 2)]).toBeLessThan(90);
    expect(lines[Math.floor(lines.length * 0.95)]).toBeLessThan(330);
  });

  it("has no visible text outside the catalogue", () => {
    const wrong = sources
      .filter(({ file }) => file.endsWith(".tsx"))
      .flatMap(({ file, text }) =>
        [
          ...text.matchAll(
            /(?:aria-label|title|placeholder)="([A-Za-z][^"]*)"|>\s*([A-Z][a-z]+(?: [a-z]+)+)\s*</g,
          ),
        ].map((match) => `${file}: ${match[0]}`),
      );
    expect(wrong).toEqual([]);
  });
});
