import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monteCarloP, minimumPermutations, phipsonSmythP } from './permutationP';
import { conformalQuantile, median, quantiles, quantilesType1 } from './quantile';

describe('quantiles', () => {
  it('lie within the sample and rise with q', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1 }), (x) => {
        for (const of of [quantiles, quantilesType1]) {
          const values = of(x, [0, 0.3, 0.31, 1]);
          expect(values[0]).toBeCloseTo(Math.min(...x), 9);
          expect(values[3]).toBeCloseTo(Math.max(...x), 9);
          expect(values[1]).toBeLessThanOrEqual(values[2]!);
        }
      }),
    );
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('guards the conformal rank against decimal rounding', () => {
    // (1 − .7)·10 is 3.0000000000000004 in floating point
    expect(conformalQuantile([1, 2, 3, 4, 5, 6, 7, 8, 9], 0.7)).toEqual({ rank: 3, value: 3 });
    expect(conformalQuantile([1, 2, 3], 0.05).value).toBe(Infinity);
    expect(conformalQuantile([1, 2, 3], 1).value).toBe(-Infinity);
  });

  it('gives permutation p-values that are never 0 and never below the floor', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (B, share) => {
          const b = Math.floor(share * B);
          const { p, interval } = monteCarloP(b, B);
          expect(p).toBeGreaterThanOrEqual(1 / (B + 1));
          expect(interval.low).toBeLessThanOrEqual(b / B);
          expect(phipsonSmythP(b, B, 252)).toBeLessThanOrEqual(p);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('takes more splits than a double counts exactly', () => {
    expect(phipsonSmythP(5, 99, 1.1826458156486114e17)).toBeCloseTo(6 / 100, 12);
  });

  it('finds the smallest B for a level', () => {
    expect(minimumPermutations(0.05)).toBe(19);
    expect(minimumPermutations(1e-3)).toBe(999);
    expect(() => minimumPermutations(0)).toThrow(/^level must/);
  });

  it.each([
    [() => quantiles([], [0.5]), 'x'],
    [() => quantiles([1, NaN], [0.5]), 'x\\[1\\]'],
    [() => quantiles([1], [1.2]), 'q'],
    [() => conformalQuantile([1], 2), 'alpha'],
    [() => conformalQuantile([Infinity], 0.1), 'scores\\[0\\]'],
    [() => monteCarloP(5, 4), 'exceeding'],
    [() => phipsonSmythP(1, 4, 0), 'totalSplits'],
  ])('names the wrong argument: %s', (call, name) => {
    expect(call).toThrow(RangeError);
    expect(call).toThrow(new RegExp(`^${name} must`));
  });
});
