import { type Chunk, parseFrame } from "./chunks";
import { SseDecoder } from "./sse";

/** Hands each chunk of a streamed response to `onChunk`; tells whether the run said how it ended. */
export async function readStream(response: Response, onChunk: (chunk: Chunk) => void): Promise<boolean> {
  const reader = response.body?.getReader();
  if (!reader) return false;
  const decoder = new SseDecoder();
  let ended = false;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return ended;
    for (const frame of decoder.push(value)) {
      const chunk = parseFrame(frame);
      if (!chunk) continue;
      // A connection that a proxy cuts also closes cleanly, so only a last word counts as an end.
      ended = chunk.type === "finish" || chunk.type === "error" || chunk.type === "abort";
      onChunk(chunk);
    }
  }
}
