import type { Interval } from '../contracts/runRecord';
import { requireFinite, requireInteger, requireSameLength } from './argumentChecks';
import { bootstrap, resampleIndices, type BootstrapResult } from './bootstrap';
import { twoSidedZ } from './proportions';
import type { Rng } from './rng';

export type KappaWeights = 'unweighted' | 'linear' | 'quadratic';

/** Below this many items rated by both, kappa is not shown. */
const FEWEST_ITEMS_FOR_KAPPA = 10;

/** counts[i][j]: items that the first rater put at scale[i] and the second at scale[j]. */
export type AgreementTable = number[][];

/**
 * The table of two raters over the whole `scale`, unused levels included.
 * Cost: items × levels.
 * @throws RangeError if the ratings differ in length, are empty, or hold a value that is not on the scale.
 */
export function agreementTable<T>(a: readonly T[], b: readonly T[], scale: readonly T[]): AgreementTable {
  requireSameLength('a', a, 'b', b);
  if (a.length === 0) throw new RangeError('a must not be empty');
  if (scale.length < 2 || new Set(scale).size < scale.length) {
    throw new RangeError('scale must hold at least two different levels');
  }
  const level = (name: string, value: T) => {
    const index = scale.indexOf(value);
    if (index < 0) throw new RangeError(`${name} holds ${String(value)}, which is not on the scale`);
    return index;
  };
  const table = scale.map(() => scale.map(() => 0));
  a.forEach((value, item) => {
    table[level('a', value)]![level('b', b[item]!)]!++;
  });
  return table;
}

/** Share of items on which the raters agree. The table holds at least one item. Cost: levels². */
export function observedAgreement(table: AgreementTable): number {
  let agreed = 0;
  let all = 0;
  table.forEach((row, i) => {
    agreed += row[i]!;
    for (const count of row) all += count;
  });
  return agreed / all;
}

/**
 * Cohen's kappa, weighted by the distance of positions on the whole scale: an unused level must not change the weights.
 * Null where chance alone leaves no disagreement (0/0): `not defined`.
 * Assumes independent items. Cost: levels². @throws RangeError on an empty table or a count that is not finite.
 * Source: Cohen (1968).
 */
export function kappa(table: AgreementTable, weights: KappaWeights): number | null {
  const { freq, rows, columns } = shares(table);
  let disagreement = 0;
  let byChance = 0;
  freq.forEach((row, i) =>
    row.forEach((share, j) => {
      const w =
        weights === 'unweighted' ? Number(i !== j) : Math.abs(i - j) ** (weights === 'linear' ? 1 : 2);
      disagreement += w * share;
      byChance += w * rows[i]! * columns[j]!;
    }),
  );
  return byChance === 0 ? null : 1 - disagreement / byChance;
}

/**
 * Kappa with its large-sample standard error and interval (Fleiss, Cohen and Everitt 1969), for `unweighted` and
 * `linear`. Trust the bootstrap (`kappaBootstrap`) below about 50 items. Null where kappa is not defined.
 * Assumes independent items. Cost: levels². @throws RangeError as `kappa`, and if confidence is not inside (0, 1).
 */
export function kappaAsymptotic(
  table: AgreementTable,
  weights: 'unweighted' | 'linear',
  confidence = 0.95,
): { kappa: number; standardError: number; interval: Interval } | null {
  const value = kappa(table, weights);
  if (value === null) return null;
  const { freq, rows, columns, items } = shares(table);
  const last = table.length - 1;
  const similarity = (i: number, j: number) =>
    weights === 'linear' ? 1 - Math.abs(i - j) / last : Number(i === j);
  const rowMean = rows.map((_, i) => columns.reduce((sum, c, j) => sum + c * similarity(i, j), 0));
  const columnMean = columns.map((_, j) => rows.reduce((sum, r, i) => sum + r * similarity(i, j), 0));
  const byChance = rows.reduce((sum, r, i) => sum + r * rowMean[i]!, 0);
  let sum = 0;
  freq.forEach((row, i) =>
    row.forEach((share, j) => {
      sum += share * (similarity(i, j) - (rowMean[i]! + columnMean[j]!) * (1 - value)) ** 2;
    }),
  );
  // The difference of two squares of the same size: rounding may leave a tiny number of either sign where it is 0.
  const spread = sum - (value - byChance * (1 - value)) ** 2;
  const variance = Math.abs(spread) < 1e-14 ? 0 : spread / ((1 - byChance) ** 2 * items);
  const standardError = Math.sqrt(Math.max(0, variance));
  const half = twoSidedZ(confidence) * standardError;
  return {
    kappa: value,
    standardError,
    interval: { low: value - half, high: value + half, level: confidence },
  };
}

/**
 * Bootstrap over items of kappa on the full scale; `suppressed` below 10 items: do not show it. Draws in which kappa is not defined are left out and counted.
 * Costs and errors as `bootstrap` and `agreementTable`.
 */
export function kappaBootstrap<T>(
  a: readonly T[],
  b: readonly T[],
  scale: readonly T[],
  options: { weights: KappaWeights; draws: number; rng: Rng; confidence?: number },
): BootstrapResult & { items: number; suppressed: boolean } {
  agreementTable(a, b, scale);
  const first = a.map((value) => scale.indexOf(value));
  const second = b.map((value) => scale.indexOf(value));
  const result = bootstrap({
    units: a.length,
    statistic: (indices) => {
      const table = scale.map(() => scale.map(() => 0));
      for (let i = 0; i < indices.length; i++) table[first[indices[i]!]!]![second[indices[i]!]!]!++;
      return kappa(table, options.weights);
    },
    resamples: resampleIndices(a.length, options.draws, options.rng),
    ...(options.confidence === undefined ? {} : { confidence: options.confidence }),
  });
  return { ...result, items: a.length, suppressed: a.length < FEWEST_ITEMS_FOR_KAPPA };
}

