/**
 * Decodes server-sent events. Bytes may be cut anywhere, also inside a character or between the
 * two halves of a CRLF, so the decoder keeps what is not complete yet.
 */
export class SseDecoder {
  private readonly utf8 = new TextDecoder();
  private pending = "";
  private data: string[] = [];
  private afterReturn = false;

  /** Takes bytes and gives back the `data` of each event that is complete. */
  push(bytes: Uint8Array): string[] {
    return this.take(this.utf8.decode(bytes, { stream: true }));
  }

  private take(text: string): string[] {
    const events: string[] = [];
    let rest = text;
    while (rest.length > 0) {
      if (this.afterReturn) {
        this.afterReturn = false;
        if (rest.startsWith("\n")) rest = rest.slice(1);
        continue;
      }
      const end = rest.search(/[\r\n]/);
      if (end < 0) {
        this.pending += rest;
        break;
      }
      this.afterReturn = rest[end] === "\r";
      const event = this.line(this.pending + rest.slice(0, end));
      if (event !== null) events.push(event);
      this.pending = "";
      rest = rest.slice(end + 1);
    }
    return events;
  }

  private line(line: string): string | null {
    if (line === "") {
      if (this.data.length === 0) return null;
      const event = this.data.join("\n");
      this.data = [];
      return event;
    }
    // A line that starts with a colon is a comment (keep-alive); other fields mean nothing here.
    if (line.startsWith("data:")) this.data.push(line.slice(line[5] === " " ? 6 : 5));
    return null;
  }
}
