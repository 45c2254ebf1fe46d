import { describe, expect, it } from 'vitest';
import { energyDistance } from './energy';
import { createRng } from './rng';
import { compareSteadiness, meanShift, pickShifts, shiftsOf, signFlip } from './steadiness';

const rng = createRng(5, 'steadiness');
const labelsOf = (rates: number[], k: number, chance = rng) => ({
  sizes: rates.map(() => k),
  outputs: {
    kind: 'labels' as const,
    labels: rates.flatMap((rate) => Array.from({ length: k }, () => (chance.unit() < rate ? 'a' : 'b'))),
  },
});
const options = { alpha: 0.05, permutations: 999, seed: 1 };

/** Energy distance without pairs of an output with itself, over twice the mean across. */
function byEnergy(first: number[][], second: number[][]): number {
  const all = [...first, ...second];
  const distances = all.flatMap((a) => all.map((b) => Math.hypot(...a.map((value, d) => value - b[d]!))));
  const { u, meanCross } = energyDistance(distances, first.length, second.length);
  return u / (2 * meanCross);
}

describe('shiftsOf', () => {
  const arms = [5, 4, 6].map((size) =>
    Array.from({ length: size }, () => [rng.unit(), rng.unit(), rng.unit()]),
  );
  const input = {
    sizes: arms.map(({ length }) => length),
    outputs: { kind: 'vectors' as const, dim: 3, vectors: Float32Array.from(arms.flat(2)) },
  };

  it('is the unbiased energy coefficient of every change, and the same with each baseline answer left out', () => {
    const { shifts, leftOut } = shiftsOf(input);
    for (const [i, arm] of arms.slice(1).entries()) {
      expect(shifts[i]).toBeCloseTo(byEnergy(arms[0]!, arm), 6);
      for (let j = 0; j < 5; j++)
        expect(leftOut[i]![j]).toBeCloseTo(
          byEnergy(
            arms[0]!.filter((_, at) => at !== j),
            arm,
          ),
          6,
        );
    }
  });

  it('is 1 for other constant answers, 0 for the same ones, and about 0 on average for chance', () => {
    const constant = shiftsOf({ sizes: [4, 4, 4], outputs: { kind: 'labels', labels: [...'aaaabbbbaaaa'] } });
    expect(constant.shifts).toEqual([1, 0]);
    const chance = Array.from({ length: 400 }, () => shiftsOf(labelsOf([0.6, 0.6], 12)).shifts[0]!);
    expect(Math.abs(chance.reduce((sum, value) => sum + value, 0) / 400)).toBeLessThan(0.01);
  });

  it('refuses sizes that do not fit', () => {
    expect(() => shiftsOf({ ...input, sizes: [5, 4] })).toThrow(RangeError);
    expect(() => shiftsOf({ ...input, sizes: [14, 1] })).toThrow('sizes[1]');
  });
});

describe('signFlip', () => {
  it('enumerates: all differences of one sign give 2 / 2^n', () => {
    expect(signFlip([1, 2, 3, 4, 5, 6], options)).toBe(2 / 64);
    expect(signFlip([1, -1], options)).toBe(1);
    expect(signFlip([0, 0, 0], options)).toBe(1);
  });
  it('draws where there are too many patterns, never 0, and the same again with the same seed', () => {
    const many = Array.from({ length: 20 }, (_, i) => 1 + i / 20);
    expect(signFlip(many, options)).toBe(1 / 1000);
    const mixed = many.map((value, i) => (i % 3 === 0 ? -value : value));
    expect(signFlip(mixed, options)).toBe(signFlip(mixed, options));
    expect(signFlip(mixed, { ...options, permutations: 20_000 })).toBeCloseTo(exactByGaussian(mixed), 1);
  });
});

/** Two-sided tail of the normal limit of the sign-flip distribution. */
function exactByGaussian(values: number[]): number {
  const z = Math.abs(values.reduce((sum, value) => sum + value, 0)) / Math.hypot(...values);
  let tail = 0;
  for (let x = z; x < 8; x += 0.001) tail += (0.001 * Math.exp(-(x ** 2) / 2)) / Math.sqrt(2 * Math.PI);
  return 2 * tail;
}

describe('compareSteadiness', () => {
  it('turns around with the models, and finds a model that most changes move', () => {
    const steady = [
      shiftsOf(
        labelsOf(
          Array.from({ length: 11 }, () => 0.95),
          20,
        ),
      ),
    ];
    const moved = [shiftsOf(labelsOf([0.95, ...Array.from({ length: 10 }, (_, i) => 0.1 + i / 50)], 20))];
    const forth = compareSteadiness(steady, moved, options)!;
    const back = compareSteadiness(moved, steady, options)!;
    expect(forth.p).toBeLessThan(0.01);
    expect(forth.interval.high).toBeLessThan(0);
    expect(back.difference).toBeCloseTo(-forth.difference, 12);
    expect(back.p).toBeCloseTo(forth.p, 12);
    expect(meanShift(moved, 0.95)!.interval.low).toBeGreaterThan(meanShift(steady, 0.95)!.interval.high);
  });

  it('keeps its level where sign flips alone do not, because all changes share one baseline sample', () => {
    const chance = createRng(9, 'size');
    const rates = Array.from({ length: 11 }, () => 0.6);
    let rejected = 0;
    let bySignFlips = 0;
    for (let run = 0; run < 200; run++) {
      const model = () => [shiftsOf(labelsOf(rates, 20, chance))];
      const { p, signFlipP } = compareSteadiness(model(), model(), options)!;
      rejected += Number(p <= 0.05);
      bySignFlips += Number(signFlipP <= 0.05);
    }
    // 200 runs at .05: 99.9% of such counts lie below 21.
    expect(rejected).toBeLessThan(21);
    expect(bySignFlips).toBeGreaterThan(21);
  });

  it('adds prompts up, takes subsets, and says nothing of a single change', () => {
    const all = shiftsOf(labelsOf([0.9, 0.2, 0.9, 0.9], 20));
    const [one, two] = [pickShifts(all, [0]), pickShifts(all, [1, 2])];
    expect(meanShift([one, two], 0.95)!.mean).toBeCloseTo(
      all.shifts.reduce((sum, value) => sum + value, 0) / 3,
      12,
    );
    expect(compareSteadiness([one], [one], options)).toBeNull();
    expect(compareSteadiness([all], [all], options)).toMatchObject({ difference: 0, p: 1 });
    expect(() => compareSteadiness([all], [one], options)).toThrow(RangeError);
    expect(() => compareSteadiness([all], [], options)).toThrow(RangeError);
  });
});