/**
 * Fleiss' kappa: `counts[item][category]` raters, the same number (≥ 2) for every item. Null where only one category
 * is used (0/0). @throws RangeError if counts are ragged, negative, not integers, or rows have different totals.
 * Assumes independent items. Cost: items × categories. Source: Fleiss (1971).
 */
export function fleissKappa(counts: readonly (readonly number[])[]): number | null {
  const categories = counts[0]?.length ?? 0;
  if (categories < 2) throw new RangeError('counts must have at least one item and two categories');
  const raters = counts[0]!.reduce((sum, count) => sum + count, 0);
  requireInteger('raters per item', raters, 2);
  const shareOf = new Array<number>(categories).fill(0);
  let agreement = 0;
  counts.forEach((row, item) => {
    if (row.length !== categories) throw new RangeError(`counts[${item}] must have ${categories} categories`);
    let squares = 0;
    let total = 0;
    row.forEach((count, category) => {
      requireInteger(`counts[${item}][${category}]`, count, 0);
      squares += count * count;
      total += count;
      shareOf[category]! += count / (counts.length * raters);
    });
    if (total !== raters) throw new RangeError(`counts[${item}] must add up to ${raters}, got ${total}`);
    agreement += (squares - raters) / (raters * (raters - 1) * counts.length);
  });
  const byChance = shareOf.reduce((sum, share) => sum + share * share, 0);
  return Math.abs(1 - byChance) < 1e-12 ? null : (agreement - byChance) / (1 - byChance);
}

/**
 * Krippendorff's alpha for any number of raters with missing ratings. `ratings[rater][item]`, null = missing;
 * `scale` holds the numeric levels in order. Null where nothing can be compared or only one level is used.
 * Source: Krippendorff (2011), coincidence matrix. @throws RangeError on ragged ratings or a value off the scale.
 * Assumes independent items. Cost: items × raters² + levels².
 */
export function krippendorffAlpha(
  ratings: readonly (readonly (number | null)[])[],
  scale: readonly number[],
  metric: 'nominal' | 'ordinal' | 'interval',
): number | null {
  const items = ratings[0]?.length ?? 0;
  const coincidences = scale.map(() => scale.map(() => 0));
  for (let item = 0; item < items; item++) {
    const levels = ratings.flatMap((row, rater) => {
      if (row.length !== items) throw new RangeError(`ratings[${rater}] must have ${items} items`);
      const value = row[item]!;
      if (value === null) return [];
      const level = scale.indexOf(value);
      if (level < 0) throw new RangeError(`ratings holds ${value}, which is not on the scale`);
      return [level];
    });
    if (levels.length < 2) continue;
    levels.forEach((c, i) =>
      levels.forEach((k, j) => {
        if (i !== j) coincidences[c]![k]! += 1 / (levels.length - 1);
      }),
    );
  }
  const totals = coincidences.map((row) => row.reduce((sum, value) => sum + value, 0));
  const all = totals.reduce((sum, value) => sum + value, 0);
  const distance = (c: number, k: number) => {
    if (metric === 'nominal') return Number(c !== k);
    if (metric === 'interval') return (scale[c]! - scale[k]!) ** 2;
    const [low, high] = c < k ? [c, k] : [k, c];
    const between = totals.slice(low, high + 1).reduce((sum, value) => sum + value, 0);
    return (between - (totals[low]! + totals[high]!) / 2) ** 2;
  };
  let observed = 0;
  let expected = 0;
  coincidences.forEach((row, c) =>
    row.forEach((value, k) => {
      observed += value * distance(c, k);
      expected += totals[c]! * totals[k]! * distance(c, k);
    }),
  );
  return expected === 0 ? null : 1 - ((all - 1) * observed) / expected;
}

/**
 * Bootstrap over items of Krippendorff's alpha. Costs and errors as `bootstrap` and `krippendorffAlpha`.
 */
export function krippendorffBootstrap(
  ratings: readonly (readonly (number | null)[])[],
  scale: readonly number[],
  metric: 'nominal' | 'ordinal' | 'interval',
  options: { draws: number; rng: Rng; confidence?: number },
): BootstrapResult {
  const items = ratings[0]?.length ?? 0;
  if (items === 0) throw new RangeError('ratings must hold at least one item');
  return bootstrap({
    units: items,
    statistic: (indices) =>
      krippendorffAlpha(
        ratings.map((row) => Array.from(indices, (index) => row[index]!)),
        scale,
        metric,
      ),
    resamples: resampleIndices(items, options.draws, options.rng),
    ...(options.confidence === undefined ? {} : { confidence: options.confidence }),
  });
}

function shares(table: AgreementTable) {
  const items = table.reduce((sum, row) => sum + row.reduce((s, count) => s + count, 0), 0);
  requireFinite('table', table.flat());
  if (items <= 0) throw new RangeError('table must hold at least one item');
  const freq = table.map((row) => row.map((count) => count / items));
  const rows = freq.map((row) => row.reduce((sum, share) => sum + share, 0));
  const columns = table.map((_, j) => freq.reduce((sum, row) => sum + row[j]!, 0));
  return { freq, rows, columns, items };
}
