import type { FlipFigures, FlipsPlan } from '../contracts/flipsRecord';
import { correctedFlipRates, reassignmentBound, type LabelledStrength } from '../stats/flipCorrection';
import { countFlips, type FlipItem, type Strength } from '../stats/flipRates';
import { createRng } from '../stats/rng';

/** Neighbours 2 and 3 are what readers confuse (arXiv 2609.30849); so many of each level may be in the other. */
const CONFUSED_SHARE = 0.2;
/** As for kappa: fewer labels say nothing of the judge. */
const FEWEST_LABELS = 10;

/**
 * What the judge's errors could do to the rates of one type: a bound where any item was rated by a judge, and rates
 * corrected by the person's labels where there are ten of what it rated. Nulls elsewhere.
 */
export function judgeError(
  type: FlipFigures['type'],
  plan: FlipsPlan,
  items: readonly (FlipItem & { conditionId: string })[],
): Pick<FlipFigures, 'confusion' | 'corrected'> {
  const strengthOf = new Map(
    plan.conditions.flatMap(({ id, perturbation }) =>
      perturbation === null ? [] : [[id, perturbation.strength] as const],
    ),
  );
  const judged = items.flatMap((item) => {
    const strength = strengthOf.get(item.conditionId);
    const level = strength?.source === 'judge' ? strength.level : (strength?.judged ?? null);
    return level === null ? [] : [{ ...item, strength: level as Strength }];
  });
  if (judged.length === 0) return { confusion: null, corrected: null };
  const labels = judged.flatMap(({ conditionId, strength }): LabelledStrength[] => {
    const given = strengthOf.get(conditionId)!;
    return given.source === 'user' && given.level !== null
      ? [{ judged: strength, true: given.level as Strength }]
      : [];
  });
  const rated = items.filter(({ strength }) => strength !== null);
  return {
    confusion: { share: CONFUSED_SHARE, ...reassignmentBound(countFlips(rated), CONFUSED_SHARE) },
    corrected:
      labels.length < FEWEST_LABELS
        ? null
        : correctedFlipRates(judged, labels, { rng: createRng(plan.seed, `flips.corrected.${type}`) }),
  };
}
