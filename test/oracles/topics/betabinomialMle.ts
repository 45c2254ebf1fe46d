/** 10: maximum likelihood fit of the beta-binomial, its boundaries, predictive p. */
import { predictiveMass, predictiveP } from '../../../src/stats/betaBinomial';
import { fitBetaBinomial } from '../../../src/stats/betaBinomialFit';
import { compare, readNumber, readNumbers, type Check, type Json, type JsonObject } from '../topic';

export const check: Check = (input, expected, tolerance) => {
  const n = readNumbers(input.n);
  const fit = fitBetaBinomial(readNumbers(input.k), n);
  if (expected.a === null) {
    return [
      ...compare('a', fit.a, null, tolerance),
      ...compare('b', fit.b, null, tolerance),
      ...compare('mu', fit.mu, expected.mu!, tolerance.field('mu')),
      ...compare('rho', fit.rho, expected.rho as Json, tolerance),
      ...compare('logLik', fit.logLik, expected.logLik!, tolerance.field('logLik')),
      ...(fit.boundary === null ? ['boundary: none reported'] : []),
    ];
  }
  const trials = n.reduce((sum, size) => sum + size, 0);
  const predictive = (expected.predictive as JsonObject[]).flatMap((wanted) => {
    const { r, kPrime, ...figures } = wanted;
    const actual = predictiveP(predictiveMass(fit, readNumber(r), trials), readNumber(kPrime));
    return compare(`predictive ${String(kPrime)}`, actual, figures, tolerance.field('predictive'));
  });
  return [
    ...['a', 'b', 'mu', 'rho'].flatMap((name) =>
      compare(name, fit[name as 'a'], expected[name]!, tolerance.field('parameters')),
    ),
    ...compare('logLik', fit.logLik, expected.logLik!, tolerance.field('logLik')),
    ...compare('binomialLogLik', fit.binomialLogLik, expected.binomialLogLik!, tolerance.field('logLik')),
    ...predictive,
  ];
};
