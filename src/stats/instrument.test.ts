import { describe, expect, it } from 'vitest';
import { differenceTest, type DifferenceTestInput } from './differenceTest';
import { effectInterval } from './effectInterval';
import { energyDistance } from './energy';
import { isEquivalent } from './equivalence';
import { euclideanDistances } from './matrices';
import { minimumDetectable } from './minimumDetectable';
import { noiseFloor } from './noiseFloor';
import { normalQuantile } from './normal';
import { createRng } from './rng';

const DIM = 8;
const normals = (seed: number) => {
  const rng = createRng(seed, 'normals');
  return () => normalQuantile((rng.uint32() + 0.5) / 4294967296);
};

function baseline(k: number, spread: number, seed = 1): DifferenceTestInput {
  const normal = normals(seed);
  const vectors = Float64Array.from(
    { length: k * DIM },
    (_, at) => (at % DIM === 0 ? 3 : 0) + spread * normal(),
  );
  return {
    ...{ n0: k, n1: 0, embeddings: [{ embedder: 'e', dim: DIM, vectors }] },
    ...{ permutations: 999, bins: 30, bootstrapDraws: 0, confidence: 0.95, seed },
  };
}

describe('noiseFloor', () => {
  it('lists all half-splits of a small baseline and 2,000 of a large one', () => {
    expect(noiseFloor(baseline(8, 0.5))!.draws).toBe(70);
    expect(noiseFloor(baseline(7, 0.5))!.draws).toBe(35);
    const floor = noiseFloor(baseline(30, 0.5))!;
    expect(floor.draws).toBe(2000);
    expect(floor.median).toBeLessThan(floor.q95);
    expect(Math.abs(floor.median)).toBeLessThan(0.01);
  });

  it('is as high as the effects of two arms of the whole size, not of halves', () => {
    const k = 20;
    const effects = Array.from({ length: 120 }, (_, seed) => {
      const both = baseline(2 * k, 0.5, seed);
      return differenceTest({ ...both, n0: k, n1: k, permutations: 199 }).effect!.debiased;
    });
    const floors = Array.from({ length: 30 }, (_, seed) => noiseFloor(baseline(k, 0.5, 500 + seed))!.q95);
    const floor = floors.reduce((sum, q95) => sum + q95, 0) / floors.length;
    const above = effects.filter((effect) => effect > floor).length / effects.length;
    expect(above).toBeGreaterThan(0.01);
    expect(above).toBeLessThan(0.12);
  });

  it('takes a real second arm of the same prompt as it is, and agrees with the halves', () => {
    const k = 20;
    const mean = (floors: number[]) => floors.reduce((sum, q95) => sum + q95, 0) / floors.length;
    const seeds = Array.from({ length: 30 }, (_, seed) => seed);
    const repeat = noiseFloor({ ...baseline(2 * k, 0.5), n0: k, n1: k })!;
    expect(repeat).toMatchObject({ source: 'repeatArm', draws: 2000 });
    const repeats = mean(
      seeds.map((seed) => noiseFloor({ ...baseline(2 * k, 0.5, seed), n0: k, n1: k })!.q95),
    );
    const halves = mean(seeds.map((seed) => noiseFloor(baseline(k, 0.5, 500 + seed))!.q95));
    expect(repeats / halves).toBeGreaterThan(0.7);
    expect(repeats / halves).toBeLessThan(1.4);
  });

  it('falls as the baseline grows', () => {
    expect(noiseFloor(baseline(80, 0.5))!.q95).toBeLessThan(noiseFloor(baseline(10, 0.5))!.q95);
  });

  it('is 0 where all answers are the same, and null where nothing can be split', () => {
    expect(noiseFloor(baseline(8, 0))).toMatchObject({ median: 0, q95: 0 });
    expect(noiseFloor(baseline(3, 1))).toBeNull();
    expect(noiseFloor({ ...baseline(8, 1), embeddings: [] })).toBeNull();
  });
});

