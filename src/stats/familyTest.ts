/**
 * One set of permutations for a whole family of statistics: raw p per member, the omnibus maxT p, step-down p.
 *
 * Memory does not grow with B: means and deviations are summed as the rows go by; the first 16,384 rows are kept (about
 * 1 MB for one embedder) and later rows are computed again from their seeds when they are standardised. So B = 9,999
 * costs one evaluation per split, and B beyond the buffer at most two.
 */
import { evenEdges } from './jsd';
import type { PairKernel } from './pairKernel';
import { prepareFamily, type Member } from './permutationEngine';
import type { Splits } from './splits';
import { createStepDown, STANDARDISED_TIE_TOLERANCE, tieLimit } from './westfallYoung';

export interface FamilyResult {
  /** Rows used, the observed one included. */
  rows: number;
  exact: boolean;
  /** Per member, in the order given. */
  observed: Float64Array;
  /** Mean and population standard deviation over all rows, the observed one included. */
  mean: Float64Array;
  sd: Float64Array;
  /** (observed − mean) / sd; 0 for a constant member. */
  z: Float64Array;
  /** A constant member says nothing and takes no part in the omnibus. */
  constant: boolean[];
  /** Share of rows that reach the observed value, the observed row included: (1 + count)/(1 + B), or count/M. */
  p: Float64Array;
  /** Null where every member is constant. */
  omnibus: OmnibusResult | null;
  /** Means over all rows of the members in `extra`, and their observed values. */
  extra: { observed: number; mean: number }[];
}

export interface OmnibusResult {
  /** The largest z of the observed row. */
  statistic: number;
  /** Rows whose largest z reaches it, the observed row included. */
  count: number;
  p: number;
  /** Per member; 1 for a constant one. */
  adjustedP: number[];
  singleStepP: number[];
  /** Distribution of the largest z over all rows. */
  histogram: { edges: number[]; counts: number[]; observed: number };
}

interface FamilyTestInput {
  members: readonly Member[];
  /** Statistics of which only the mean is wanted; they take no part in the test. */
  extra?: readonly Member[];
  splits: Splits;
  kernel?: PairKernel;
  /** Called every few milliseconds with the share done; may throw to stop. */
  checkpoint?: (share: number) => void;
}

const BUFFER_ROWS = 16_384;
const HISTOGRAM_BINS = 40;

/**
 * Null hypothesis: the outputs of both arms come from one distribution. Assumes exchangeable outputs; then the level is
 * exact for any family and any sample size, and no p is below 1 / rows.
 * Cost rows × min(n0, n1)² / 2 pairs. Source: maxT (Westfall & Young 1993), omnibus over standardised statistics [ours].
 * @throws RangeError for an empty family or a member of another size.
 */
