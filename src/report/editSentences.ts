/** What an edit did, in sentences; the others are in sentences.ts. */
import type { Comparison, RunRecord } from '../contracts/runRecord';
import { countOf, formatPClause } from './format';

interface EditHeadline {
  state: 'steady' | 'wobbles' | 'undecided';
  word: string;
  /** Without the word. */
  rest: string;
}

/**
 * The verdict on an edit.
 * @param caught what this check would have noticed, as an inset; empty where it is not known
 */
export function editHeadline(
  record: RunRecord,
  comparison: Comparison | undefined,
  words: { model: string; caught: string },
): EditHeadline {
  const { model, caught } = words;
  const edit = `the edit since ${record.against ?? 'the version before'}`;
  const each = `${countOf(record.options.samples, 'answer')} each`;
  switch (comparison?.verdict) {
    case 'changed':
      return {
        state: 'wobbles',
        word: 'Changed',
        rest: `${edit} moved ${model}’s answers, and by more than harmless rewordings of the old prompt do (${each}).`,
      };
    case 'changedWithinRewordingNoise':
      return {
        state: 'steady',
        word: 'Within rewording noise',
        rest: `${edit} moved ${model}’s answers, but no further than harmless rewordings of the old prompt do (${each}).`,
      };
    case 'equivalent':
      return {
        state: 'steady',
        word: 'Equivalent',
        rest: `${edit} left ${model}’s answers the same for practical purposes (${each}).`,
      };
    case 'noChangeDetected':
      return {
        state: 'steady',
        word: 'No change detected',
        rest: `${edit} was not seen to move ${model}’s answers (${each}${caught === '' ? '' : `; ${caught}`}).`,
      };
    default:
      return {
        state: 'undecided',
        word: 'Undecided',
        rest: comparison?.undecided?.explanation ?? 'too little could be measured.',
      };
  }
}

/** What a check of an edit asks, and why. */
export const askedWords = {
  before: (against: string) => ({ what: `The prompt at ${against}`, why: 'what the edit is compared with' }),
  edited: { what: 'The edited prompt', why: 'did the answers move?' },
  repeat: { what: 'The prompt before the edit, again', why: 'what chance alone does' },
  rewordings: (count: number) => ({
    what: `${countOf(count, 'harmless rewording')} of the prompt before it`,
    why: 'how far does harmless rewording move the answers? Asked only where the edit moved them',
  }),
  again: {
    what: 'The edited prompt, again',
    why: 'a fresh sample, asked together with the rewordings and compared with them alone',
  },
};

/** The edit among the rewordings; null where they were not asked. */
export function compositeSentence(record: RunRecord): string | null {
  const composite = record.comparisons[0]?.composite;
  if (composite === undefined) return null;
  const { rewordings, scores, testScore, p } = composite;
  const asFar = scores.filter((score) => score >= testScore - 1e-9).length;
  const found =
    asFar === 0
      ? `none of the ${rewordings} stands as far from the rest as the edit does`
      : `${asFar} of the ${rewordings} ${asFar === 1 ? 'stands' : 'stand'} at least as far from the rest as the edit does`;
  return `Harmless rewordings of the old prompt were asked as well: ${found} (${formatPClause('p', p)}; p here is the edit’s rank among them, and with ${rewordings} it cannot be smaller than ${Number((1 / (rewordings + 1)).toPrecision(2))}).`;
}
