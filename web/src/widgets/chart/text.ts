const narrow = /[iljtfrI.,:;|'’!()[\]\s]/;
const wide =
  /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u;

/** About how wide a text is. Close enough to keep labels apart without measuring each in the page. */
export function textWidth(text: string, size = 11): number {
  let ems = 0;
  for (const char of text)
    ems += wide.test(char) ? 1.05 : narrow.test(char) ? 0.36 : /[A-ZmwMW%€@]/.test(char) ? 0.76 : 0.61;
  return ems * size;
}

/** The beginning of a text that fits, with an ellipsis. */
export function fitted(text: string, width: number, size = 11): string {
  if (textWidth(text, size) <= width) return text;
  const chars = [...text];
  while (chars.length > 1 && textWidth(`${chars.join("")}…`, size) > width) chars.pop();
  return `${chars.join("").trimEnd()}…`;
}

/** Which of the labels can stand without touching: every one, every second, every third … */
export function apart(centres: number[], widths: number[], gap = 10): number[] {
  for (let step = 1; step < centres.length; step += 1) {
    const kept = centres.map((_, index) => index).filter((index) => index % step === 0);
    const free = kept.every((index, at) => {
      const before = kept[at - 1];
      if (before === undefined) return true;
      const room = (centres[index] ?? 0) - (centres[before] ?? 0);
      return room >= ((widths[index] ?? 0) + (widths[before] ?? 0)) / 2 + gap;
    });
    if (free) return kept;
  }
  return centres.length > 0 ? [0] : [];
}
