import { describe, expect, it } from 'vitest';
import type { FlipCount, Strength } from './flipRates';
import { mcnemar } from './mcnemar';
import { cochranArmitage, trendWithinQuestions } from './trend';

const counts = (flips: number[], n: number[]): FlipCount[] =>
  n.map((items, strength) => ({ strength: strength as Strength, flips: flips[strength]!, n: items }));

describe('Cochran–Armitage', () => {
  // Full enumeration in R 4: multivariate hypergeometric weights over all tables with the same number of flips.
  it.each([
    { flips: [1, 3, 9, 8], n: [20, 20, 20, 9], atLeast: 6.596613030238e-7, atMost: 0.999999873403185 },
    { flips: [2, 1, 4, 3], n: [12, 8, 9, 5], atLeast: 0.0310901611202599, atMost: 0.98675879181997 },
    { flips: [0, 2, 0, 1], n: [3, 7, 2, 2], atLeast: 0.282967032967034, atMost: 0.884615384615386 },
  ])('exact tails of $flips of $n', ({ flips, n, atLeast, atMost }) => {
    const trend = cochranArmitage(counts(flips, n))!;
    expect(trend.method).toBe('exact');
    expect(trend.pIncrease).toBeCloseTo(atLeast, 12);
    expect(trend.twoSided).toBeCloseTo(Math.min(1, 2 * Math.min(atLeast, atMost)), 12);
  });

  // R 4: prop.trend.test(flips, n, score = 0:3)$statistic · (N − 1)/N
  it('asymptotic z of many items, in either direction', () => {
    const up = cochranArmitage(counts([10, 30, 90, 80], [200, 200, 200, 90]))!;
    expect(up.method).toBe('asymptotic');
    expect(up.z).toBeCloseTo(15.0635608912614, 10);
    expect(up.twoSided / 2.81222757426486e-51).toBeCloseTo(1, 8);
    const down = cochranArmitage(counts([60, 55, 50, 40], [200, 200, 200, 190]))!;
    expect(down.z).toBeCloseTo(-2.08633203713713, 10);
    expect(down.twoSided).toBeCloseTo(0.0369485565751516, 10);
    expect(down.pIncrease).toBeCloseTo(0.981525721712424, 10);
  });

  it('is symmetric: exchanging flips and non-flips turns the trend round', () => {
    const n = [9, 7, 8, 6];
    const flips = [1, 2, 5, 4];
    const one = cochranArmitage(counts(flips, n))!;
    const other = cochranArmitage(
      counts(
        n.map((items, i) => items - flips[i]!),
        n,
      ),
    )!;
    expect(other.z).toBeCloseTo(-one.z, 12);
    expect(other.twoSided).toBeCloseTo(one.twoSided, 12);
  });

  it.each([
    ['no flips', [0, 0, 0, 0], [5, 5, 5, 5]],
    ['only flips', [5, 5, 5, 5], [5, 5, 5, 5]],
    ['one strength', [2, 0, 0, 0], [5, 0, 0, 0]],
    ['nothing', [0, 0, 0, 0], [0, 0, 0, 0]],
  ])('says nothing of %s', (_, flips, n) => {
    expect(cochranArmitage(counts(flips, n))).toBeNull();
  });
});

describe('the trend within questions', () => {
  const pair = (weak: boolean, strong: boolean) => counts([Number(weak), 0, 0, Number(strong)], [1, 0, 0, 1]);
  const repeat = <T>(value: T, times: number) => Array.from({ length: times }, () => value);

  it('is McNemar’s exact test for one item at each of two strengths; agreeing questions do not count', () => {
    const questions = [
      ...repeat(pair(false, true), 14),
      ...repeat(pair(true, false), 5),
      ...repeat(pair(true, true), 40),
      ...repeat(pair(false, false), 60),
    ];
    const trend = trendWithinQuestions(questions)!;
    expect(trend.twoSided).toBeCloseTo(mcnemar(14, 5).exactP, 12);
    // R 4: pbinom(13, 19, .5, lower = FALSE)
    expect(trend.pIncrease).toBeCloseTo(0.0317840576171875, 12);
  });

  // Enumerated in R 4 over the three questions.
  it('agrees with enumeration where questions have several items', () => {
    const trend = trendWithinQuestions([
      counts([0, 1, 0, 1], [1, 1, 1, 1]),
      counts([1, 0, 1, 1], [2, 1, 1, 1]),
      counts([0, 0, 0, 1], [1, 0, 1, 1]),
    ])!;
    expect(trend.pIncrease).toBeCloseTo(0.0777777777777778, 12);
    expect(trend.method).toBe('exact');
  });

  it('is not deceived by easy and hard questions', () => {
    // Hard questions flip whatever is done, and happen to have most of the strong changes.
    const hard = repeat(counts([1, 0, 0, 4], [1, 0, 0, 4]), 10);
    const easy = repeat(counts([0, 0, 0, 0], [4, 0, 0, 1]), 10);
    expect(trendWithinQuestions([...hard, ...easy])).toBeNull();
    const pooled = cochranArmitage(counts([10, 0, 0, 40], [50, 0, 0, 50]))!;
    expect(pooled.pIncrease).toBeLessThan(1e-6);
  });
});
