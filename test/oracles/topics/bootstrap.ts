/** 12: bootstrap intervals on given resamples. */
import type { Interval } from '../../../src/contracts/runRecord';
import { bootstrap } from '../../../src/stats/bootstrap';
import { median } from '../../../src/stats/quantile';
import { compare, readMatrix, readNumber, readNumbers, type Check } from '../topic';

const mean = (x: number[]) => x.reduce((sum, value) => sum + value, 0) / x.length;
const statistics: Record<string, (x: number[]) => number> = {
  mean,
  median,
  sdPopulation: (x) => Math.sqrt(mean(x.map((value) => (value - mean(x)) ** 2))),
};
const pair = (interval: Interval | null) => (interval ? [interval.low, interval.high] : [NaN, NaN]);

export const check: Check = (input, expected, tolerance) => {
  const x = readNumbers(input.x);
  const statistic = statistics[input.statistic as string];
  if (!statistic) return [`statistic ${input.statistic as string} is not known`];
  const result = bootstrap({
    units: x.length,
    statistic: (indices) => statistic(Array.from(indices, (index) => x[index]!)),
    resamples: readMatrix(input.resampleIndices),
    confidence: readNumber(input.confidence),
  });
  const actual = {
    ...result,
    // No finite z0: the file says on which side all draws lie, the API only that there is none.
    z0: result.z0 ?? (Number.isFinite(readNumber(expected.z0)) ? NaN : readNumber(expected.z0)),
    percentile: pair(result.percentile),
    basic: pair(result.basic),
    biasCorrected: pair(result.biasCorrected),
    bca: pair(result.bca),
  };
  return compare('', actual, expected, tolerance);
};
