/** A perturbation set in a few words. No import of `vscode`. */
import type { PerturbationSet } from '../contracts/perturbationSet';
import { STRENGTH_WORDS } from '../report/flipsSentences';
import { countOf } from '../report/format';

/** Fewer items of one strength make no rate (methods.md section 3). */
const FEWEST_ITEMS = 10;

/** `9 of 10 used, 2 relabelled: 6 negligible, 3 strong. A rate needs 10 of one strength.` */
export function setSummary({ perturbations }: PerturbationSet): string {
  const used = perturbations.filter(({ use }) => use);
  const relabelled = perturbations.filter(({ strength }) => strength.source === 'user').length;
  const levels = STRENGTH_WORDS.map((word, level) => ({
    word,
    n: used.filter(({ strength }) => strength.level === level).length,
  })).filter(({ n }) => n > 0);
  const unrated = used.filter(({ strength }) => strength.level === null).length;
  const counts = [
    ...levels.map(({ word, n }) => `${n} ${word}`),
    ...(unrated > 0 ? [`${unrated} not rated`] : []),
  ];
  const few = levels.every(({ n }) => n < FEWEST_ITEMS);
  return [
    `${used.length} of ${perturbations.length} used`,
    relabelled > 0 ? `, ${countOf(relabelled, 'label')} of yours` : '',
    counts.length > 0 ? `: ${counts.join(', ')}` : '',
    few ? `. A rate needs ${FEWEST_ITEMS} of one strength` : '',
  ].join('');
}
