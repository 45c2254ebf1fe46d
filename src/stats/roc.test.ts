import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRng } from './rng';
import { auc, delong, ratesAtAlpha, rocBootstrap, rocCurve, tprAtFprInterpolated, tprAtFprStep } from './roc';

const data = fc
  .array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 12 })), { minLength: 4, maxLength: 40 })
  .filter((items) => items.some(([label]) => label) && items.some(([label]) => !label))
  .map((items) => ({
    labels: items.map(([label]) => Number(label)),
    scores: items.map(([, score]) => score),
  }));

describe('roc', () => {
  it('has the area of its curve by trapezoids', () => {
    fc.assert(
      fc.property(data, ({ labels, scores }) => {
        const { fpr, tpr } = rocCurve(labels, scores);
        let area = 0;
        for (let i = 1; i < fpr.length; i++) area += ((fpr[i]! - fpr[i - 1]!) * (tpr[i]! + tpr[i - 1]!)) / 2;
        expect(auc(labels, scores)).toBeCloseTo(area, 12);
        expect(
          auc(
            labels,
            scores.map((s) => -s),
          ),
        ).toBeCloseTo(1 - area, 12);
        expect(
          auc(
            labels,
            scores.map((s) => Math.exp(s)),
          ),
        ).toBeCloseTo(area, 12);
      }),
    );
  });

  it('reads TPR off the curve: the step below the interpolation, both rising', () => {
    fc.assert(
      fc.property(data, fc.double({ min: 0, max: 1, noNaN: true }), ({ labels, scores }, fpr) => {
        const curve = rocCurve(labels, scores);
        expect(tprAtFprStep(curve, fpr)).toBeLessThanOrEqual(tprAtFprInterpolated(curve, fpr) + 1e-12);
        expect(tprAtFprStep(curve, 1)).toBe(1);
      }),
    );
  });

  it('gives no DeLong variance for a class of one', () => {
    expect(delong([0, 1, 1], [1, 2, 3])).toBeNull();
    const { interval } = delong([0, 0, 0, 1, 1, 1], [1, 2, 3, 2, 3, 4])!;
    expect(interval.high).toBe(1);
  });

  it('bootstraps any figure of the curve within the classes', () => {
    const labels = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1];
    const scores = [1, 2, 3, 4, 2, 1, 3, 4, 5, 2, 6, 5];
    const result = rocBootstrap(labels, scores, auc, { draws: 300, rng: createRng(2) });
    expect(result.estimate).toBeCloseTo(auc(labels, scores), 12);
    expect(result.undefinedDraws).toBe(0);
    expect(result.percentile!.low).toBeLessThan(result.estimate!);
  });

  it('counts p = alpha as changed only under the inclusive rule', () => {
    const rates = ratesAtAlpha({ irrelevant: [0.05, 0.5], meaningful: [] }, 0.05);
    expect(rates).toEqual({ fprStrict: 0, fprInclusive: 0.5, tprStrict: null, tprInclusive: null });
  });

  it.each([
    [() => rocCurve([0, 1], [1]), 'scores'],
    [() => auc([0, 2], [1, 2]), 'labels\\[1\\]'],
    [() => auc([1, 1], [1, 2]), 'labels'],
    [() => auc([0, 1], [NaN, 2]), 'scores\\[0\\]'],
    [() => delong([0, 1], [1, 2], 0), 'confidence'],
    [() => tprAtFprStep(rocCurve([0, 1], [1, 2]), -1), 'fpr'],
    [() => ratesAtAlpha({ irrelevant: [], meaningful: [] }, 2), 'alpha'],
  ])('names the wrong argument: %s', (call, name) => {
    expect(call).toThrow(RangeError);
    expect(call).toThrow(new RegExp(`^${name} `));
  });
});
