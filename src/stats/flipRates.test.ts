import { describe, expect, it } from 'vitest';
import { correctedFlipRates, correctedRates, misclassification, reassignmentBound } from './flipCorrection';
import { flipRates, flipRatesFromCounts, type FlipItem, type Strength } from './flipRates';
import { createRng } from './rng';
import { cochranArmitage } from './trend';

const counts = [
  { strength: 0, flips: 1, n: 20 },
  { strength: 1, flips: 3, n: 20 },
  { strength: 2, flips: 9, n: 20 },
  { strength: 3, flips: 8, n: 9 },
] as const;

const item = (question: string, strength: Strength | null, flipped: boolean): FlipItem => ({
  question,
  strength,
  flipped,
});

describe('flip rates', () => {
  it('greys rates of fewer than 10 items and with them the overall difference', () => {
    const { rows, overall } = flipRatesFromCounts(counts);
    expect(rows.map((row) => row.suppressed)).toEqual([false, false, false, true]);
    expect(overall).toMatchObject({ method: 'newcombe', suppressed: true });
  });

  it('has no rate, and no NaN, where there are no items', () => {
    const { rows, responsive, overall } = flipRatesFromCounts(counts.slice(0, 3));
    expect(rows[3]).toMatchObject({ rate: null, interval: null });
    expect([responsive, overall]).toEqual([null, null]);
  });

  it('uses Newcombe for different questions and a cluster bootstrap as soon as one occurs twice', () => {
    const once = Array.from({ length: 24 }, (_, i) => item(`q${i}`, i % 2 ? 3 : 0, i % 2 === 1 && i > 4));
    expect(flipRates(once, { rng: createRng(1) }).overall!.method).toBe('newcombe');
    const twice = [...once, item('q0', 3, true)];
    const result = flipRates(twice, { rng: createRng(1), draws: 300 });
    expect(result.overall!.method).toBe('clusterBootstrap');
    expect(result.overall!.interval!.low).toBeLessThan(result.overall!.difference);
  });

  it('counts unrated items apart, never as 0', () => {
    const result = flipRates([item('a', null, true), item('b', 0, false)], { rng: createRng(1) });
    expect(result.unrated).toBe(1);
    expect(result.rows[0]).toMatchObject({ n: 1, flips: 0 });
  });

  it('corrects nothing when the judge is always right and labels are many', () => {
    const labels = Array.from({ length: 4000 }, (_, i) => ({
      judged: (i % 4) as Strength,
      true: (i % 4) as Strength,
    }));
    const rates = correctedRates(counts, misclassification(labels));
    counts.forEach(({ strength, flips, n }) => expect(rates[strength]).toBeCloseTo(flips / n, 1));
  });

  it('pulls rates of confused levels together, with an interval over items and labels', () => {
    const items = counts.flatMap(({ strength, flips, n }) =>
      Array.from({ length: n }, (_, i) => item(`${strength}.${i}`, strength, i < flips)),
    );
    const labels = Array.from({ length: 40 }, (_, i) => {
      const judged = (i % 4) as Strength;
      return { judged, true: (judged === 2 && i % 8 === 2 ? 3 : judged) as Strength };
    });
    const result = correctedFlipRates(items, labels, { rng: createRng(4), draws: 300 });
    expect(result.rates[3]).toBeLessThan(8 / 9);
    expect(result.intervals[3]!.low).toBeLessThan(result.rates[3]!);
    expect(result.overall.interval!.high).toBeGreaterThan(result.overall.difference!);
  });

  it('bounds what judge error between 2 and 3 can do', () => {
    expect(reassignmentBound(counts, 0).responsive).toEqual({ low: 8 / 9, high: 8 / 9 });
    const { responsive, overall } = reassignmentBound(counts, 0.25);
    // 2 of 9 leave and 5 of 20 come: (8 − 2 + 0)/(9 − 2 + 5) and (8 − 1 + 5)/(9 − 2 + 5)
    expect(responsive!.low).toBeCloseTo(6 / 12, 12);
    expect(responsive!.high).toBe(1);
    expect(overall!.low).toBeCloseTo(6 / 12 - 1 / 20, 12);
    expect(reassignmentBound([], 0.2)).toEqual({ responsive: null, overall: null });
  });

  it('tests the trend over strength, exactly for few items', () => {
    const trend = cochranArmitage(counts)!;
    expect(trend.method).toBe('exact');
    expect(trend.pIncrease).toBeLessThan(1e-4);
    const flat = cochranArmitage(counts.map((row) => ({ ...row, flips: Math.round(row.n / 3) })))!;
    expect(flat.twoSided).toBeGreaterThan(0.5);
    const many = cochranArmitage(counts.map((row) => ({ ...row, flips: row.flips * 10, n: row.n * 10 })))!;
    expect(many.method).toBe('asymptotic');
    expect(cochranArmitage(counts.map((row) => ({ ...row, flips: 0 })))).toBeNull();
  });

  it('agrees with Fisher on two levels', () => {
    const trend = cochranArmitage([
      { strength: 0, flips: 1, n: 10 },
      { strength: 1, flips: 7, n: 12 },
    ])!;
    // hypergeometric upper tail for 7 or more of the 8 flips among the 12
    expect(trend.pIncrease).toBeCloseTo((792 * 10 + 495) / 319770, 12);
  });

  it('names the wrong argument', () => {
    expect(() => flipRatesFromCounts([{ strength: 0, flips: 3, n: 2 }])).toThrow(/^flips at strength 0 must/);
    expect(() => flipRatesFromCounts(counts, 2)).toThrow(/^confidence must/);
    expect(() => reassignmentBound(counts, -1)).toThrow(/^share must/);
    expect(() => correctedFlipRates([], [], { rng: createRng(1) })).toThrow(/^items must/);
    expect(() => cochranArmitage([{ strength: 0, flips: -1, n: 2 }])).toThrow(/^flips at strength 0 must/);
  });
});
