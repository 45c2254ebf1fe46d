import { describe, expect, it, vi } from 'vitest';
import { publishedStatisticSchema, type PublishedStatistic } from '../contracts/testOptions';
import { differenceTest } from './differenceTest';
import { countInBins, evenEdges, jsDistance } from './jsd';
import { pairMatrices, unitRows } from './matrices';
import { normalQuantile } from './normal';
import { publishedTest } from './publishedTest';
import { createRng } from './rng';

const DIM = 16;
const gaussian = (seed: number, stream: string) => {
  const rng = createRng(seed, stream);
  return () => normalQuantile((rng.uint32() + 0.5) / 4294967296);
};

/** Embeddings around one centre; the second arm moved along the first axis. */
function arms(k: number, { shift = 0, noise = 0.5 }, seed: number): Float64Array {
  const normal = gaussian(seed, 'arms');
  return Float64Array.from({ length: 2 * k * DIM }, (_, at) => {
    const second = at >= k * DIM;
    const centre = at % DIM === 1 ? 3 : 0;
    const moved = second && at % DIM === 0 ? shift : 0;
    return centre + moved + noise * normal();
  });
}

function published(
  vectors: Float64Array,
  k: number,
  seed = 1,
  statistic: PublishedStatistic = 'published-jsd',
  dim = DIM,
) {
  return publishedTest({ n0: k, n1: k, dim, vectors, statistic, permutations: 199, seed });
}

/** Similarities within arm 0 and across, as the paper's P0 and P1. */
function similarities(vectors: Float64Array, k: number, dim = DIM): { p0: number[]; p1: number[] } {
  const { similarity } = pairMatrices(unitRows(vectors, 2 * k, dim), 2 * k, dim);
  const p0: number[] = [];
  const p1: number[] = [];
  for (let i = 0; i < k; i++) {
    for (let j = i + 1; j < 2 * k; j++) (j < k ? p0 : p1).push(similarity[i * 2 * k + j]!);
  }
  return { p0, p1 };
}

describe('known defects of the published code stay out', () => {
  it('(a) edges are shared, so a shift of location is not erased', () => {
    const k = 12;
    const { p0, p1 } = similarities(arms(k, { shift: 3, noise: 0.15 }, 1), k);
    const ownEdges = (values: number[]) =>
      countInBins(values, evenEdges(Math.min(...values), Math.max(...values), 30));
    const shared = evenEdges(Math.min(...p0, ...p1), Math.max(...p0, ...p1), 30);
    const separate = jsDistance(ownEdges(p0), ownEdges(p1));
    const together = jsDistance(countInBins(p0, shared), countInBins(p1, shared));
    expect(together).toBeGreaterThan(0.8);
    expect(separate).toBeLessThan(together - 0.25);
    const shifted = (seed: number) => arms(k, { shift: 3, noise: 0.15 }, seed);
    const detected = [1, 2, 3, 4, 5].filter((seed) => published(shifted(seed), k).p <= 0.05);
    expect(detected.length).toBe(5);
  });

  it('(b) outputs are permuted, not similarity scores, so false alarms keep to the level', () => {
    const k = 10;
    const replicates = 200;
    let ours = 0;
    let scores = 0;
    for (let seed = 0; seed < replicates; seed++) {
      // Directions in a plane: one odd output moves all of its similarities, so scores depend on each other.
      const normal = gaussian(seed, 'angles');
      const angles = Array.from({ length: 2 * k }, () => 0.6 * normal());
      const vectors = Float64Array.from(angles.flatMap((angle) => [Math.cos(angle), Math.sin(angle)]));
      if (published(vectors, k, seed, 'published-jsd', 2).p <= 0.05) ours++;
      if (permuteScores(similarities(vectors, k, 2), seed) <= 0.05) scores++;
    }
    const limit = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / replicates);
    expect(ours / replicates).toBeLessThan(limit);
    // The defect itself, so that this test is known to be able to see it.
    expect(scores / replicates).toBeGreaterThan(limit);
  });

  it('(c) p is never 0', () => {
    const vectors = arms(10, { shift: 20 }, 1);
    for (const statistic of publishedStatisticSchema.options) {
      expect(published(vectors, 10, 1, statistic).p).toBe(1 / 200);
    }
  });

  it('(d) a run can be repeated: chance comes from the seed alone', () => {
    const random = vi.spyOn(Math, 'random');
    const vectors = arms(10, { shift: 0.3 }, 1);
    expect(published(vectors, 10, 5)).toEqual(published(vectors, 10, 5));
    expect(published(vectors, 10, 5).p).not.toBe(published(vectors, 10, 6).p);
    expect(random).not.toHaveBeenCalled();
    random.mockRestore();
  });

  it('(e) an echoed prompt would be told apart although the answers are the same: outputs must come without it', () => {
    const answers = [
      'Take it twice a day.',
      'Twice a day.',
      'Two times daily.',
      'Once in the morning and evening.',
    ];
    const outputs = (echo: [string, string]) =>
      [...answers, ...answers].map((text, i) => echo[i < 4 ? 0 : 1] + text);
    const test = (strings: string[]) =>
      differenceTest({
        ...{ n0: 4, n1: 4, embeddings: [], strings, permutations: 999 },
        ...{ bins: 30, bootstrapDraws: 0, confidence: 0.95, seed: 1 },
      }).p!;
    expect(test(outputs(['', '']))).toBe(1);
    expect(test(outputs(['Act as a doctor. ', 'Be brief and act as a nurse. ']))).toBeLessThan(0.05);
  });

  it('(f) the raw statistic has a floor: A against A is far from 0, its debiased value is not', () => {
    const k = 20;
    const results = Array.from({ length: 30 }, (_, seed) =>
      differenceTest({
        ...{ n0: k, n1: k, embeddings: [{ embedder: 'e', dim: DIM, vectors: arms(k, {}, seed) }] },
        ...{ permutations: 199, bins: 30, bootstrapDraws: 0, confidence: 0.95, seed },
      }).members.find(({ id }) => id === 'e/jsd')!,
    );
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean(results.map(({ statistic }) => statistic))).toBeGreaterThan(0.1);
    expect(Math.abs(mean(results.map(({ statistic, nullMean }) => statistic - nullMean)))).toBeLessThan(0.03);
  });
});

