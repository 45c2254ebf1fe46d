/** The prompt cut at the borders of the sentences that perturbations are confined to, each with its state. */
import type { PromptPiece } from '../contracts/reportView';
import type { Comparison, Perturbation, RunRecord } from '../contracts/runRecord';
import { countOf } from './format';
import { toPrintable, toVisibleText } from './visibleText';

/** Characters of a prompt that the page shows; the rest is counted. */
const MAX_PROMPT_CHARS = 60_000;

interface Judged {
  perturbation: Perturbation;
  comparison: Comparison;
}

/** Pieces in order, which together are the prompt's first 60,000 characters. */
export function promptPieces(record: RunRecord): PromptPiece[] {
  const { text } = record.prompt;
  const end = Math.min(text.length, MAX_PROMPT_CHARS);
  const judged: Judged[] = record.comparisons.flatMap((comparison) => {
    const perturbation = record.perturbations.find(({ id }) => id === comparison.perturbationId);
    return perturbation?.sentence && perturbation.expectation === 'irrelevant'
      ? [{ perturbation, comparison }]
      : [];
  });
  const borders = new Set([0, end]);
  for (const { perturbation } of judged) {
    const { sentence } = perturbation;
    if (!sentence) continue;
    for (const border of [sentence.start, sentence.end]) if (border < end) borders.add(border);
  }
  const sorted = [...borders].sort((a, b) => a - b);
  return sorted.slice(0, -1).map((start, i) => {
    const stop = sorted[i + 1] ?? end;
    const touching = judged
      .filter(({ perturbation: { sentence } }) => sentence && sentence.start < stop && sentence.end > start)
      .sort((a, b) => (b.comparison.effect?.debiased ?? -2) - (a.comparison.effect?.debiased ?? -2));
    const visible = toVisibleText(text.slice(start, stop), MAX_PROMPT_CHARS);
    return {
      span: { start, end: stop },
      text: stop === end ? { ...visible, hiddenChars: text.length - end } : visible,
      ...stateOf(touching),
      heat: heatOf(touching),
      perturbationIds: touching.map(({ perturbation }) => perturbation.id),
    };
  });
}

/** Steps of the debiased effect: below the first nothing is to be seen. */
const HEAT_STEPS = [0.05, 0.15, 0.3, 0.5];

/** How far the stretch moved the answers at most; by the sizes, whatever the tests say. */
function heatOf(touching: Judged[]): PromptPiece['heat'] {
  const effects = touching.flatMap(({ comparison }) =>
    comparison.effect ? [comparison.effect.debiased] : [],
  );
  if (effects.length === 0) return null;
  const largest = Math.max(...effects);
  return HEAT_STEPS.filter((step) => largest >= step).length;
}

function stateOf(touching: Judged[]): Pick<PromptPiece, 'state' | 'label'> {
  if (touching.length === 0) return { state: null, label: '' };
  const moved = touching.filter(({ comparison }) => comparison.verdict === 'changed');
  if (moved.length > 0) {
    const names = moved.map(({ perturbation }) => perturbation.name).join(', ');
    return { state: 'wobbles', label: toPrintable(`Wobbles: ${names}`) };
  }
  // One open question is enough, as in the headline: steady means that all of them were answered.
  if (touching.some(({ comparison }) => comparison.verdict === 'undecided')) {
    return { state: 'undecided', label: 'Undecided' };
  }
  return { state: 'steady', label: `Steady under ${countOf(touching.length, 'change')}` };
}
