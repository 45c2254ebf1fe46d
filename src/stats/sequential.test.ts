import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cohenH,
  mdeShareBeforeRun,
  mdeTwoProportions,
  powerArcsine,
  powerFisher,
  powerPooledZ,
  samplesPerArm,
} from './power';
import { createRng } from './rng';
import { callsSaved, lookSizes, sequentialTest, spendingPlan } from './sequential';

const alpha = fc.double({ min: 0.001, max: 0.2, noNaN: true });

describe('sequential looks', () => {
  it('spends alpha, no more and no less, and more at each look', () => {
    fc.assert(
      fc.property(
        alpha,
        fc.uniqueArray(fc.integer({ min: 5, max: 99 }), { minLength: 1, maxLength: 5 }),
        (level, percent) => {
          const fractions = [...percent.sort((x, y) => x - y).map((t) => t / 100), 1];
          const { cumulative, increments } = spendingPlan(level, fractions);
          expect(increments.reduce((sum, value) => sum + value, 0)).toBeCloseTo(level, 12);
          increments.forEach((value) => expect(value).toBeGreaterThanOrEqual(0));
          expect(cumulative[cumulative.length - 1]).toBe(level);
        },
      ),
    );
    expect(spendingPlan(0.05).increments.map((level) => Number(level.toFixed(4)))).toEqual([
      0.0019, 0.0172, 0.0309,
    ]);
  });

  it('has an adjusted p of at most alpha exactly when a look rejects', () => {
    fc.assert(
      fc.property(
        alpha,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 }),
        (level, p) => {
          const { rejectAtLook, adjustedP } = sequentialTest(p, level);
          expect(adjustedP <= level * (1 + 1e-12)).toBe(rejectAtLook !== null);
        },
      ),
    );
  });

  it('holds its level whatever the looks have to do with each other', () => {
    const rng = createRng(31);
    let same = 0;
    let independent = 0;
    for (let i = 0; i < 20_000; i++) {
      const u = rng.unit();
      if (sequentialTest([u, u, u], 0.05).rejectAtLook !== null) same++;
      if (sequentialTest([rng.unit(), rng.unit(), rng.unit()], 0.05).rejectAtLook !== null) independent++;
    }
    expect(same / 20_000).toBeLessThan(0.05);
    expect(independent / 20_000).toBeLessThan(0.054);
  });

  it('rejects at a p that is its level but for rounding', () => {
    const [first] = spendingPlan(0.2).increments;
    expect(sequentialTest([first! * (1 + 2e-16)], 0.2).rejectAtLook).toBe(0);
    expect(sequentialTest([first! * (1 + 1e-9)], 0.2).rejectAtLook).toBeNull();
  });

  it('does not reject at a look whose level underflows', () => {
    expect(sequentialTest([0], 0.05, [0.0001, 1])).toEqual({
      rejectAtLook: null,
      looksUsed: 1,
      adjustedP: 1,
    });
  });

  it('counts the calls saved', () => {
    expect(lookSizes(20)).toEqual([8, 14, 20]);
    expect(lookSizes(5)).toEqual([4, 5]);
    const result = callsSaved({
      sizes: [8, 14, 20],
      conditions: 5,
      stoppedAtLook: 0,
      stopProbabilities: [0.5, 0.25, 0],
    });
    expect(result).toEqual({ actual: 40, fixed: 100, saved: 60, expected: 5 * (4 + 3.5 + 5) });
  });

  it.each([
    [() => spendingPlan(0), 'alpha'],
    [() => spendingPlan(0.05, [0.7, 0.4, 1]), 'fractions\\[1\\]'],
    [() => spendingPlan(0.05, [0.5]), 'fractions'],
    [() => sequentialTest([], 0.05), 'p'],
    [() => sequentialTest([1.2], 0.05), 'p\\[0\\]'],
    [() => lookSizes(3), 'k'],
    [() => callsSaved({ sizes: [4], conditions: 1, stoppedAtLook: 1 }), 'stoppedAtLook'],
    [() => powerArcsine(NaN, 10, 0.05), 'h'],
    [() => powerFisher(0.1, 0.2, 0, 5, 0.05), 'n0'],
    [() => mdeTwoProportions(-1, 10, 0.05), 'p1'],
    [() => mdeShareBeforeRun({ n0: 5, n1: 5, alpha: 0.05, power: 1 }), 'power'],
    [() => cohenH(0, 2), 'p2'],
  ])('names the wrong argument: %s', (call, name) => {
    expect(call).toThrow(RangeError);
    expect(call).toThrow(new RegExp(`^${name} must`));
  });
});

describe('power', () => {
  it('is alpha without an effect and rises with effect and size', () => {
    expect(powerArcsine(0, 50, 0.05)).toBeCloseTo(0.05, 12);
    expect(powerArcsine(0.5, 60, 0.05)).toBeGreaterThan(powerArcsine(0.5, 30, 0.05));
    expect(powerPooledZ(0.2, 0.6, 20, 0.05)).toBeGreaterThan(powerPooledZ(0.2, 0.4, 20, 0.05));
    expect(powerPooledZ(0, 1, 5, 0.05)).toBe(1);
    expect(powerPooledZ(1, 1, 5, 0.05)).toBe(0);
  });

  it('inverts: the size for an effect has that power, the MDE of a size has it too', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 2, noNaN: true }),
        fc.double({ min: 0.3, max: 0.99, noNaN: true }),
        (h, power) => {
          expect(powerArcsine(h, samplesPerArm(h, 0.05, power)!, 0.05)).toBeCloseTo(power, 9);
          expect(powerArcsine(mdeTwoProportions(0.1, 40, 0.05, power).h!, 40, 0.05)).toBeCloseTo(power, 9);
        },
      ),
    );
    expect(samplesPerArm(0, 0.05, 0.8)).toBeNull();
    expect(mdeTwoProportions(0.95, 5, 0.05).p2).toBeNull();
    expect(mdeTwoProportions(0.5, 50, 0.5, 0.4).h).toBeNull();
  });

  it('knows before a run what share of changed answers would be found', () => {
    const share = mdeShareBeforeRun({ n0: 20, n1: 20, alpha: 0.05 })!;
    expect(powerFisher(0, share, 20, 20, 0.05)).toBeGreaterThanOrEqual(0.8);
    expect(powerFisher(0, share - 0.001, 20, 20, 0.05)).toBeLessThan(0.8);
    expect(mdeShareBeforeRun({ n0: 3, n1: 3, alpha: 0.05 })).toBeNull();
    // Enumerated and approximated, next to the size where one takes over from the other.
    const [small, large] = [60, 61].map((n) => mdeShareBeforeRun({ n0: n, n1: n, alpha: 0.005 })!);
    expect(Math.abs(small! - large!)).toBeLessThan(0.05);
    expect(mdeShareBeforeRun({ n0: 2000, n1: 2000, alpha: 0.005 })).toBeLessThan(0.02);
  });
});
