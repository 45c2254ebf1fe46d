import {
  requireFinite,
  requireInteger,
  requireOpenUnit,
  requireSameLength,
  requireWithin,
} from './argumentChecks';
import { guardedCeil } from './quantile';

/**
 * The composite null by conformal p-values (methods of this library; no published source): the test query and m harmless
 * rewordings are exchangeable under H0 "the test query is one more rewording". Each query gets a score of how far it lies
 * from the others, computed the same way for all; p = (1 + #{null scores ≥ test score})/(m + 1). Exact for every shape of
 * null and every sample size; its floor is 1/(m + 1), so alpha = .05 needs m ≥ 19.
 */

/** Scores closer than this count as ties; ties count against rejection. */
const TIE = 1e-9;

/** `atypical`: far from the middle of the others. `unlikeAny`: far from every one of them. They differ between clusters. */
export type Reading = 'atypical' | 'unlikeAny';

export interface ConformalP {
  /** Null scores at or above the test score. */
  countGe: number;
  p: number;
}
export interface ScoredP extends ConformalP {
  /** Of the m null queries. */
  scores: number[];
  testScore: number;
}

/**
 * Conformal p-value of a test score among exchangeable null scores; larger = stranger.
 * H0: the test score is exchangeable with the m null scores. Cost: m.
 * @throws RangeError if there is no null score or a score is not finite.
 */
export function conformalP(scores: ArrayLike<number>, testScore: number): ConformalP {
  if (scores.length === 0) throw new RangeError('scores must not be empty');
  requireFinite('scores', scores);
  requireFinite('testScore', [testScore]);
  let countGe = 0;
  for (let i = 0; i < scores.length; i++) if (scores[i]! >= testScore - TIE) countGe++;
  return { countGe, p: (1 + countGe) / (scores.length + 1) };
}

/**
 * The fewest null queries with which a conformal p can reach alpha: 1/(m+1) ≤ alpha. RangeError on alpha outside
 * (0,1). Cost: constant.
 */
export function fewestRewordings(alpha: number): number {
  requireOpenUnit('alpha', alpha);
  return Math.max(1, guardedCeil(1 / alpha) - 1);
}

/** What a test of level alpha gets from a p-value: `undecided` where m rewordings could never reject. */
export type ConformalDecision =
  | { state: 'tested'; p: number; reject: boolean }
  | {
      state: 'undecided';
      reason: 'tooFewRewordings';
      m: number;
      fewestRewordings: number;
      explanation: string;
    };

/**
 * Reject at p ≤ alpha, or `undecided` where m is too small for alpha. RangeError on alpha outside (0, 1). Cost:
 * constant.
 */
export function decideConformal(result: ScoredP, alpha: number): ConformalDecision {
  const needed = fewestRewordings(alpha);
  const m = result.scores.length;
  if (m < needed) {
    return {
      state: 'undecided',
      reason: 'tooFewRewordings',
      m,
      fewestRewordings: needed,
      explanation: `With ${m} rewordings the p-value cannot fall below ${(1 / (m + 1)).toPrecision(2)}; a decision at ${alpha} needs at least ${needed}.`,
    };
  }
  return { state: 'tested', p: result.p, reject: result.p <= alpha + 1e-12 };
}

/**
 * Yes/no answers: |p̂_j − median of the others| (`atypical`) or the distance to the nearest other (`unlikeAny`).
 * `responses` r for every query, or one number per null query followed by the test query's. Unequal r breaks exact
 * exchangeability a little. Cost: one sort.
 * @throws RangeError on counts that are not integers in 0 … r.
 */
export function conformalBinary(
  input: { nullCounts: readonly number[]; testCount: number; responses: number | readonly number[] },
  reading: Reading = 'atypical',
): ScoredP {
  const counts = [...input.nullCounts, input.testCount];
  const { responses } = input;
  const sizes = typeof responses === 'number' ? counts.map(() => responses) : responses;
  requireSameLength('counts', counts, 'responses', sizes);
  const rates = counts.map((count, j) => {
    requireInteger(`responses[${j}]`, sizes[j]!, 1);
    requireInteger(j === counts.length - 1 ? 'testCount' : `nullCounts[${j}]`, count, 0, sizes[j]!);
    return count / sizes[j]!;
  });
  return scored(rateScores(rates, reading));
}