describe('publishedTest', () => {
  it('decides differently by statistic on the same data: a shift is seen by energy and hardly by jsd', () => {
    const found = (statistic: PublishedStatistic) =>
      [1, 2, 3, 4, 5, 6, 7, 8].filter(
        (seed) => published(arms(20, { shift: 0.8 }, seed), 20, seed, statistic).p <= 0.05,
      ).length;
    const [jsd, ...energies] = publishedStatisticSchema.options.map(found);
    for (const energy of energies) expect(energy).toBeGreaterThan(jsd! + 3);
  });

  it('has the defaults of the paper and Bonferroni over its comparisons', () => {
    const given = {
      n0: 6,
      n1: 6,
      dim: DIM,
      vectors: arms(6, { shift: 0.4 }, 2),
      statistic: 'published-jsd' as const,
      seed: 1,
    };
    const one = publishedTest(given);
    expect(one.permutations).toBe(1000);
    expect(one.adjustedP).toBe(one.p);
    expect(publishedTest({ ...given, comparisons: 8 }).adjustedP).toBe(Math.min(1, 8 * one.p));
    expect(publishedTest({ ...given, comparisons: 1e6 }).adjustedP).toBe(1);
  });

  it('refuses wrong arguments by name', () => {
    const given = {
      n0: 6,
      n1: 6,
      dim: DIM,
      vectors: arms(6, {}, 2),
      statistic: 'published-jsd' as const,
      seed: 1,
    };
    expect(() => publishedTest({ ...given, n0: 1, n1: 11 })).toThrow('n0');
    expect(() => publishedTest({ ...given, permutations: 0 })).toThrow('permutations');
    expect(() => publishedTest({ ...given, comparisons: 0 })).toThrow('comparisons');
    expect(() => publishedTest({ ...given, dim: DIM + 1 })).toThrow(RangeError);
  });
});

/** The defect: shuffles the pooled scores as if they were independent. */
function permuteScores({ p0, p1 }: { p0: number[]; p1: number[] }, seed: number): number {
  const pooled = [...p0, ...p1];
  const edges = evenEdges(Math.min(...pooled), Math.max(...pooled), 30);
  const statistic = (values: number[]) =>
    jsDistance(countInBins(values.slice(0, p0.length), edges), countInBins(values.slice(p0.length), edges));
  const observed = statistic(pooled);
  const rng = createRng(seed, 'scores');
  let reached = 0;
  for (let b = 0; b < 99; b++) {
    for (let i = pooled.length - 1; i > 0; i--) {
      const j = rng.below(i + 1);
      [pooled[i], pooled[j]] = [pooled[j]!, pooled[i]!];
    }
    if (statistic(pooled) >= observed) reached++;
  }
  return (1 + reached) / 100;
}
