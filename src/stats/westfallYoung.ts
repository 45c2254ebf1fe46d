/**
 * Westfall–Young step-down maxT: adjusted p-values of a family from one set of permutations. Controls the family-wise
 * error rate and knows the dependence between members. Checked against R multtest mt.maxT.
 *
 * Null hypothesis of each member: its statistic comes from the permutation distribution. Assumes that the rows are
 * exchangeable with the observed one. Small samples: no p is below 1 / rows.
 */

interface StepDown {
  /** Counts one row (`values[at + column]`), the observed one included. Returns the largest value of the family. */
  add(values: ArrayLike<number>, at: number): number;
  /** One p per column, 1 where the column takes no part. */
  adjusted(): number[];
  /** maxT without stepping down: never below the step-down p. */
  singleStep(): number[];
  /** Rows whose largest value reaches the observed largest value. */
  omnibusCount(): number;
}

/** Two values this close (times max(1, |observed|)) count as tied; standardised statistics carry more rounding. */
const TIE_TOLERANCE = 1e-12;
export const STANDARDISED_TIE_TOLERANCE = 1e-10;

/** The least value that ties with `observed`. */
export function tieLimit(observed: number, tolerance = TIE_TOLERANCE): number {
  return observed - tolerance * Math.max(1, Math.abs(observed));
}

/**
 * Counts rows one at a time, so that no row has to be kept.
 * @param observed one value per column, large means evidence.
 * @param columns those that take part, at least one; the others get p = 1.
 * Cost of a row: columns. @throws RangeError without a column.
 */
export function createStepDown(
  observed: ArrayLike<number>,
  columns: readonly number[],
  tolerance = TIE_TOLERANCE,
): StepDown {
  if (columns.length === 0) throw new RangeError('columns is empty');
  const order = [...columns].sort((a, b) => observed[b]! - observed[a]! || a - b);
  const limits = Float64Array.from(order, (column) => tieLimit(observed[column]!, tolerance));
  const reached = new Float64Array(order.length);
  const reachedByMaximum = new Float64Array(order.length);
  let rows = 0;
  const perColumn = (pInOrder: (rank: number) => number) => {
    const p = new Array<number>(observed.length).fill(1);
    let running = 0;
    order.forEach((column, rank) => {
      running = Math.max(running, pInOrder(rank));
      p[column] = running;
    });
    return p;
  };
  return {
    add(values, at) {
      rows++;
      let largest = -Infinity;
      for (let rank = order.length - 1; rank >= 0; rank--) {
        const value = values[at + order[rank]!]!;
        if (value > largest) largest = value;
        if (largest >= limits[rank]!) reached[rank]!++;
      }
      for (let rank = 0; rank < order.length; rank++) {
        if (largest >= limits[rank]!) reachedByMaximum[rank]!++;
      }
      return largest;
    },
    adjusted: () => perColumn((rank) => reached[rank]! / rows),
    singleStep: () => perColumn((rank) => reachedByMaximum[rank]! / rows),
    omnibusCount: () => reached[0]!,
  };
}

interface MaxTResult {
  raw: number[];
  adjusted: number[];
  singleStep: number[];
}

/**
 * Raw, step-down and single-step p of a whole table of statistics.
 * @param statistics one row per split, row 0 observed; large means evidence. Every row of the same length.
 * @throws RangeError for an empty or ragged table or a value that is not a number. Cost rows × members.
 */
export function westfallYoung(
  statistics: readonly (readonly number[])[],
  tolerance = TIE_TOLERANCE,
): MaxTResult {
  const observed = statistics[0];
  if (observed === undefined || observed.length === 0) throw new RangeError('statistics is empty');
  const stepDown = createStepDown(observed, [...observed.keys()], tolerance);
  const limits = observed.map((value) => tieLimit(value, tolerance));
  const counts = new Array<number>(observed.length).fill(0);
  statistics.forEach((row, r) => {
    if (row.length !== observed.length)
      throw new RangeError(`statistics[${r}] has ${row.length} values, ${observed.length} were expected`);
    row.forEach((value, f) => {
      if (Number.isNaN(value)) throw new RangeError(`statistics[${r}][${f}] is NaN`);
      if (value >= limits[f]!) counts[f]!++;
    });
    stepDown.add(row, 0);
  });
  return {
    raw: counts.map((count) => count / statistics.length),
    adjusted: stepDown.adjusted(),
    singleStep: stepDown.singleStep(),
  };
}
