import type { MinimumDetectableEffect } from '../contracts/runRecord';
import { requireInteger, requireOpenUnit } from './argumentChecks';
import { LEAST_SAMPLES, type DifferenceTestInput, type TestHooks } from './differenceTest';
import { embedderFamily } from './discrepancyFamily';
import { testFamily } from './familyTest';
import { pairMatrices, unitRows, type PairMatrices } from './matrices';
import { createPairKernel } from './pairKernel';
import { createRng, mixSeed } from './rng';
import { publishedMember } from './publishedTest';
import { createSplits, randomSplits } from './splits';

export interface MinimumDetectableInput extends DifferenceTestInput {
  /** Comparisons of this check: the test is simulated at alpha / comparisons, the first step of Holm. */
  comparisons: number;
  alpha: number;
}

const POWER = 0.8;
/** Shares are searched in steps of 2.5%. */
const STEPS = 40;
/** About three seconds, in pairs of outputs times permutations. */
const WORK_BUDGET = 1.2e9;

/**
 * What this check could have found: the smallest share of answers of another kind in the perturbed arm that the omnibus
 * test finds with 80% power. Simulated from the observed baseline: the baseline arm is drawn from its outputs with
 * replacement, the perturbed arm likewise, but each of its answers is of another kind with the stated probability. An
 * answer of another kind is unrelated to the baseline's (cosine 0) and varies as much as they do. [ours]
 *
 * Assumes that the observed baseline stands for all answers of the prompt and that the family is that of the first
 * embedder (labels and texts left out), with arms of n0. Bisection over 40 shares with the same random numbers for
 * every share; 50 to 200 simulations each, so the power has a standard error of 3 to 6 points. Bounded cost, a few seconds.
 * @param input only its first n0 rows are used.
 * @returns null without an embedder, with fewer than 4 outputs or for `published-energy-l1`; `share` null where even a complete change is missed.
 * @throws RangeError for wrong arguments, and as `differenceTest`.
 */
export function minimumDetectable(
  input: MinimumDetectableInput,
  hooks: TestHooks = {},
): MinimumDetectableEffect | null {
  requireInteger('comparisons', input.comparisons, 1);
  requireOpenUnit('alpha', input.alpha);
  const first = input.embeddings[0];
  const k = input.n0;
  if (first === undefined || k < LEAST_SAMPLES) return null;
  const { statistic, bins } = input;
  // Simulated answers have distances, but no coordinates.
  if (statistic === 'published-energy-l1') return null;
  const membersOf = (arms: PairMatrices) =>
    statistic === undefined
      ? embedderFamily('simulated', arms, bins).members
      : [publishedMember(statistic, arms, bins, () => arms.distance)];
  const { dim, vectors } = first;
  const unit = unitRows(vectors.subarray(0, k * dim), k, dim, (row) => `response ${row + 1} of the baseline`);
  const observed = pairMatrices(unit, k, dim);
  const level = input.alpha / input.comparisons;
  // (B+1)·level is whole, so that the simulated test uses its level in full.
  const permutations = Math.min(input.permutations, Math.max(199, Math.ceil(4 / level) - 1));
  const evaluations = Math.ceil(Math.log2(STEPS)) + 1;
  const perSimulation = permutations * k * (k + 60) + 40 * k * k;
  const simulations = Math.max(50, Math.min(200, Math.floor(WORK_BUDGET / evaluations / perSimulation)));
  const kernel = hooks.kernel ?? createPairKernel();

  let evaluation = 0;
  const power = (share: number): number => {
    let found = 0;
    for (let simulation = 0; simulation < simulations; simulation++) {
      const seed = mixSeed(input.seed, `mde/${simulation}`);
      const members = membersOf(drawArms(observed, share, seed));
      const splits = (statistic === undefined ? createSplits : randomSplits)(k, k, permutations, seed);
      const { omnibus } = testFamily({ members, splits, kernel });
      if (omnibus !== null && omnibus.p <= level + 1e-12) found++;
      hooks.checkpoint?.(Math.min(1, (evaluation + simulation / simulations) / evaluations));
    }
    evaluation++;
    return found / simulations;
  };

  const result = { power: POWER, alpha: input.alpha, simulations };
  if (power(1) < POWER) return { ...result, share: null };
  let missed = 0;
  let enough = STEPS;
  while (enough - missed > 1) {
    const middle = (missed + enough) >> 1;
    if (power(middle / STEPS) >= POWER) enough = middle;
    else missed = middle;
  }
  return { ...result, share: enough / STEPS };
}

/** Pair matrices of two simulated arms of k answers; more answers are of another kind as the share grows, none fewer. */
function drawArms({ n: k, similarity, distance }: PairMatrices, share: number, seed: number): PairMatrices {
  const rng = createRng(seed, 'arms');
  const n = 2 * k;
  const source = new Int32Array(n);
  const other = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    source[i] = rng.below(k);
    const chance = rng.unit();
    other[i] = i >= k && chance < share ? 1 : 0;
  }
  const arms = { n, similarity: new Float64Array(n * n), distance: new Float64Array(n * n) };
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const at = source[i]! * k + source[j]!;
      const sameKind = other[i] === other[j];
      arms.similarity[i * n + j] = sameKind ? similarity[at]! : 0;
      arms.distance[i * n + j] = sameKind ? distance[at]! : Math.SQRT2;
    }
  }
  return arms;
}
