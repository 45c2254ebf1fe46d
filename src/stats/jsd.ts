/** Jensen–Shannon distance between histograms on shared edges: the published DBPA statistic (arXiv 2506.07947). */
import { requireInteger } from './argumentChecks';

/**
 * `bins + 1` evenly spaced edges from `low` to `high`, rounded as numpy.linspace does.
 * Cost: bins.
 * @throws RangeError for bins outside 1 … 256 or bounds that are not finite.
 */
export function evenEdges(low: number, high: number, bins: number): Float64Array {
  requireInteger('bins', bins, 1, 256);
  if (!Number.isFinite(low) || !Number.isFinite(high))
    throw new RangeError(`edges must be finite, got ${low} and ${high}`);
  const edges = new Float64Array(bins + 1);
  const step = (high - low) / bins;
  for (let i = 0; i < bins; i++) edges[i] = i * step + low;
  edges[bins] = high;
  return edges;
}

/**
 * Index of the bin that holds `value`, by comparing with the edges themselves: bins are half-open [e_i, e_{i+1}), the
 * last one is closed (numpy.histogram). −1 outside the edges. Cost log2(bins).
 */
export function binOf(value: number, edges: ArrayLike<number>): number {
  const bins = edges.length - 1;
  if (!(value >= edges[0]! && value <= edges[bins]!)) return -1;
  let low = 0;
  let high = bins;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (value >= edges[middle]!) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * How many values fall into each bin (numpy.histogram with explicit edges); values outside are not counted. Cost:
 * values × log2(bins).
 */
export function countInBins(values: ArrayLike<number>, edges: ArrayLike<number>): number[] {
  const counts = new Array<number>(edges.length - 1).fill(0);
  for (let i = 0; i < values.length; i++) {
    const bin = binOf(values[i]!, edges);
    if (bin >= 0) counts[bin]!++;
  }
  return counts;
}

/**
 * Jensen–Shannon divergence of two count vectors, in nats: 0 … ln 2. Counts are normalised; proportional counts give
 * exactly 0. Checked against scipy.spatial.distance.jensenshannon.
 * Cost: bins.
 * @throws RangeError for different lengths, negative or non-finite counts, or an empty histogram.
 */
export function jsDivergence(counts0: ArrayLike<number>, counts1: ArrayLike<number>): number {
  if (counts0.length !== counts1.length)
    throw new RangeError(`counts0 and counts1 differ in length: ${counts0.length} and ${counts1.length}`);
  const total0 = total(counts0, 'counts0');
  const total1 = total(counts1, 'counts1');
  let sum = 0;
  for (let i = 0; i < counts0.length; i++) {
    const p = counts0[i]! / total0;
    const q = counts1[i]! / total1;
    if (p === q) continue;
    // With x = (p−q)/(p+q) the term is m·((1+x)ln(1+x) + (1−x)ln(1−x)): no cancellation of large logarithms.
    const middle = (p + q) / 2;
    const x = (p - q) / (p + q);
    sum += middle * (entropyTerm(x) + entropyTerm(-x));
  }
  return Math.min(Math.LN2, Math.max(0, sum / 2));
}

/**
 * Jensen–Shannon distance: the square root of the divergence, 0 … sqrt(ln 2) = 0.8326. See `jsDivergence`. Cost and
 * errors as there.
 */
export function jsDistance(counts0: ArrayLike<number>, counts1: ArrayLike<number>): number {
  return Math.sqrt(jsDivergence(counts0, counts1));
}

/** The shared edges and the bin of every pair of pooled outputs, fixed once for all permutations. */
export interface BinnedPairs {
  edges: Float64Array;
  /** Full n × n; the diagonal is not used. */
  bins: Uint8Array;
  binCount: number;
  /** All similarities equal: the statistic is 0 whatever the split. */
  constant: boolean;
}

/**
 * Bins every off-diagonal similarity on `binCount` equal-width bins from the smallest to the largest of them, so that
 * the statistic is the same function for every permutation (separate edges would erase location shifts).
 * Cost: n²·log2(bins).
 * @param similarity full n × n, n at least 2.
 * @throws RangeError for bins outside 2 … 256 or a similarity that is not finite.
 */
export function binPairs(similarity: Float64Array, n: number, binCount: number): BinnedPairs {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const value = similarity[i * n + j]!;
      if (!Number.isFinite(value)) throw new RangeError(`similarity of rows ${i} and ${j} is ${value}`);
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  const edges = evenEdges(low, high, binCount);
  const bins = new Uint8Array(n * n);
  // Equal up to the rounding of a dot product counts as equal: bins would hold rounding noise.
  const constant = high - low <= 1e-13;
  if (!constant) {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        bins[i * n + j] = bins[j * n + i] = binOf(similarity[i * n + j]!, edges);
      }
    }
  }
  return { edges, bins, binCount, constant };
}

function total(counts: ArrayLike<number>, name: string): number {
  let sum = 0;
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i]!;
    if (!(count >= 0) || !Number.isFinite(count))
      throw new RangeError(`${name}[${i}] must be 0 or more, got ${count}`);
    sum += count;
  }
  if (sum === 0) throw new RangeError(`${name} is empty`);
  return sum;
}

const entropyTerm = (x: number) => (x <= -1 ? 0 : (1 + x) * Math.log1p(x));
