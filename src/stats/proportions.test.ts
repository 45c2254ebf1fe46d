import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fisherExact } from './fisher';
import { mcnemar } from './mcnemar';
import { agrestiCaffo, newcombe, pooledZTest, waldDifference } from './proportionDifference';
import { agrestiCoull, binomialTest, clopperPearson, jeffreys, wald, wilson } from './proportions';

const counts = fc
  .integer({ min: 1, max: 300 })
  .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));

describe('proportions', () => {
  it('gives intervals that hold the estimate, stay in [0, 1] and mirror', () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        for (const interval of [wilson, clopperPearson, jeffreys, agrestiCoull, wald]) {
          const { low, high } = interval(k, n);
          const mirrored = interval(n - k, n);
          expect(low).toBeGreaterThanOrEqual(0);
          expect(high).toBeLessThanOrEqual(1);
          expect(mirrored.low).toBeCloseTo(1 - high, 9);
        }
        for (const interval of [wilson, clopperPearson]) {
          expect(interval(k, n).low).toBeLessThanOrEqual(k / n);
          expect(interval(k, n).high).toBeGreaterThanOrEqual(k / n);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('widens with the level', () => {
    expect(clopperPearson(3, 20, 0.99).high).toBeGreaterThan(clopperPearson(3, 20, 0.95).high);
    expect(wilson(3, 20, 0.99).low).toBeLessThan(wilson(3, 20, 0.95).low);
  });

  it('has Clopper–Pearson bounds that the binomial test agrees with', () => {
    const { low, high } = clopperPearson(7, 40);
    expect(binomialTest(7, 40, low).greater).toBeCloseTo(0.025, 10);
    expect(binomialTest(7, 40, high).less).toBeCloseTo(0.025, 10);
  });

  it('turns round when the samples are swapped', () => {
    fc.assert(
      fc.property(counts, counts, ([k1, n1], [k2, n2]) => {
        for (const interval of [newcombe, agrestiCaffo, waldDifference]) {
          const one = interval(k1, n1, k2, n2);
          const other = interval(k2, n2, k1, n1);
          expect(one.low).toBeCloseTo(-other.high, 12);
        }
        const { low, high } = newcombe(k1, n1, k2, n2);
        expect(low).toBeGreaterThanOrEqual(-1 - 1e-12);
        expect(high).toBeLessThanOrEqual(1 + 1e-12);
      }),
    );
  });

  it('gives no z where there is nothing to pool', () => {
    expect(pooledZTest(0, 10, 0, 12)).toBeNull();
    expect(pooledZTest(10, 10, 12, 12)).toBeNull();
  });

  it('has a Fisher test that does not depend on how the table is turned', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 4, maxLength: 4 }),
        ([a, b, c, d]) => {
          const p = fisherExact([
            [a!, b!],
            [c!, d!],
          ]);
          expect(
            fisherExact([
              [a!, c!],
              [b!, d!],
            ]).twoSided,
          ).toBeCloseTo(p.twoSided, 9);
          expect(
            fisherExact([
              [c!, d!],
              [a!, b!],
            ]).twoSided,
          ).toBeCloseTo(p.twoSided, 9);
          expect(
            fisherExact([
              [b!, a!],
              [d!, c!],
            ]).less,
          ).toBeCloseTo(p.greater, 9);
          expect(p.twoSided).toBeGreaterThan(0);
          expect(p.twoSided).toBeLessThanOrEqual(1);
        },
      ),
    );
    expect(
      fisherExact([
        [0, 0],
        [3, 4],
      ]).twoSided,
    ).toBe(1);
  });

  it('has a mid-p below the exact p, and 1 without discordant pairs', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 80 }), fc.integer({ min: 0, max: 80 }), (b, c) => {
        const result = mcnemar(b, c);
        expect(result.midP).toBeLessThanOrEqual(result.exactP);
        expect(mcnemar(c, b)).toEqual(result);
      }),
    );
    expect(mcnemar(0, 0)).toMatchObject({ exactP: 1, midP: 1, chi2: null, chi2P: null });
  });

  it.each([
    [() => wilson(1, 0), 'n'],
    [() => wilson(3, 2), 'k'],
    [() => clopperPearson(1, 2, 1), 'confidence'],
    [() => newcombe(1, 2, 1.5, 2), 'k'],
    [() => pooledZTest(1, 2, 1, 0), 'n2'],
    [
      () =>
        fisherExact([
          [1, 2],
          [-1, 3],
        ]),
      'table\\[1\\]\\[0\\]',
    ],
    [() => mcnemar(1, NaN), 'c'],
    [() => binomialTest(1, 2, -0.1), 'p0'],
  ])('names the wrong argument: %s', (call, name) => {
    expect(call).toThrow(new RegExp(`^${name} must`));
  });
});
