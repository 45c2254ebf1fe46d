import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betaBinomialTest, predictiveMass, predictiveP } from './betaBinomial';
import { fitBetaBinomial } from './betaBinomialFit';
import { drawBeta, drawBinomial } from './draws';
import { createRng } from './rng';

const family = fc.array(
  fc.integer({ min: 1, max: 25 }).chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n))),
  { minLength: 3, maxLength: 20 },
);

describe('beta-binomial', () => {
  it('always gives a model: never NaN, never below the binomial likelihood', () => {
    fc.assert(
      fc.property(family, (items) => {
        const fit = fitBetaBinomial(
          items.map(([k]) => k),
          items.map(([, n]) => n),
        );
        expect(fit.logLik).toBeGreaterThanOrEqual(fit.binomialLogLik - 1e-9);
        expect(fit.mu).toBeGreaterThanOrEqual(0);
        expect(fit.mu).toBeLessThanOrEqual(1);
        expect(fit.a === null).toBe(fit.boundary !== null);
        const mass = predictiveMass(fit, 12, 100);
        expect(mass.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
      }),
    );
  });

  it('does not care which answer is called yes', () => {
    const k = [3, 9, 6, 10, 1, 7];
    const n = [10, 12, 10, 12, 10, 10];
    const fit = fitBetaBinomial(k, n);
    const mirrored = fitBetaBinomial(
      k.map((count, j) => n[j]! - count),
      n,
    );
    expect(mirrored.a! / fit.b!).toBeCloseTo(1, 8);
    expect(mirrored.logLik).toBeCloseTo(fit.logLik, 9);
  });

  it('finds the parameters that made many families', () => {
    const rng = createRng(11);
    const n = new Array<number>(3000).fill(30);
    const k = n.map((size) => drawBinomial(size, drawBeta(6, 2, rng), rng));
    const { a, b } = fitBetaBinomial(k, n);
    expect(a! / 6).toBeGreaterThan(0.9);
    expect(a! / 6).toBeLessThan(1.1);
    expect(a! / (a! + b!)).toBeCloseTo(0.75, 1);
  });

  // Two peaks of the likelihood, the higher one between two values of the grid; SciPy and mpmath: a = 5.0144, b = 1.1583.
  it('finds the higher of two peaks', () => {
    const fit = fitBetaBinomial([8, 50], [8, 73]);
    expect(fit.a).toBeCloseTo(5.0144355993, 6);
    expect(fit.b).toBeCloseTo(1.15829261745, 6);
    expect(fit.logLik).toBeGreaterThan(fit.binomialLogLik);
  });

  it('uses the rule of three where every answer is the same', () => {
    const fit = fitBetaBinomial([0, 0, 0], [10, 10, 10]);
    const mass = predictiveMass(fit, 10, 30);
    const k = new Array<number>(8).fill(0);
    const n = new Array<number>(8).fill(10);
    const test = (kNew: number) => betaBinomialTest({ k, n, kNew, r: 10, draws: 99, rng: createRng(1) });
    expect(test(0)).toMatchObject({ state: 'tested', p: 1, plugInP: 1 });
    const strange = test(8);
    if (strange.state !== 'tested') throw new Error('must be tested');
    expect(strange.p).toBeLessThan(0.05);
    expect(predictiveP(mass, 1).upper).toBeCloseTo(1 - 0.9 ** 10, 12);
    const full = fitBetaBinomial([10, 10, 10], [10, 10, 10]);
    expect(predictiveMass(full, 10, 30)[10]).toBeCloseTo(0.9 ** 10, 12);
  });

  it('is undecided with the reason where the spread cannot be known', () => {
    const rng = createRng(1);
    const outcome = (k: number[], n: number[]) => betaBinomialTest({ k, n, kNew: 1, r: 1, rng });
    expect(outcome([1, 0, 1], [1, 1, 1])).toMatchObject({ state: 'undecided', reason: 'notIdentifiable' });
    expect(outcome([9, 0, 9], [9, 9, 9])).toMatchObject({ state: 'undecided', reason: 'notIdentifiable' });
    expect(outcome([4, 5], [9, 9])).toMatchObject({ state: 'undecided', reason: 'tooFewFamilies' });
  });

  it('rejects what does not belong and the plug-in p is the smaller one', () => {
    const base = { k: [15, 17, 16, 18, 13, 19], n: [20, 20, 20, 20, 20, 20], r: 20, draws: 199 };
    const strange = betaBinomialTest({ ...base, kNew: 3, rng: createRng(2) });
    const ordinary = betaBinomialTest({ ...base, kNew: 16, rng: createRng(2) });
    if (strange.state !== 'tested' || ordinary.state !== 'tested') throw new Error('must be tested');
    expect(strange.p).toBeLessThanOrEqual(0.02);
    expect(strange.plugInP).toBeLessThan(strange.p);
    expect(ordinary.p).toBeGreaterThan(0.5);
  });

  it('names the wrong argument', () => {
    const rng = createRng(1);
    expect(() => fitBetaBinomial([], [])).toThrow(/^k must/);
    expect(() => fitBetaBinomial([1], [1, 2])).toThrow(/^n must/);
    expect(() => fitBetaBinomial([3], [2])).toThrow(/^k\[0\] must/);
    expect(() => betaBinomialTest({ k: [1], n: [2], kNew: 5, r: 4, rng })).toThrow(/^kNew must/);
    expect(() => betaBinomialTest({ k: [1], n: [2], kNew: 1, r: 4, draws: 9, rng })).toThrow(/^draws must/);
    expect(() => drawBeta(0, 1, rng)).toThrow(/^a must/);
    expect(() => drawBinomial(4, 2, rng)).toThrow(/^p must/);
  });

  it('draws binomial counts with the right mean and spread', () => {
    const rng = createRng(8);
    const draws = Array.from({ length: 4000 }, () => drawBinomial(50, 0.3, rng));
    const mean = draws.reduce((sum, k) => sum + k, 0) / draws.length;
    const variance = draws.reduce((sum, k) => sum + (k - mean) ** 2, 0) / draws.length;
    expect(Math.abs(mean - 15)).toBeLessThan(4 * Math.sqrt(10.5 / 4000));
    expect(variance / 10.5).toBeGreaterThan(0.9);
    expect(variance / 10.5).toBeLessThan(1.1);
    expect(drawBinomial(1e9, 0.5, rng) / 1e9).toBeCloseTo(0.5, 3);
  });
});
