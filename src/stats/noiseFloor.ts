import type { NoiseFloor } from '../contracts/runRecord';
import { correctForChance, type DifferenceTestInput, type TestHooks } from './differenceTest';
import { pairMatrices, unitRows } from './matrices';
import { prepareFamily } from './permutationEngine';
import { quantiles } from './quantile';
import { createSplits } from './splits';

const MOST_DRAWS = 1999;

/**
 * How large the headline effect is where nothing was changed: the baseline is split into halves again and again, and
 * each split's H is corrected by the mean over the splits (their permutation mean) as the headline effect is. All splits
 * where there are at most 2,000 of them, else 2,000 random ones. With a second arm of the same prompt (n1 > 0, a real A/A
 * arm) both are pooled and split into arms of their own sizes instead, and nothing is scaled.
 *
 * Without a change H varies in proportion to 1/n0 + 1/n1, and halves hold k/2 outputs: the effects are scaled to two arms
 * of k, by ½ for an even k. Tests no hypothesis. Units: effect H, −1 … 1. Cost 2,000 × (k/2)² / 2 pairs.
 * @param input its first embedder; the rows of both arms, of which the second must be of the unchanged prompt too.
 * @returns null without an embedder or with fewer than 4 outputs. @throws RangeError as `differenceTest`.
 */
export function noiseFloor(input: DifferenceTestInput, hooks: TestHooks = {}): NoiseFloor | null {
  const first = input.embeddings[0];
  const repeated = input.n1 > 0;
  const k = input.n0 + input.n1;
  if (first === undefined || k < 4) return null;
  const { dim, vectors } = first;
  const unit = unitRows(vectors.subarray(0, k * dim), k, dim, (row) => `response ${row + 1} of the baseline`);
  const { distance } = pairMatrices(unit, k, dim);
  const half = repeated ? input.n0 : Math.floor(k / 2);
  const splits = createSplits(half, k - half, MOST_DRAWS, input.seed);
  const table = new Float64Array(splits.rows * 2);
  prepareFamily(
    [
      { id: 'energy', kind: 'energy', matrix: distance },
      { id: 'h', kind: 'inhomogeneity', matrix: distance },
    ],
    splits,
    hooks.kernel,
  )(0, splits.rows, table);
  const effects = Float64Array.from({ length: splits.rows }, (_, row) => table[2 * row + 1]!);
  const mean = effects.reduce((sum, effect) => sum + effect, 0) / effects.length;
  const scale = repeated ? 1 : 2 / k / (1 / half + 1 / (k - half));
  const [median, q95] = quantiles(
    effects.map((effect) => scale * correctForChance(effect, mean)),
    [0.5, 0.95],
  );
  return { source: repeated ? 'repeatArm' : 'halfSplits', median: median!, q95: q95!, draws: splits.rows };
}
