import { describe, expect, it } from "vitest";
import { SseDecoder } from "./sse";

const bytes = (text: string) => new TextEncoder().encode(text);
const wire =
  'data: {"delta":"größe €24,90 – 你好 👋"}\n\n: keep-alive\n\ndata: a\ndata: b\n\ndata: [DONE]\n\n';
const events = ['{"delta":"größe €24,90 – 你好 👋"}', "a\nb", "[DONE]"];

function decode(text: string, size: number): string[] {
  const decoder = new SseDecoder();
  const all = bytes(text);
  const found: string[] = [];
  for (let at = 0; at < all.length; at += size) found.push(...decoder.push(all.slice(at, at + size)));
  return found;
}

describe("SseDecoder", () => {
  it.each([1, 2, 3, 5, 7, 1000])("reads the same events from pieces of %i bytes", (size) => {
    expect(decode(wire, size)).toEqual(events);
  });

  it("reads the same events wherever the bytes are cut in two", () => {
    const all = bytes(wire);
    for (let cut = 0; cut <= all.length; cut += 1) {
      const decoder = new SseDecoder();
      expect([...decoder.push(all.slice(0, cut)), ...decoder.push(all.slice(cut))]).toEqual(events);
    }
  });

  it.each([
    ["\r\n", 1],
    ["\r\n", 3],
    ["\r", 1],
    ["\n", 1],
  ])("takes %j as the end of a line, in pieces of %i", (end, size) => {
    expect(decode(wire.replaceAll("\n", end), size)).toEqual(events);
  });

  it("ignores comments, other fields and an event that is not complete", () => {
    expect(decode(": hi\nid: 1\nevent: x\nretry: 5\n\ndata:no space\n\ndata: half", 4)).toEqual(["no space"]);
  });
});
