import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  agreementTable,
  fleissKappa,
  kappa,
  kappaAsymptotic,
  kappaBootstrap,
  krippendorffAlpha,
  krippendorffBootstrap,
  observedAgreement,
} from './agreement';
import { kendallTauB, pearson, ranks, spearman } from './correlation';
import { createRng } from './rng';

const scale = [0, 1, 2, 3];
const level = fc.integer({ min: 0, max: 3 });
const pairs = fc.array(fc.tuple(level, level), { minLength: 2, maxLength: 40 });

describe('agreement', () => {
  it('takes its weights from the whole scale, not from the levels seen', () => {
    const a = [0, 1, 3, 3, 1, 0];
    const b = [0, 3, 3, 1, 1, 0];
    const full = kappa(agreementTable(a, b, scale), 'linear')!;
    const seen = kappa(agreementTable(a, b, [0, 1, 3]), 'linear')!;
    expect(Math.abs(full - seen)).toBeGreaterThan(0.01);
  });

  it('is symmetric in the raters, at most 1, and 1 only in full agreement', () => {
    fc.assert(
      fc.property(pairs, (items) => {
        const a = items.map(([first]) => first);
        const b = items.map(([, second]) => second);
        const value = kappa(agreementTable(a, b, scale), 'linear');
        const swapped = kappa(agreementTable(b, a, scale), 'linear');
        if (value === null) expect(swapped).toBeNull();
        else {
          expect(swapped).toBeCloseTo(value, 12);
          expect(value).toBeLessThanOrEqual(1 + 1e-12);
          const agree = items.every(([first, second]) => first === second);
          expect(value > 1 - 1e-12).toBe(agree);
        }
      }),
    );
  });

  it('is not defined, rather than NaN, where chance alone agrees', () => {
    const table = agreementTable([2, 2, 2], [2, 2, 2], scale);
    expect(kappa(table, 'linear')).toBeNull();
    expect(kappaAsymptotic(table, 'linear')).toBeNull();
    expect(observedAgreement(table)).toBe(1);
    expect(
      fleissKappa([
        [3, 0],
        [3, 0],
      ]),
    ).toBeNull();
    expect(
      krippendorffAlpha(
        [
          [1, 1],
          [1, 1],
        ],
        scale,
        'ordinal',
      ),
    ).toBeNull();
    expect(
      krippendorffAlpha(
        [
          [1, null],
          [null, 1],
        ],
        scale,
        'nominal',
      ),
    ).toBeNull();
    expect(pearson([1, 1, 1], [1, 2, 3])).toBeNull();
    expect(spearman([1, 2, 3], [4, 4, 4])).toBeNull();
    expect(kendallTauB([1, 1], [1, 2])).toBeNull();
  });

  it('bootstraps kappa on the full scale', () => {
    const a = [0, 1, 2, 3, 1, 2, 0, 3, 2, 1, 1, 2];
    const b = [0, 1, 2, 2, 1, 3, 0, 3, 2, 1, 0, 2];
    const result = kappaBootstrap(a, b, scale, { weights: 'linear', draws: 400, rng: createRng(5) });
    expect(result.estimate).toBeCloseTo(kappa(agreementTable(a, b, scale), 'linear')!, 12);
    expect(result.bca!.low).toBeLessThan(result.estimate!);
    expect(result.bca!.high).toBeLessThanOrEqual(1);
    expect(result).toMatchObject({ items: 12, suppressed: false });
  });

  it('bootstraps alpha with ratings missing', () => {
    const ratings = [
      [0, 1, 2, 3, null, 2, 1, 0, 3, 2],
      [0, 1, 2, 2, 3, 2, null, 1, 3, 2],
      [1, 1, 2, 3, 3, null, 1, 0, 3, 1],
    ];
    const result = krippendorffBootstrap(ratings, scale, 'ordinal', { draws: 300, rng: createRng(6) });
    expect(result.estimate).toBeCloseTo(krippendorffAlpha(ratings, scale, 'ordinal')!, 12);
    expect(result.percentile!.low).toBeLessThan(result.estimate!);
    expect(result.percentile!.high).toBeLessThanOrEqual(1);
    expect(() => krippendorffBootstrap([], scale, 'ordinal', { draws: 9, rng: createRng(1) })).toThrow(
      /^ratings must/,
    );
  });

  it('keeps the digits of a correlation behind a large offset', () => {
    const offset = [1, 2, 3, 4].map((value) => 1e9 + value * 2 ** -20);
    expect(pearson(offset, [1, 3, 2, 4])).toBe(pearson([1, 2, 3, 4], [1, 3, 2, 4]));
    expect(pearson([1e6, 1e6 + 2 ** -30], [0, 1])).toBeCloseTo(1, 12);
  });

  it('ranks with ties in the middle', () => {
    expect(ranks([10, 20, 10, 30])).toEqual([1.5, 3, 1.5, 4]);
  });

  it('does not change rank correlations when the data are stretched', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })), {
          minLength: 3,
          maxLength: 20,
        }),
        (items) => {
          const x = items.map(([first]) => first);
          const y = items.map(([, second]) => second);
          const stretched = x.map((value) => value ** 3 + 1e3);
          expect(spearman(stretched, y)).toEqual(spearman(x, y));
          expect(kendallTauB(stretched, y)).toEqual(kendallTauB(x, y));
        },
      ),
    );
  });

  it.each([
    [() => agreementTable([0], [0, 1], scale), 'b'],
    [() => agreementTable([], [], scale), 'a'],
    [() => agreementTable([4], [1], scale), 'a'],
    [() => agreementTable([1], [1], [1]), 'scale'],
    [
      () =>
        fleissKappa([
          [2, 0],
          [1, 0],
        ]),
      'counts\\[1\\]',
    ],
    [() => krippendorffAlpha([[1, 2], [1]], scale, 'nominal'), 'ratings\\[1\\]'],
    [() => krippendorffAlpha([[9]], scale, 'nominal'), 'ratings'],
    [() => pearson([1, 2], [1]), 'y'],
    [() => ranks([NaN]), 'x\\[0\\]'],
  ])('names the wrong argument: %s', (call, name) => {
    expect(call).toThrow(RangeError);
    expect(call).toThrow(new RegExp(`^${name} `));
  });
});
