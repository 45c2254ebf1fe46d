import type { Span, TextEdit } from '../contracts/runRecord';
import type { PromptParts } from './generator';

/**
 * The edits that turn a range of the prompt into a text that somebody else wrote, between its protected parts. All of
 * them must stand in the text unchanged and in the same order; the first that does not is the reason.
 */
export function editsAround(
  parts: PromptParts,
  range: Span,
  written: string,
): TextEdit[] | { reason: string } {
  const inside = parts.guard.filter(({ start, end }) => start >= range.start && end <= range.end);
  const edits: TextEdit[] = [];
  let done = range.start;
  let read = 0;
  for (const part of inside) {
    const wording = parts.text.slice(part.start, part.end);
    const at = placeOf(wording, written, read);
    if (at < 0) return { reason: `it would damage a protected part (${part.kind})` };
    edits.push({ start: done, end: part.start, text: written.slice(read, at) });
    done = part.end;
    read = at + wording.length;
  }
  edits.push({ start: done, end: range.end, text: written.slice(read) });
  return edits;
}

/** As words of their own: the answer `No` does not stand in `Not`. */
function placeOf(wording: string, text: string, from: number): number {
  const inWord = (at: number) =>
    /[\p{L}\p{N}]/u.test(text[at - 1] ?? '') && /[\p{L}\p{N}]/u.test(text[at] ?? '');
  const cased = /[\p{Lu}\p{Ll}\p{N}]/u;
  const openStart = !cased.test(wording[0]!);
  const openEnd = !cased.test(wording.at(-1)!);
  for (let at = text.indexOf(wording, from); at >= 0; at = text.indexOf(wording, at + 1)) {
    if ((openStart || !inWord(at)) && (openEnd || !inWord(at + wording.length))) return at;
  }
  return -1;
}
