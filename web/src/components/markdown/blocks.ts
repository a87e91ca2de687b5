import { lexer } from "marked";

/**
 * Cuts markdown into its top-level blocks. While an answer streams only the last block changes, so
 * each block is rendered once and memoised: the cost of an answer stays linear in its length.
 */
export function blocksOf(markdown: string): string[] {
  const blocks: string[] = [];
  for (const token of lexer(markdown)) {
    if (token.type === "space" && blocks.length > 0) blocks[blocks.length - 1] += token.raw;
    else blocks.push(token.raw);
  }
  return blocks;
}
