/** What is said about a finding. No import of `vscode`. */
import type { Comparison, Perturbation, RunRecord } from '../contracts/runRecord';
import { comparisonSentence } from '../report/sentences';
import { toPrintable } from '../report/visibleText';

/** A change of the prompt whose outcome is worth an underline. */
export interface Moved {
  record: RunRecord;
  comparison: Comparison;
  perturbation: Perturbation;
}

/** `wobble`: should not have mattered and did. `unmoved`: should have mattered and did not. */
export type FindingKind = 'wobble' | 'unmoved';

export function findingKind({ comparison, perturbation }: Moved): FindingKind | null {
  if (perturbation.expectation === 'irrelevant') return comparison.verdict === 'changed' ? 'wobble' : null;
  return comparison.verdict === 'noChangeDetected' ? 'unmoved' : null;
}

/** Every finding of a run, in its order. */
export const movedOf = (record: RunRecord): Moved[] =>
  record.comparisons.flatMap((comparison) => {
    const perturbation = record.perturbations.find(({ id }) => id === comparison.perturbationId);
    if (perturbation === undefined) return [];
    const moved = { record, comparison, perturbation };
    return findingKind(moved) === null ? [] : [moved];
  });

/** Where answers do not vary there is no effect size: they have nothing in common. */
export const effectOf = ({ comparison }: Moved): number =>
  comparison.effect?.debiased ?? (comparison.deterministic ? 1 : 0);

/** The sentence of the strongest of the findings on the same words, and how many others there are. */
export function findingMessage([first, ...others]: readonly [Moved, ...Moved[]], stale: boolean): string {
  const sentence = comparisonSentence(first.comparison, first.perturbation, first.record);
  const more =
    others.length === 0
      ? ''
      : ` ${others.length === 1 ? 'One other change' : `${others.length} other changes`} of these words moved them too.`;
  return stale
    ? `Stale: these words have changed since they were checked. Of the words before: ${sentence}${more}`
    : `${sentence}${more}`;
}

const MAX_WORDING_CHARACTERS = 200;

/** `“do not” → “don’t”`, per edit, the first three. */
export function wordingOf({ edits }: Perturbation, text: string): string {
  const quote = (part: string) => {
    const shown = part.length > MAX_WORDING_CHARACTERS ? `${part.slice(0, MAX_WORDING_CHARACTERS)}…` : part;
    return shown === '' ? 'nothing' : `“${toPrintable(shown).replace(/\n/g, '⏎')}”`;
  };
  const shown = edits
    .slice(0, 3)
    .map((edit) => `${quote(text.slice(edit.start, edit.end))} → ${quote(edit.text)}`);
  return shown.join(', ') + (edits.length > 3 ? ` and ${edits.length - 3} more` : '');
}