export function testFamily({
  members,
  extra = [],
  splits,
  kernel,
  checkpoint,
}: FamilyTestInput): FamilyResult {
  const all = [...members, ...extra];
  const width = all.length;
  const family = members.length;
  const rows = splits.rows;
  const statistics = prepareFamily(all, splits, kernel);
  const buffered = Math.min(rows, BUFFER_ROWS);
  const buffer = new Float64Array(buffered * width);
  const chunkRows = rowsPerChunk(splits);
  const scratch = new Float64Array(rows > buffered ? chunkRows * width : 0);
  const work = 2 * rows - buffered;

  /** Visits rows `from` … `to` in chunks: (values, first offset, number of rows). */
  const visit = (
    from: number,
    to: number,
    replay: boolean,
    each: (values: Float64Array, at: number, count: number) => void,
  ) => {
    for (let row = from; row < to;) {
      const kept = row < buffered;
      const count = Math.min(chunkRows, (kept ? buffered : to) - row, to - row);
      const target = kept ? buffer.subarray(row * width, (row + count) * width) : scratch;
      if (!(kept && replay)) statistics(row, row + count, target);
      each(target, 0, count);
      row += count;
      if (!(kept && replay)) checkpoint?.((replay ? rows + row - buffered : row) / work);
    }
  };

  const observed = new Float64Array(width);
  const sums = new Float64Array(width);
  const squares = new Float64Array(width);
  const reached = new Float64Array(width);
  const limits = new Float64Array(width);
  statistics(0, 1, observed);
  for (let f = 0; f < width; f++) limits[f] = tieLimit(observed[f]!);
  visit(0, rows, false, (values, start, count) => {
    accumulate(values, start, count, width, observed, limits, sums, squares, reached);
  });

  const mean = observed.map((value, f) => value + sums[f]! / rows);
  const sd = squares.map((square, f) => Math.sqrt(Math.max(0, square / rows - (sums[f]! / rows) ** 2)));
  const constant = all.map((member, f) => sd[f]! <= 1e-12 * Math.max(scaleOf(member), Math.abs(mean[f]!)));
  const result: FamilyResult = {
    rows,
    exact: splits.exact,
    observed: observed.slice(0, family),
    mean: mean.slice(0, family),
    sd: sd.slice(0, family),
    z: observed.slice(0, family).map((value, f) => (constant[f] ? 0 : (value - mean[f]!) / sd[f]!)),
    constant: constant.slice(0, family),
    p: reached.slice(0, family).map((count) => count / rows),
    omnibus: null,
    extra: extra.map((_, i) => ({ observed: observed[family + i]!, mean: mean[family + i]! })),
  };
  const columns = [...members.keys()].filter((f) => !constant[f]);
  if (columns.length > 0) result.omnibus = omnibus();
  return result;

  function omnibus(): OmnibusResult {
    const stepDown = createStepDown(result.z, columns, STANDARDISED_TIE_TOLERANCE);
    const z = new Float64Array(family);
    const largestOf = (values: Float64Array, at: number) => {
      for (const f of columns) z[f] = (values[at + f]! - mean[f]!) / sd[f]!;
      return stepDown.add(z, 0);
    };
    const maxima = new Float64Array(buffered);
    let row = 0;
    visit(0, buffered, true, (values, _start, count) => {
      for (let r = 0; r < count; r++) maxima[row++] = largestOf(values, r * width);
    });
    const histogram = createHistogram(maxima);
    visit(buffered, rows, true, (values, _start, count) => {
      for (let r = 0; r < count; r++) histogram.add(largestOf(values, r * width));
    });
    return {
      statistic: maxima[0]!,
      count: stepDown.omnibusCount(),
      p: stepDown.omnibusCount() / rows,
      adjustedP: stepDown.adjusted(),
      singleStepP: stepDown.singleStep(),
      histogram: { edges: histogram.edges, counts: histogram.counts, observed: maxima[0]! },
    };
  }
}

/** Sums of deviations from the observed value: no cancellation, whatever the size of the statistic. */
function accumulate(
  values: Float64Array,
  start: number,
  count: number,
  width: number,
  observed: Float64Array,
  limits: Float64Array,
  sums: Float64Array,
  squares: Float64Array,
  reached: Float64Array,
): void {
  for (let f = 0; f < width; f++) {
    const reference = observed[f]!;
    const limit = limits[f]!;
    let sum = 0;
    let square = 0;
    let reaching = 0;
    for (let r = 0, at = start + f; r < count; r++, at += width) {
      const value = values[at]!;
      const deviation = value - reference;
      sum += deviation;
      square += deviation * deviation;
      if (value >= limit) reaching++;
    }
    sums[f]! += sum;
    squares[f]! += square;
    reached[f]! += reaching;
  }
}

/** Equal-width bins over the values given; later values outside go to the end bins. */
function createHistogram(values: Float64Array) {
  const low = values.reduce((least, value) => Math.min(least, value), Infinity);
  const high = values.reduce((most, value) => Math.max(most, value), -Infinity);
  const edges = Array.from(evenEdges(low, Math.max(high, low + 1e-9), HISTOGRAM_BINS));
  const counts = new Array<number>(HISTOGRAM_BINS).fill(0);
  const scale = HISTOGRAM_BINS / (edges[HISTOGRAM_BINS]! - low);
  const add = (value: number) => {
    counts[Math.max(0, Math.min(HISTOGRAM_BINS - 1, Math.floor((value - low) * scale)))]!++;
  };
  values.forEach(add);
  return { edges, counts, add };
}

/** A few milliseconds of work between two checkpoints. */
function rowsPerChunk({ n0, n1 }: Splits): number {
  return Math.max(1, Math.min(512, Math.floor(4e6 / Math.min(n0, n1) ** 2)));
}

/** Size of the numbers that a statistic is made of: its deviations below 1e-12 of that are rounding. */
function scaleOf(member: Member): number {
  if (member.kind === 'jsd' || member.kind === 'label' || member.kind === 'inhomogeneity') return 1;
  return member.matrix.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}
