import type { Comparison, Perturbation, RunRecord } from '../contracts/runRecord';
import { createRng } from '../stats/rng';
import { auc, rocBootstrap, rocCurve } from '../stats/roc';

const BOOTSTRAP_DRAWS = 1_000;

/** How well p tells changes that should matter from those that should not; nothing where a class has no p-value. */
export function rocOf(
  perturbations: Perturbation[],
  comparisons: Comparison[],
  seed: number,
): Pick<RunRecord, 'roc'> {
  const tested = comparisons.flatMap(({ perturbationId, p }) => {
    const perturbation = perturbations.find(({ id }) => id === perturbationId);
    return p === null || perturbation === undefined
      ? []
      : [{ label: perturbation.expectation === 'meaningful' ? 1 : 0, score: 1 - p }];
  });
  const labels = tested.map(({ label }) => label);
  const scores = tested.map(({ score }) => score);
  const meaningful = labels.filter((label) => label === 1).length;
  const irrelevant = labels.length - meaningful;
  if (meaningful === 0 || irrelevant === 0) return {};
  const { fpr, tpr, thresholds } = rocCurve(labels, scores);
  const { percentile } = rocBootstrap(labels, scores, auc, {
    draws: BOOTSTRAP_DRAWS,
    rng: createRng(seed, 'roc'),
  });
  return {
    roc: {
      fpr,
      tpr,
      thresholds: thresholds.map((score) => (Number.isFinite(score) ? 1 - score : null)),
      auc: auc(labels, scores),
      interval: percentile,
      irrelevant,
      meaningful,
    },
  };
}
