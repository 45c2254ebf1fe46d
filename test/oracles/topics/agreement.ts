/** 07: kappas with standard errors, Fleiss, Krippendorff, correlations. */
import {
  agreementTable,
  fleissKappa,
  kappa,
  kappaAsymptotic,
  krippendorffAlpha,
  observedAgreement,
} from '../../../src/stats/agreement';
import { kendallTauB, pearson, ranks, spearman } from '../../../src/stats/correlation';
import { twoSidedZ } from '../../../src/stats/proportions';
import { compare, readMatrix, readNumbers, type Check, type Json, type JsonObject } from '../topic';

const orNaN = (value: number | null) => value ?? NaN;

/**
 * A variance that is exactly 0 (a constant rater): rounding in statsmodels leaves 0, the root of a tiny number of the size
 * of 1e-16, or that of a negative one, NaN, depending on the data. Ours is 0, for which either stands.
 */
function withError(result: ReturnType<typeof kappaAsymptotic>, expected: Json | undefined) {
  if (result === null) return null;
  const { kappa: value, standardError, interval } = result;
  const rounded =
    expected === 'NaN' ? NaN : typeof expected === 'number' && expected < 1e-7 ? expected : null;
  if (standardError > 0 || rounded === null)
    return { kappa: value, error: standardError, ci: [interval.low, interval.high] };
  const half = twoSidedZ(interval.level) * rounded;
  return { kappa: value, error: rounded, ci: [value - half, value + half] };
}

const kinds: Record<string, (input: JsonObject, expected: JsonObject) => unknown> = {
  kappa: (input, expected) => {
    const table = agreementTable(input.a as unknown[], input.b as unknown[], input.labels as unknown[]);
    const wanted = (expected.statsmodels ?? {}) as JsonObject;
    const simple = withError(kappaAsymptotic(table, 'unweighted'), wanted.se);
    const linear = withError(kappaAsymptotic(table, 'linear'), wanted.linearSe);
    return {
      unweighted: orNaN(kappa(table, 'unweighted')),
      linear: orNaN(kappa(table, 'linear')),
      quadratic: orNaN(kappa(table, 'quadratic')),
      statsmodels: simple &&
        linear && {
          unweighted: simple.kappa,
          se: simple.error,
          ci: simple.ci,
          linear: linear.kappa,
          linearSe: linear.error,
          linearCi: linear.ci,
        },
      observedAgreement: observedAgreement(table),
      table,
    };
  },
  fleiss: (input) => ({ kappa: orNaN(fleissKappa(readMatrix(input.counts))) }),
  krippendorff: (input) => {
    const ratings = input.ratings as (number | null)[][];
    // A level that nobody used changes nothing.
    const scale = [...new Set(ratings.flat().filter((rating) => rating !== null))].sort((x, y) => x - y);
    const alpha = (metric: 'nominal' | 'ordinal' | 'interval') =>
      orNaN(krippendorffAlpha(ratings, scale, metric));
    return { nominal: alpha('nominal'), ordinal: alpha('ordinal'), interval: alpha('interval') };
  },
  correlation: (input) => {
    const x = readNumbers(input.x);
    const y = readNumbers(input.y);
    return {
      pearson: orNaN(pearson(x, y)),
      spearman: orNaN(spearman(x, y)),
      kendallTauB: orNaN(kendallTauB(x, y)),
      ranksX: ranks(x),
      ranksY: ranks(y),
    };
  },
};

export const check: Check = (input, expected, tolerance) => {
  const kind = kinds[input.kind as string];
  return kind
    ? compare('', kind(input, expected), expected, tolerance)
    : [`kind ${input.kind as string} is not known`];
};
