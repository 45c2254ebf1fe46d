import type { Interval } from '../contracts/runRecord';
import { requireInteger, requireOpenUnit } from './argumentChecks';
import { normalCdf, normalQuantile } from './normal';
import { quantileOfSorted } from './quantile';
import type { Rng } from './rng';

export interface BootstrapResult {
  /** The statistic on the data; null where it is not defined, and then everything else is null as well. */
  estimate: number | null;
  /** Standard deviation (n − 1) of the draws. */
  standardError: number | null;
  /** Normal quantile of the share of draws below the estimate, ties counted half. Null where that share is 0 or 1. */
  z0: number | null;
  percentile: Interval | null;
  basic: Interval | null;
  /** BCa with acceleration 0: the interval of the headline effect. */
  biasCorrected: Interval | null;
  bca: Interval | null;
  /** Draws on which the statistic was not defined; they are left out. */
  undefinedDraws: number;
}

export interface BootstrapInput {
  /** Number of independent units (samples, questions) that are resampled. */
  units: number;
  /** The statistic of a multiset of units, given as indices 0 … units−1; null where it is not defined. */
  statistic: (indices: ArrayLike<number>) => number | null;
  /** One list of unit indices per draw; see `resampleIndices`. */
  resamples: Iterable<ArrayLike<number>>;
  confidence?: number;
}

/**
 * `draws` lists of `units` indices each, drawn with replacement. @throws RangeError if a size is not an integer ≥ 1.
 * Cost: units × draws.
 */
export function* resampleIndices(units: number, draws: number, rng: Rng): Generator<Int32Array> {
  requireInteger('units', units, 1);
  requireInteger('draws', draws, 1);
  for (let draw = 0; draw < draws; draw++) yield Int32Array.from({ length: units }, () => rng.below(units));
}

/**
 * Bootstrap intervals of any statistic of independent, identically distributed units (Efron and Tibshirani 1993,
 * ch. 13–14). Percentiles are type 7. All intervals are approximate: below about 10 units they are too short.
 * Intervals are null where fewer than half of the draws define the statistic, the bias-corrected ones also where all
 * draws lie on one side of the estimate, and BCa where the jackknife does not move.
 * Cost: draws + units evaluations of the statistic.
 * @throws RangeError if units is not an integer ≥ 1 or confidence is not inside (0, 1).
 */
export function bootstrap({
  units,
  statistic,
  resamples,
  confidence = 0.95,
}: BootstrapInput): BootstrapResult {
  requireInteger('units', units, 1);
  requireOpenUnit('confidence', confidence);
  const all = Int32Array.from({ length: units }, (_, i) => i);
  const estimate = statistic(all);
  const draws: number[] = [];
  let total = 0;
  for (const indices of resamples) {
    total++;
    const value = statistic(indices);
    if (value !== null) draws.push(value);
  }
  const undefinedDraws = total - draws.length;
  const nothing = { standardError: null, z0: null, percentile: null, basic: null };
  if (estimate === null || draws.length < 2 || undefinedDraws > total / 2) {
    return { ...nothing, estimate, biasCorrected: null, bca: null, undefinedDraws };
  }
  const sorted = Float64Array.from(draws).sort();
  const tail = (1 - confidence) / 2;
  const between = (low: number, high: number): Interval => ({
    low: quantileOfSorted(sorted, low),
    high: quantileOfSorted(sorted, high),
    level: confidence,
  });
  const percentile = between(tail, 1 - tail);
  const z0 = biasZ(sorted, estimate);
  const acceleration = jackknifeAcceleration(all, statistic);
  const corrected = (a: number | null): Interval | null => {
    if (z0 === null || a === null) return null;
    const share = (z: number) => normalCdf(z0 + (z0 + z) / (1 - a * (z0 + z)));
    return between(share(normalQuantile(tail)), share(-normalQuantile(tail)));
  };
  return {
    estimate,
    standardError: standardDeviation(sorted),
    z0,
    percentile,
    basic: {
      low: 2 * estimate - percentile.high,
      high: 2 * estimate - percentile.low,
      level: confidence,
    },
    biasCorrected: corrected(0),
    bca: corrected(acceleration),
    undefinedDraws,
  };
}

export interface ClusterBootstrapInput {
  /** The cluster of each item, e.g. the question that a perturbation belongs to. */
  clusters: readonly (string | number)[];
  /** The statistic of a multiset of items, given as indices into `clusters`. */
  statistic: (indices: ArrayLike<number>) => number | null;
  draws: number;
  rng: Rng;
  confidence?: number;
}

/**
 * Bootstrap over whole clusters: items of one cluster may depend on each other, clusters may not.
 * Needs some 20 clusters before its intervals can be trusted. Costs and errors as `bootstrap`.
 */
export function clusterBootstrap(input: ClusterBootstrapInput): BootstrapResult {
  const members = new Map<string | number, number[]>();
  input.clusters.forEach((cluster, item) => {
    const list = members.get(cluster);
    if (list) list.push(item);
    else members.set(cluster, [item]);
  });
  const groups = [...members.values()];
  if (groups.length === 0) throw new RangeError('clusters must not be empty');
  const itemsOf = (indices: ArrayLike<number>) => Array.from(indices).flatMap((index) => groups[index]!);
  return bootstrap({
    units: groups.length,
    statistic: (indices) => input.statistic(itemsOf(indices)),
    resamples: resampleIndices(groups.length, input.draws, input.rng),
    ...(input.confidence === undefined ? {} : { confidence: input.confidence }),
  });
}

function biasZ(sorted: Float64Array, estimate: number): number | null {
  let below = 0;
  let atMost = 0;
  for (const value of sorted) {
    if (value < estimate) below++;
    if (value <= estimate) atMost++;
  }
  const share = (below + atMost) / 2 / sorted.length;
  return share > 0 && share < 1 ? normalQuantile(share) : null;
}

/** Σu³/(6(Σu²)^1.5) over the leave-one-out deviations; null where they are all 0. */
function jackknifeAcceleration(
  all: Int32Array,
  statistic: (indices: ArrayLike<number>) => number | null,
): number | null {
  if (all.length < 2) return null;
  const values: number[] = [];
  for (let left = 0; left < all.length; left++) {
    const value = statistic(all.filter((index) => index !== left));
    if (value === null) return null;
    values.push(value);
  }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let squares = 0;
  let cubes = 0;
  for (const value of values) {
    const u = mean - value;
    squares += u * u;
    cubes += u * u * u;
  }
  return squares === 0 ? null : cubes / (6 * squares ** 1.5);
}

function standardDeviation(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}
