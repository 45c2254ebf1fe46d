import type { MemberResult, Effect } from '../contracts/runRecord';

/** Outputs of two conditions, pooled: rows 0 … n0−1 are the baseline, n0 … n0+n1−1 the perturbed condition. */
export interface DifferenceTestInput {
  n0: number;
  n1: number;
  /** One entry per embedder; `vectors` is (n0+n1) × dim, row-major, unit rows. */
  embeddings: { embedder: string; dim: number; vectors: Float32Array | Float64Array }[];
  /** Extracted answers, pooled like the rows; adds the `label` member. */
  labels?: string[];
  /** Output texts, pooled like the rows; adds the `string` member. */
  strings?: string[];
  /** Monte Carlo permutations B; all splits are enumerated instead where C(n0+n1, n0) ≤ B+1. */
  permutations: number;
  bins: number;
  bootstrapDraws: number;
  /** Level of the interval of the effect, e.g. 0.95. */
  confidence: number;
  seed: number;
}

export interface DifferenceTestResult {
  /** `identical`: every output of both arms equal. `deterministic`: each arm constant, arms differ; no p claimed. */
  state: 'tested' | 'identical' | 'deterministic' | 'tooFew';
  p: number | null;
  statistic: number | null;
  pFloor: number | null;
  exact: boolean;
  /** Splits used, the identity not counted under Monte Carlo, counted under enumeration. */
  permutations: number;
  members: MemberResult[];
  effect: Effect | null;
  histogram: { edges: number[]; p0: number[]; p1: number[] } | null;
  nullHistogram: { edges: number[]; counts: number[]; observed: number } | null;
}
