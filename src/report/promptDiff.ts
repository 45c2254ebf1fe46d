/** A perturbation as word diffs of the places that it edits. */
import { diffWordsWithSpace } from 'diff';
import type { DiffHunk, DiffPart } from '../contracts/reportView';
import type { TextEdit } from '../contracts/runRecord';
import { toRuns } from './visibleText';

/** What is shown around an edit, at least, in characters. */
const CONTEXT_CHARS = 48;
/** Longer stretches are shown as replaced whole: a word diff of them would be slow and unreadable. */
const MAX_DIFFED_CHARS = 4_000;
/** Both sides of a hunk are cut after this many characters. */
const MAX_HUNK_CHARS = 2_000;
const MAX_HUNKS = 12;

const isWordChar = (char: string | undefined) => char !== undefined && /\S/.test(char);

/** Widens [start, end) by the context, then to whole words. */
function withContext(text: string, start: number, end: number): { start: number; end: number } {
  let from = Math.max(0, start - CONTEXT_CHARS);
  let to = Math.min(text.length, end + CONTEXT_CHARS);
  for (let i = 0; i < 20 && from > 0 && isWordChar(text[from - 1]); i++) from--;
  for (let i = 0; i < 20 && to < text.length && isWordChar(text[to]); i++) to++;
  return { start: from, end: to };
}

/**
 * One hunk per place; edits whose contexts touch share a hunk. At most twelve hunks, the first ones.
 * @param edits sorted, not overlapping, in UTF-16 units of `original`.
 */
export function promptDiff(original: string, edits: readonly TextEdit[]): DiffHunk[] {
  const groups: { start: number; end: number; edits: TextEdit[] }[] = [];
  for (const edit of edits) {
    const window = withContext(original, edit.start, edit.end);
    const last = groups.at(-1);
    if (last && window.start <= last.end) {
      last.end = Math.max(last.end, window.end);
      last.edits.push(edit);
    } else {
      groups.push({ ...window, edits: [edit] });
    }
  }
  return groups.slice(0, MAX_HUNKS).map(({ start, end, edits: inside }) => ({
    elidedBefore: start > 0,
    elidedAfter: end < original.length,
    parts: diffParts(original.slice(start, end), applyEdits(original, start, end, inside)),
  }));
}

/** The whole text with its edits marked, as one hunk. */
export function wholeDiff(original: string, edits: readonly TextEdit[]): DiffHunk {
  const parts: DiffPart[] = [];
  const add = (op: DiffPart['op'], text: string) => {
    if (text !== '') parts.push({ op, runs: toRuns(text, op !== 'same' && text.trim() === '') });
  };
  let at = 0;
  for (const { start, end, text } of joined(original, edits)) {
    add('same', original.slice(at, start));
    add('removed', original.slice(start, end));
    add('added', text);
    at = end;
  }
  add('same', original.slice(at));
  return { elidedBefore: false, elidedAfter: false, parts };
}

/** Neighbouring words that were all replaced read better as one replacement. */
function joined(original: string, edits: readonly TextEdit[]): TextEdit[] {
  const result: TextEdit[] = [];
  for (const edit of edits) {
    const last = result.at(-1);
    const between = last === undefined ? null : original.slice(last.end, edit.start);
    if (last !== undefined && between !== null && /^[^\S\n]*$/.test(between)) {
      last.text += between + edit.text;
      last.end = edit.end;
    } else result.push({ ...edit });
  }
  return result;
}

function applyEdits(original: string, start: number, end: number, edits: readonly TextEdit[]): string {
  let result = '';
  let at = start;
  for (const edit of edits) {
    result += original.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + original.slice(at, end);
}

function diffParts(before: string, after: string): DiffPart[] {
  const tooLong = before.length > MAX_DIFFED_CHARS || after.length > MAX_DIFFED_CHARS;
  const changes = tooLong
    ? [
        { value: before.slice(0, MAX_HUNK_CHARS), added: false, removed: true },
        { value: after.slice(0, MAX_HUNK_CHARS), added: true, removed: false },
      ]
    : diffWordsWithSpace(before, after);
  return changes.map(({ value, added, removed }) => {
    const op = added ? 'added' : removed ? 'removed' : 'same';
    // Spaces are shown as glyphs only where they are all that there is to see.
    const onlySpace = op !== 'same' && value.trim() === '';
    return { op, runs: toRuns(value, onlySpace) };
  });
}