/**
 * Leave-one-out scores of rates; the last one belongs to the test query. Cost: one sort. @throws RangeError with fewer
 * than two.
 */
export function rateScores(rates: readonly number[], reading: Reading): number[] {
  const n = rates.length;
  if (n < 2) throw new RangeError('nullCounts must not be empty');
  const order = rates.map((_, j) => j).sort((i, j) => rates[i]! - rates[j]!);
  const at = (position: number) => rates[order[position]!]!;
  const scores = new Array<number>(n);
  order.forEach((query, position) => {
    const rate = rates[query]!;
    if (reading === 'unlikeAny') {
      const below = position > 0 ? rate - at(position - 1) : Infinity;
      const above = position < n - 1 ? at(position + 1) - rate : Infinity;
      scores[query] = Math.min(below, above);
      return;
    }
    // The others, sorted, are all positions but this one.
    const other = (index: number) => at(index < position ? index : index + 1);
    const middle = (other(Math.floor((n - 2) / 2)) + other(Math.ceil((n - 2) / 2))) / 2;
    scores[query] = Math.abs(rate - middle);
  });
  return scores;
}

/**
 * Answers of several categories: `counts[query][category]`. Total variation between a query's answers and the pooled
 * answers of the others (`atypical`), or the nearest other's (`unlikeAny`). Cost: m·categories (m² for `unlikeAny`).
 * @throws RangeError on ragged, negative or all-zero counts.
 */
export function conformalCategorical(
  input: { nullCounts: readonly (readonly number[])[]; testCounts: readonly number[] },
  reading: Reading = 'atypical',
): ScoredP {
  const rows = [...input.nullCounts, input.testCounts];
  rows.forEach((row, j) => {
    requireSameLength('testCounts', input.testCounts, `nullCounts[${j}]`, row);
    row.forEach((count, c) => requireInteger(`counts[${j}][${c}]`, count, 0));
    if (row.every((count) => count === 0)) throw new RangeError(`counts[${j}] must hold at least one answer`);
  });
  return scored(variationScores(rows, reading));
}

/**
 * Exact mode: each query's answer distribution is known from the probabilities of its first token, one call per query and
 * no sampling noise. `probabilities[query][option]`; what falls outside the options is an outcome of its own (column
 * added here). Scores as `conformalCategorical`.
 * Cost as `conformalCategorical`.
 * @returns also the largest share that fell outside the options, which the report shows.
 * @throws RangeError on ragged rows, probabilities outside [0, 1] or rows that add up to more than 1.
 */
export function conformalExact(
  input: { nullProbabilities: readonly (readonly number[])[]; testProbabilities: readonly number[] },
  reading: Reading = 'atypical',
): ScoredP & { largestOutside: number } {
  const rows = [...input.nullProbabilities, input.testProbabilities].map((row, j) => {
    requireSameLength('testProbabilities', input.testProbabilities, `nullProbabilities[${j}]`, row);
    row.forEach((p, c) => requireWithin(`probabilities[${j}][${c}]`, p, 0, 1));
    const sum = row.reduce((total, p) => total + p, 0);
    if (sum > 1 + 1e-6)
      throw new RangeError(`probabilities[${j}] must add up to at most 1, they add up to ${sum}`);
    return [...row, Math.max(0, 1 - sum)];
  });
  const largestOutside = Math.max(...rows.map((row) => row[row.length - 1]!));
  return { ...scored(variationScores(rows, reading)), largestOutside };
}

function variationScores(rows: readonly (readonly number[])[], reading: Reading): number[] {
  if (rows.length < 2) throw new RangeError('nullCounts must not be empty');
  const shares = rows.map(normalised);
  const totals = rows[0]!.map((_, c) => rows.reduce((sum, row) => sum + row[c]!, 0));
  return rows.map((row, j) =>
    reading === 'atypical'
      ? totalVariation(shares[j]!, normalised(totals.map((total, c) => total - row[c]!)))
      : Math.min(...shares.flatMap((other, i) => (i === j ? [] : [totalVariation(shares[j]!, other)]))),
  );
}

function normalised(row: readonly number[]): number[] {
  const sum = row.reduce((total, value) => total + value, 0);
  return row.map((value) => value / sum);
}

const totalVariation = (p: readonly number[], q: readonly number[]) =>
  0.5 * p.reduce((sum, value, c) => sum + Math.abs(value - q[c]!), 0);

