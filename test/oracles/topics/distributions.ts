/** 09: one function at one point against 45-digit arithmetic. */
import { betaCdf, betaQuantile, betaSf } from '../../../src/stats/beta';
import {
  betaBinomialAt,
  binomialCdf,
  binomialPmf,
  binomialUpper,
  hypergeometricCdf,
  hypergeometricPmf,
  tCdf,
  tQuantile,
} from '../../../src/stats/distributions';
import { chi2Quantile, chi2Sf } from '../../../src/stats/gamma';
import { logBeta, logGamma } from '../../../src/stats/logGamma';
import { normalCdf, normalLogSf, normalQuantile, normalSf } from '../../../src/stats/normal';
import { isClose, readNumber, readNumbers, type Check } from '../topic';

const functions: Record<string, (...args: number[]) => number> = {
  logGamma,
  logBeta,
  betaCdf,
  betaSf,
  betaQuantile,
  normalCdf,
  normalSf,
  normalLogSf,
  normalQuantile,
  tCdf,
  tQuantile,
  chi2Sf,
  chi2Quantile,
  binomialPmf,
  binomialCdf,
  binomialUpper,
  hypergeometricPmf,
  hypergeometricCdf,
} as Record<string, (...args: number[]) => number>;

export const check: Check = (input, expected, tolerance) => {
  const args = readNumbers(input.args) as [number, number, number, number];
  const fn = functions[input.fn as string];
  const actual: Record<string, number> =
    input.fn === 'betaBinomial' ? { ...betaBinomialAt(...args) } : fn ? { value: fn(...args) } : {};
  return Object.entries(expected).flatMap(([key, raw]) => {
    const wanted = readNumber(raw);
    const got = actual[key];
    if (got === undefined) return [`${input.fn as string}.${key}: not computed`];
    // The file's notes: 0 or a subnormal means agreement to within 1e-300. A log next to log 1 can be no finer
    // than the 45 digits that made it: log sf(−20) = −2.75e-89 stands there as 0.
    const floor = input.fn === 'normalLogSf' && wanted === 0 ? 1e-45 : 1e-300;
    const close = isClose(got, wanted, tolerance) || Math.abs(got - wanted) <= floor;
    return close ? [] : [`${key}: ${got}, expected ${wanted}`];
  });
};
