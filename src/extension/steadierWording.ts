/** Which tested wordings kept the answers together better than the prompt as it stands. No import of `vscode`. */
import type { RunRecord, Sample } from '../contracts/runRecord';
import { adjustPValues } from '../stats/multiplicity';
import { createRng, type Rng } from '../stats/rng';

export interface SteadierWording {
  perturbationId: string;
  /** Answers equal to the commonest one, of all: with the wording, and with the prompt as it stands. */
  alike: { wording: [count: number, n: number]; prompt: [count: number, n: number] };
  adjustedP: number;
}

const SHUFFLES = 1_999;
const FEWEST = 4;

/**
 * Wordings whose answers are alike significantly more often. Null hypothesis: both prompts give the same distribution; statistic:
 * difference of the shares of the commonest answer, one-sided; exact level by shuffling answers between the two (1,999 times,
 * Phipson and Smyth's p), Holm over the run's harmless wordings. Undecided comparisons take no part. Cost: milliseconds.
 */
export function steadierWordings(record: RunRecord): SteadierWording[] {
  const baseline = record.conditions.find(({ role }) => role === 'baseline');
  if (baseline === undefined || record.kind !== 'robustness') return [];
  const before = answersOf(record.samples, baseline.id);
  const tried = record.comparisons.flatMap((comparison) => {
    const perturbation = record.perturbations.find(({ id }) => id === comparison.perturbationId);
    const condition = record.conditions.find(({ perturbationId }) => perturbationId === perturbation?.id);
    if (perturbation === undefined || condition === undefined) return [];
    if (perturbation.expectation !== 'irrelevant' || perturbation.edits.length === 0) return [];
    if (comparison.verdict === 'undecided') return [];
    const after = answersOf(record.samples, condition.id);
    if (before.length < FEWEST || after.length < FEWEST) return [];
    const p = moreAlikeP(before, after, createRng(record.seed, `steadier/${perturbation.id}`));
    return [{ perturbationId: perturbation.id, after, p }];
  });
  const adjusted = adjustPValues(
    tried.map(({ p }) => p),
    'holm',
  );
  return tried.flatMap(({ perturbationId, after }, i) => {
    const adjustedP = adjusted[i] ?? 1;
    if (adjustedP > record.options.alpha) return [];
    const alike = {
      wording: [commonest(after), after.length] as [number, number],
      prompt: [commonest(before), before.length] as [number, number],
    };
    return [{ perturbationId, alike, adjustedP }];
  });
}

const answersOf = (samples: Sample[], conditionId: string): string[] =>
  samples.flatMap((sample) =>
    sample.conditionId === conditionId && sample.outcome === 'ok' ? [sample.text.trim()] : [],
  );

function commonest(answers: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

function moreAlikeP(before: string[], after: string[], rng: Rng): number {
  const pooled = [...before, ...after];
  const statistic = () =>
    commonest(pooled.slice(before.length)) / after.length -
    commonest(pooled.slice(0, before.length)) / before.length;
  const seen = statistic();
  if (seen <= 0) return 1;
  let reached = 0;
  for (let shuffle = 0; shuffle < SHUFFLES; shuffle++) {
    for (let i = pooled.length - 1; i > 0; i--) {
      const j = rng.below(i + 1);
      [pooled[i], pooled[j]] = [pooled[j]!, pooled[i]!];
    }
    if (statistic() >= seen - 1e-12) reached += 1;
  }
  return (1 + reached) / (1 + SHUFFLES);
}
