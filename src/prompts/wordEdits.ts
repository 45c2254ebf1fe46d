import { diffWordsWithSpace } from 'diff';
import type { TextEdit } from '../contracts/runRecord';
import { exactDifference } from './applyEdits';

/** A word diff of longer texts would be slow; their difference is one replacement. */
const MAX_DIFFED_CHARACTERS = 40_000;

/**
 * The edits that turn `before` into `after`, word by word: sorted, apart, offsets in `before`. Empty where they are equal.
 * Source: Myers' algorithm by the library `diff`.
 */
export function wordEdits(before: string, after: string): TextEdit[] {
  if (before.length + after.length > MAX_DIFFED_CHARACTERS) {
    const difference = exactDifference(before, after);
    return difference === null ? [] : [difference];
  }
  const edits: TextEdit[] = [];
  let at = 0;
  let open: TextEdit | null = null;
  for (const { value, added, removed } of diffWordsWithSpace(before, after)) {
    if (!added && !removed) {
      open = null;
      at += value.length;
      continue;
    }
    if (open === null) edits.push((open = { start: at, end: at, text: '' }));
    if (added) open.text += value;
    else open.end = at += value.length;
  }
  return edits;
}
