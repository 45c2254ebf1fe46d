import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betaCdf, betaQuantile, betaSf } from './beta';
import {
  betaBinomialAt,
  binomialCdf,
  binomialPmf,
  binomialUpper,
  hypergeometricCdf,
  hypergeometricPmf,
  tCdf,
  tQuantile,
} from './distributions';
import { chi2Quantile, chi2Sf } from './gamma';
import { logBeta, logChoose, logGamma, logRising } from './logGamma';
import { normalCdf, normalLogSf, normalQuantile, normalSf } from './normal';

const shape = fc.double({ min: 0.05, max: 2000, noNaN: true });
const share = fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true });

describe('distributions', () => {
  it('has Γ(x + 1) = xΓ(x), next to the zeros as well', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 300, noNaN: true }), (x) => {
        expect(logGamma(x + 1) - logGamma(x)).toBeCloseTo(Math.log(x), 10);
      }),
    );
    expect(logGamma(1)).toBe(0);
    expect(Math.abs(logGamma(2))).toBeLessThan(1e-16);
  });

  it('takes rising factorials and binomial coefficients without cancellation', () => {
    expect(logRising(1e12, 3)).toBeCloseTo(3 * Math.log(1e12), 9);
    expect(Math.exp(logChoose(40, 20))).toBeCloseTo(137846528820, -2);
    expect(logBeta(1e-8, 5)).toBeCloseTo(Math.log(1e8), 6);
  });

  it('has tails that add up to 1 and quantiles that invert them', () => {
    fc.assert(
      fc.property(share, shape, shape, (p, a, b) => {
        const x = betaQuantile(p, a, b);
        expect(betaCdf(x, a, b) + betaSf(x, a, b)).toBeCloseTo(1, 12);
        // x is a double: next to 0 or 1 the distribution may jump over p.
        if (x > 1e-12 && x < 1 - 1e-7) expect(betaCdf(x, a, b)).toBeCloseTo(p, 8);
        expect(normalCdf(normalQuantile(p))).toBeCloseTo(p, 12);
        // At fewer degrees of freedom the quantiles of tiny p underflow.
        const df = a + 0.5;
        expect(chi2Sf(chi2Quantile(p, df), df)).toBeCloseTo(1 - p, 9);
        expect(tCdf(tQuantile(p, df), df)).toBeCloseTo(p, 9);
      }),
      { numRuns: 200 },
    );
  });

  it('is a distribution: binomial, hypergeometric and beta-binomial masses add up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), share, shape, shape, (n, p, a, b) => {
        let binomial = 0;
        let betaBinomial = 0;
        for (let k = 0; k <= n; k++) {
          binomial += binomialPmf(k, n, p);
          expect(binomialCdf(k, n, p)).toBeCloseTo(binomial, 10);
          if (k > 0) expect(binomialUpper(k, n, p) + binomialCdf(k - 1, n, p)).toBeCloseTo(1, 10);
          betaBinomial += betaBinomialAt(k, n, a, b).pmf;
        }
        expect(binomial).toBeCloseTo(1, 10);
        expect(betaBinomial).toBeCloseTo(1, 9);
      }),
      { numRuns: 30 },
    );
    expect(hypergeometricCdf(4, 30, 12, 9) - hypergeometricCdf(3, 30, 12, 9)).toBeCloseTo(
      hypergeometricPmf(4, 30, 12, 9),
      14,
    );
    expect(hypergeometricPmf(10, 30, 12, 9)).toBe(0);
    expect(hypergeometricPmf(0, 0, 0, 0)).toBe(1);
  });

  it('keeps the digits of a log next to 0', () => {
    // mpmath, 60 digits
    const { logPmf } = betaBinomialAt(58, 58, 454719.2370205888, 0.000403541191272821);
    expect(logPmf / -5.146895126626673e-8).toBeCloseTo(1, 8);
  });

  it('keeps its digits where probabilities are tiny', () => {
    expect(normalSf(30) / 4.906713927148187e-198).toBeCloseTo(1, 12);
    expect(normalLogSf(1000)).toBeCloseTo(-500007.8266948121, 6);
    expect(binomialUpper(300, 300, 0.1)).toBeGreaterThan(0);
    // three degrees of freedom have a closed form
    const ratio = 40 / Math.sqrt(3);
    const upper = 0.5 - (Math.atan(ratio) + ratio / (1 + ratio ** 2)) / Math.PI;
    expect(tCdf(-40, 3)).toBeCloseTo(upper, 13);
  });

  it.each([
    [() => logGamma(0), 'x'],
    [() => logBeta(1, NaN), 'b'],
    [() => betaCdf(1.1, 1, 1), 'x'],
    [() => betaQuantile(-0.1, 1, 1), 'p'],
    [() => normalQuantile(1.5), 'p'],
    [() => normalSf(NaN), 'z'],
    [() => chi2Sf(-1, 1), 'x'],
    [() => chi2Quantile(1, 1), 'p'],
    [() => tCdf(Infinity, 1), 't'],
    [() => tQuantile(0.5, 0), 'df'],
    [() => binomialPmf(3, 2, 0.5), 'k'],
    [() => binomialCdf(1, 2, 1.5), 'p'],
    [() => hypergeometricPmf(0.5, 4, 2, 2), 'k'],
    [() => hypergeometricCdf(1, 4, 5, 2), 'marked'],
    [() => betaBinomialAt(1, 2, -1, 1), 'a'],
  ])('names the wrong argument: %s', (call, name) => {
    expect(call).toThrow(RangeError);
    expect(call).toThrow(new RegExp(`^${name} `));
  });
});
