import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adjustPValues, type MultiplicityMethod } from './multiplicity';

const methods: MultiplicityMethod[] = [
  'bonferroni',
  'holm',
  'hochberg',
  'hommel',
  'sidak',
  'holmSidak',
  'bh',
  'by',
];
const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 });

describe('adjustPValues', () => {
  it('keeps the order of p, stays in [0, 1] and never lowers a p', () => {
    fc.assert(
      fc.property(pValues, fc.constantFrom(...methods), (p, method) => {
        const adjusted = adjustPValues(p, method);
        adjusted.forEach((value, i) => {
          expect(value).toBeGreaterThanOrEqual(p[i]! - 1e-12);
          expect(value).toBeLessThanOrEqual(1);
          p.forEach((other, j) => {
            if (p[i]! <= other) expect(value).toBeLessThanOrEqual(adjusted[j]! + 1e-12);
          });
        });
      }),
    );
  });

  it('orders the methods by power: bonferroni ≥ holm ≥ hochberg ≥ hommel, by ≥ bh', () => {
    fc.assert(
      fc.property(pValues, (p) => {
        const by = Object.fromEntries(methods.map((method) => [method, adjustPValues(p, method)]));
        p.forEach((_, i) => {
          const ladder = ['bonferroni', 'holm', 'hochberg', 'hommel'].map((method) => by[method]![i]!);
          for (let step = 1; step < 4; step++)
            expect(ladder[step]).toBeLessThanOrEqual(ladder[step - 1]! + 1e-12);
          expect(by['bh']![i]).toBeLessThanOrEqual(by['by']![i]! + 1e-12);
        });
      }),
    );
  });

  it('does not depend on the order of its input', () => {
    fc.assert(
      fc.property(pValues, fc.constantFrom(...methods), (p, method) => {
        const backwards = adjustPValues([...p].reverse(), method).reverse();
        adjustPValues(p, method).forEach((value, i) => expect(backwards[i]).toBeCloseTo(value, 12));
      }),
    );
  });

  it('leaves NaN members out of the count and returns them as NaN', () => {
    expect(adjustPValues([0.01, NaN, 0.04], 'bonferroni')).toEqual([0.02, NaN, 0.08]);
    expect(adjustPValues([NaN], 'holm')).toEqual([NaN]);
    expect(adjustPValues([], 'bh')).toEqual([]);
  });

  it('refuses what is not a p-value, naming it', () => {
    expect(() => adjustPValues([0.2, 1.1], 'holm')).toThrow('p[1]');
    expect(() => adjustPValues([-0.1], 'bh')).toThrow(RangeError);
  });
});
