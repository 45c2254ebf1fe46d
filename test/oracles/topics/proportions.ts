/** 06: intervals, two proportions, McNemar, Fisher, the binomial test, flip rates. */
import type { Interval } from '../../../src/contracts/runRecord';
import { fisherExact } from '../../../src/stats/fisher';
import { flipRatesFromCounts, type FlipCount } from '../../../src/stats/flipRates';
import { mcnemar } from '../../../src/stats/mcnemar';
import { agrestiCaffo, newcombe, pooledZTest, waldDifference } from '../../../src/stats/proportionDifference';
import {
  agrestiCoull,
  binomialTest,
  clopperPearson,
  jeffreys,
  wald,
  wilson,
} from '../../../src/stats/proportions';
import { compare, readMatrix, readNumber, type Check, type Json, type JsonObject } from '../topic';

const pair = (interval: Interval | null) => interval && [interval.low, interval.high];
const orNaN = (value: number | null) => value ?? NaN;

const kinds: Record<string, (input: JsonObject, number: (name: string) => number) => unknown> = {
  interval: (_input, number) => {
    const args = [number('k'), number('n'), 1 - number('alpha')] as const;
    return {
      wilson: pair(wilson(...args)),
      clopperPearson: pair(clopperPearson(...args)),
      jeffreys: pair(jeffreys(...args)),
      agrestiCoull: pair(agrestiCoull(...args)),
      wald: pair(wald(...args)),
    };
  },
  difference: (_input, number) => {
    const counts = [number('k1'), number('n1'), number('k2'), number('n2')] as const;
    const confidence = 1 - number('alpha');
    const test = pooledZTest(...counts);
    return {
      difference: counts[0] / counts[1] - counts[2] / counts[3],
      newcombe: pair(newcombe(...counts, confidence)),
      wald: pair(waldDifference(...counts, confidence)),
      agrestiCaffo: pair(agrestiCaffo(...counts, confidence)),
      z: test?.z ?? NaN,
      zTwoSided: test?.twoSided ?? NaN,
      zGreater: test?.greater ?? NaN,
    };
  },
  mcnemar: (_input, number) => mcnemar(number('b'), number('c')),
  fisher: (input) => fisherExact(readMatrix(input.table) as [[number, number], [number, number]]),
  binomtest: (_input, number) => binomialTest(number('k'), number('n'), number('p')),
  flipRates: (input) => {
    const counts = input.rows as Json as unknown as FlipCount[];
    const rates = flipRatesFromCounts(counts);
    const rows = counts.map(({ strength }) => rates.rows.find((row) => row.strength === strength)!);
    return {
      FR: rows.map((row) => orNaN(row.rate)),
      wilson: rows.map((row) => pair(row.interval)),
      responsive: orNaN(rates.responsive),
      robust: orNaN(rates.robust),
      overall: rates.overall?.difference ?? NaN,
      overallNewcombe: pair(rates.overall?.interval ?? null),
    };
  },
};

export const check: Check = (input, expected, tolerance) => {
  const kind = kinds[input.kind as string];
  if (!kind) return [`kind ${input.kind as string} is not known`];
  return compare(
    '',
    kind(input, (name) => readNumber(input[name])),
    expected,
    tolerance,
  );
};
