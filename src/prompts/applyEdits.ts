import type { Span, TextEdit } from '../contracts/runRecord';

/**
 * The text with every edit applied. Offsets refer to the original.
 * @throws RangeError when edits overlap, are not sorted, lie outside the text or cut a surrogate pair.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let changed = '';
  let done = 0;
  for (const { start, end, text: replacement } of edits) {
    if (start < done || end < start || end > text.length) {
      throw new RangeError(
        `edits must be sorted, apart and inside the text: [${start}, ${end}) after ${done}`,
      );
    }
    if (cutsPair(text, start) || cutsPair(text, end)) {
      throw new RangeError(`an edit at [${start}, ${end}) would cut a surrogate pair`);
    }
    changed += text.slice(done, start) + replacement;
    done = end;
  }
  return changed + text.slice(done);
}

/**
 * The one replacement that turns `original` into `changed`: common start and end taken away, then widened to
 * whole words, so that it reads `use → employ` and not `us → employ` less an `e`. Null when they are equal.
 * Of several equal places (a blank line among blank lines) it is the last.
 */
export function exactDifference(original: string, changed: string): TextEdit | null {
  if (original === changed) return null;
  const shorter = Math.min(original.length, changed.length);
  let start = 0;
  while (start < shorter && original.charCodeAt(start) === changed.charCodeAt(start)) start++;
  let tail = 0;
  while (
    tail < shorter - start &&
    original.charCodeAt(original.length - 1 - tail) === changed.charCodeAt(changed.length - 1 - tail)
  ) {
    tail++;
  }
  const insideStart = () => isInside(original, start) || isInside(changed, start);
  while (start > 0 && insideStart()) start--;
  const insideEnd = () =>
    isInside(original, original.length - tail) || isInside(changed, changed.length - tail);
  while (tail > 0 && insideEnd()) tail--;
  return { start, end: original.length - tail, text: changed.slice(start, changed.length - tail) };
}

/** The smallest range that holds all edits. `edits` must not be empty. */
export function hullOf(edits: readonly TextEdit[]): Span {
  return { start: edits[0]!.start, end: edits.at(-1)!.end };
}

/**
 * The edits without what they leave as it was, each widened to whole words; two in one word (`rock'n'roll`) become one.
 * @param edits sorted and apart
 */
export function tightenEdits(text: string, edits: readonly TextEdit[]): TextEdit[] {
  const groups: { tight: TextEdit; edits: TextEdit[] }[] = [];
  for (const edit of edits) {
    const tight = tightenEdit(text, edit);
    if (tight === null) continue;
    const last = groups.at(-1);
    if (last && Math.min(tight.start, edit.start) < last.tight.end) {
      const before = last.edits[0]!;
      const start = Math.min(last.tight.start, before.start, tight.start);
      last.tight = {
        start,
        end: Math.max(last.tight.end, last.edits.at(-1)!.end, tight.end, edit.end),
        text: '',
      };
      last.edits.push(edit);
    } else groups.push({ tight, edits: [edit] });
  }
  return groups.map(({ tight: { start, end, text: replacement }, edits: inside }) => ({
    start,
    end,
    text: inside.length === 1 ? replacement : applyEdits(text.slice(0, end), inside).slice(start),
  }));
}

/** One edit without what it leaves as it was, widened to whole words; null when it changes nothing. */
function tightenEdit(text: string, edit: TextEdit): TextEdit | null {
  // Words are short, so a window around the edit sees all that widening needs.
  const from = Math.max(0, edit.start - 64);
  const to = Math.min(text.length, edit.end + 64);
  const before = text.slice(from, to);
  const after = text.slice(from, edit.start) + edit.text + text.slice(edit.end, to);
  const difference = exactDifference(before, after);
  return difference && { ...difference, start: difference.start + from, end: difference.end + from };
}

const cutsPair = (text: string, at: number) =>
  /[\uD800-\uDBFF]/.test(text[at - 1] ?? '') && /[\uDC00-\uDFFF]/.test(text[at] ?? '');

/** Words of cased scripts; elsewhere (Chinese, Thai, …) a run of letters is no word, so nothing is widened. */
const WORD_PART = /[\p{Lu}\p{Ll}\p{Lt}\p{M}\p{N}'’]/u;
const isInside = (text: string, at: number) =>
  at > 0 &&
  at < text.length &&
  (cutsPair(text, at) || (WORD_PART.test(text[at - 1]!) && WORD_PART.test(text[at]!)));