describe('minimumDetectable', () => {
  const test = (k: number, spread: number, comparisons = 1) =>
    minimumDetectable({ ...baseline(k, spread), comparisons, alpha: 0.05 })!;

  it('falls with the number of samples and rises with the number of comparisons', () => {
    const [small, large, many] = [test(8, 0.5), test(24, 0.5), test(24, 0.5, 20)];
    expect(large.share!).toBeLessThan(small.share!);
    expect(many.share!).toBeGreaterThan(large.share!);
    expect(large).toMatchObject({ power: 0.8, alpha: 0.05 });
  });

  it('says that nothing can be found where the floor of p lies above the level', () => {
    const few = { ...baseline(8, 0.5), permutations: 19, comparisons: 2, alpha: 0.05 };
    expect(minimumDetectable(few)!.share).toBeNull();
  });

  it('is that of the statistic which decides alone', () => {
    const of = (statistic?: 'published-jsd' | 'published-energy-euclidean' | 'published-energy-l1') =>
      minimumDetectable({
        ...{ ...baseline(20, 0.5), comparisons: 1, alpha: 0.05 },
        ...(statistic === undefined ? {} : { statistic }),
      });
    const [family, jsd] = [of()!, of('published-jsd')!];
    expect(jsd.share).not.toBe(family.share);
    expect(of('published-energy-euclidean')!.share).toBeGreaterThan(0);
    expect(of('published-energy-l1')).toBeNull();
  });

  it('is repeatable and refuses wrong arguments', () => {
    expect(test(6, 0.5)).toEqual(test(6, 0.5));
    expect(() => test(6, 0.5, 0)).toThrow('comparisons');
    expect(() => minimumDetectable({ ...baseline(6, 0.5), comparisons: 1, alpha: 1 })).toThrow('alpha');
    expect(minimumDetectable({ ...baseline(3, 0.5), comparisons: 1, alpha: 0.05 })).toBeNull();
  });
});

describe('effectInterval', () => {
  /** Two normal samples on a line, `shift` apart; the unbiased H of a sample is its debiased effect here. */
  function sample(n: number, shift: number, seed: number) {
    const normal = normals(seed);
    const points = Float64Array.from({ length: 2 * n }, (_, i) => normal() + (i < n ? 0 : shift));
    const distance = euclideanDistances(points, 2 * n, 1);
    const { u, meanCross } = energyDistance(distance, n, n);
    return { distance, n0: n, n1: n, debiased: u! / (2 * meanCross), draws: 300, confidence: 0.95, seed };
  }

  it('covers the true effect about as often as it says', () => {
    const truth = sample(900, 1, 1e6).debiased;
    const replicates = 150;
    let covered = 0;
    for (let seed = 0; seed < replicates; seed++) {
      const { low, high } = effectInterval(sample(20, 1, seed));
      if (low <= truth && truth <= high) covered++;
    }
    expect(covered / replicates).toBeGreaterThan(0.86);
  });

  it('covers the effect of arms that lie far apart, where a bias of 1/k would be wider than the interval', () => {
    const arms = (n: number, seed: number): DifferenceTestInput => {
      const normal = normals(seed);
      const vectors = Float64Array.from({ length: 2 * n * DIM }, (_, at) => {
        const centre = (at < n * DIM ? at % DIM === 0 : at % DIM === 1) ? 1 : 0;
        return centre + 0.1 * normal();
      });
      return { ...baseline(1, 1), n0: n, n1: n, embeddings: [{ embedder: 'e', dim: DIM, vectors }] };
    };
    const truth = differenceTest({ ...arms(400, 1e6), permutations: 99 }).effect!.debiased;
    let covered = 0;
    for (let seed = 0; seed < 60; seed++) {
      const input = { ...arms(20, seed), permutations: 4999, bootstrapDraws: 300, seed };
      const { low, high } = differenceTest(input).effect!.interval;
      if (low <= truth && truth <= high) covered++;
    }
    expect(truth).toBeGreaterThan(0.7);
    expect(covered).toBeGreaterThanOrEqual(50);
  });

  it('holds 0 under no effect, with the stated level, and says nothing without draws', () => {
    const holds = Array.from({ length: 60 }, (_, seed) => effectInterval(sample(20, 0, seed)));
    expect(holds.filter(({ low }) => low <= 0).length).toBeGreaterThanOrEqual(55);
    expect(holds[0]!.level).toBe(0.95);
    expect(effectInterval({ ...sample(5, 0, 1), draws: 0 })).toEqual({ low: -1, high: 1, level: 0.95 });
  });
});

describe('isEquivalent', () => {
  it('wants the whole interval inside the margin', () => {
    expect(isEquivalent({ low: -0.02, high: 0.03 }, 0.05)).toBe(true);
    expect(isEquivalent({ low: 0.01, high: 0.05 }, 0.05)).toBe(false);
    expect(isEquivalent({ low: -0.2, high: 0.03 }, 0.05)).toBe(true);
    expect(isEquivalent({ low: -0.2, high: 0.03 }, 0.05, true)).toBe(false);
  });

  it('refuses a margin that is not above 0 and an interval that is none', () => {
    expect(() => isEquivalent({ low: 0, high: 1 }, 0)).toThrow('margin');
    expect(() => isEquivalent({ low: 1, high: 0 }, 1)).toThrow('interval');
    expect(() => isEquivalent({ low: NaN, high: 0 }, 1)).toThrow('interval');
  });
});
