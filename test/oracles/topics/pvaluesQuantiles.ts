/** 11: quantiles of types 1 and 7, conformal ranks and p-values, permutation p-values. */
import { conformalP } from '../../../src/stats/conformal';
import { monteCarloP, phipsonSmythP } from '../../../src/stats/permutationP';
import { conformalQuantile, quantiles, quantilesType1 } from '../../../src/stats/quantile';
import { compare, readNumber, readNumbers, type Check, type JsonObject } from '../topic';

const kinds: Record<string, (input: JsonObject) => unknown> = {
  quantile: (input) => {
    const x = readNumbers(input.x);
    const q = readNumbers(input.q);
    return { type1: quantilesType1(x, q), type7: quantiles(x, q) };
  },
  conformalQuantile: (input) => conformalQuantile(readNumbers(input.scores), readNumber(input.alpha)),
  conformalP: (input) => conformalP(readNumbers(input.scores), readNumber(input.test)),
  permutationP: (input) => {
    const b = readNumber(input.b);
    const permutations = readNumber(input.B);
    const totalSplits = readNumber(input.totalSplits);
    const { p, standardError, interval } = monteCarloP(b, permutations, 0.95);
    const wider = monteCarloP(b, permutations, 0.99).interval;
    return {
      p,
      permp: phipsonSmythP(b, permutations, totalSplits),
      permpMethod: totalSplits <= 10_000 ? 'exact' : 'approximate',
      monteCarlo95: [interval.low, interval.high],
      monteCarlo99: [wider.low, wider.high],
      standardError,
    };
  },
};

export const check: Check = (input, expected, tolerance) => {
  const kind = kinds[input.kind as string];
  return kind ? compare('', kind(input), expected, tolerance) : [`kind ${input.kind as string} is not known`];
};