/**
 * Free text: per embedder, the energy distance (V-statistic, Euclidean on unit vectors) between a query's outputs and the
 * pooled outputs of the others (`atypical`) or the nearest other's (`unlikeAny`); embedders are combined by the largest
 * of a query's ranks.
 * @param embeddings per embedder: `vectors`, row-major unit rows of dimension `dim`, grouped by query in the order of
 *   `outputs`, the test query last.
 * @param outputs number of outputs of each query, the test query last.
 * Cost: (Σ outputs)²·dim per embedder.
 * @throws RangeError if sizes do not fit, fewer than two queries are given, or a vector is not finite.
 */
export function conformalFreeText(
  input: {
    embeddings: readonly { dim: number; vectors: Float32Array | Float64Array }[];
    outputs: readonly number[];
  },
  reading: Reading = 'atypical',
): ScoredP {
  const { embeddings, outputs } = input;
  if (embeddings.length === 0) throw new RangeError('embeddings must not be empty');
  if (outputs.length < 2)
    throw new RangeError('outputs must name at least one null query and the test query');
  outputs.forEach((size, j) => requireInteger(`outputs[${j}]`, size, 1));
  const total = outputs.reduce((sum, size) => sum + size, 0);
  const perEmbedder = embeddings.map(({ dim, vectors }, e) => {
    requireInteger(`embeddings[${e}].dim`, dim, 1);
    if (vectors.length !== total * dim) {
      throw new RangeError(
        `embeddings[${e}].vectors must hold ${total} × ${dim} numbers, got ${vectors.length}`,
      );
    }
    requireFinite(`embeddings[${e}].vectors`, vectors);
    return energyScores(blockSums(vectors, dim, outputs), outputs, reading);
  });
  return scored(perEmbedder.length === 1 ? perEmbedder[0]! : combineByLargestRank(perEmbedder));
}

/** sums[i][j]: total distance between the outputs of queries i and j. */
function blockSums(vectors: ArrayLike<number>, dim: number, outputs: readonly number[]): number[][] {
  const owner = outputs.flatMap((size, query) => new Array<number>(size).fill(query));
  const sums = outputs.map(() => new Array<number>(outputs.length).fill(0));
  for (let u = 0; u < owner.length; u++) {
    for (let v = 0; v < u; v++) {
      let square = 0;
      for (let d = 0; d < dim; d++) square += (vectors[u * dim + d]! - vectors[v * dim + d]!) ** 2;
      const distance = Math.sqrt(square);
      sums[owner[u]!]![owner[v]!]! += distance;
      sums[owner[v]!]![owner[u]!]! += distance;
    }
  }
  return sums;
}

function energyScores(sums: number[][], outputs: readonly number[], reading: Reading): number[] {
  const rowTotals = sums.map((row) => row.reduce((sum, value) => sum + value, 0));
  const all = rowTotals.reduce((sum, value) => sum + value, 0);
  const count = outputs.reduce((sum, size) => sum + size, 0);
  return outputs.map((size, j) => {
    const within = sums[j]![j]!;
    if (reading === 'unlikeAny') {
      return Math.min(
        ...outputs.flatMap((other, i) =>
          i === j
            ? []
            : [(2 * sums[j]![i]!) / (size * other) - within / size ** 2 - sums[i]![i]! / other ** 2],
        ),
      );
    }
    const others = count - size;
    const between = rowTotals[j]! - within;
    const amongOthers = all - 2 * rowTotals[j]! + within;
    return (2 * between) / (size * others) - within / size ** 2 - amongOthers / others ** 2;
  });
}

/**
 * Several scores per query into one: the largest of its ranks (larger score, larger rank; ties get the larger rank).
 * Symmetric in the queries, so the conformal p of the result is as exact as that of one score.
 * @param scores scores[measure][query].
 * Cost: measures × queries². @throws RangeError without a measure.
 */
export function combineByLargestRank(scores: readonly (readonly number[])[]): number[] {
  const first = scores[0];
  if (first === undefined) throw new RangeError('scores must not be empty');
  return first.map((_, query) =>
    Math.max(...scores.map((row) => row.filter((score) => score <= row[query]! + TIE).length)),
  );
}

function scored(all: number[]): ScoredP {
  const scores = all.slice(0, -1);
  const testScore = all[all.length - 1]!;
  return { ...conformalP(scores, testScore), scores, testScore };
}
