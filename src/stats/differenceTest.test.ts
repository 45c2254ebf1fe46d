import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differenceTest, type DifferenceTestInput, type DifferenceTestResult } from './differenceTest';
import { publishedStatisticSchema } from '../contracts/testOptions';
import { normalQuantile } from './normal';
import { publishedTest } from './publishedTest';
import { createRng } from './rng';

const DIM = 6;

/** Two arms of random vectors; the second is moved along the first axis. */
function input(n0: number, n1: number, shift = 0, seed = 1): DifferenceTestInput {
  const rng = createRng(seed, 'vectors');
  const vectors = Float64Array.from({ length: (n0 + n1) * DIM }, (_, k) => {
    const moved = k >= n0 * DIM && k % DIM === 0 ? shift : 0;
    return 0.5 + 0.6 * normalQuantile((rng.uint32() + 0.5) / 4294967296) + moved;
  });
  return settings({ n0, n1, embeddings: [{ embedder: 'e', dim: DIM, vectors }] });
}

function settings(outputs: Pick<DifferenceTestInput, 'n0' | 'n1' | 'embeddings' | 'labels' | 'strings'>) {
  return { permutations: 999, bins: 30, bootstrapDraws: 200, confidence: 0.95, seed: 7, ...outputs };
}

/** The same outputs in another order. */
function reordered(from: DifferenceTestInput, order: number[], n0 = from.n0): DifferenceTestInput {
  const { dim, vectors } = from.embeddings[0]!;
  const moved = Float64Array.from(order.flatMap((i) => Array.from(vectors.slice(i * dim, (i + 1) * dim))));
  return { ...from, n0, n1: from.n0 + from.n1 - n0, embeddings: [{ embedder: 'e', dim, vectors: moved }] };
}

const shuffled = (values: number[], seed: number) => {
  const rng = createRng(seed, 'shuffle');
  const result = [...values];
  for (let i = result.length - 1; i > 0; i--) {
    const j = rng.below(i + 1);
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
};
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const member = (result: DifferenceTestResult, id: string) => result.members.find((each) => each.id === id)!;
const seeds = fc.integer({ min: 0, max: 1e6 });

describe('differenceTest', () => {
  it('finds a shift and reports the whole family', () => {
    const result = differenceTest({ ...input(20, 20, 1.2), labels: labels(20, 20), strings: texts(40) });
    expect(result.state).toBe('tested');
    expect(result.p).toBeLessThan(0.01);
    expect(result.permutations).toBe(999);
    expect(result.members.map(({ id }) => id)).toEqual([
      ...['e/jsd', 'e/energy', 'e/mmd0.25', 'e/mmd0.5', 'e/mmd1', 'e/mmd2', 'e/mmd4'],
      ...['label', 'string'],
    ]);
    const { raw, debiased, interval } = result.effect!;
    expect(raw).toBeGreaterThan(debiased);
    expect(interval.low).toBeLessThan(debiased);
    expect(interval.high).toBeGreaterThan(debiased);
    expect(interval.low).toBeGreaterThan(0);
    expect(sum(result.histogram!.p0)).toBe(190);
    expect(sum(result.histogram!.p1)).toBe(400);
    expect(sum(result.nullHistogram!.counts)).toBe(1000);
    expect(result.nullHistogram!.observed).toBe(result.statistic);
  });

  it.each(publishedStatisticSchema.options)('lets %s decide alone, as published, on request', (statistic) => {
    const given = { ...input(8, 8, 0.8), strings: texts(16) };
    const { embeddings, n0, n1, permutations, bins, seed } = given;
    const alone = differenceTest({ ...given, statistic });
    const published = publishedTest({ n0, n1, ...embeddings[0]!, statistic, permutations, bins, seed });
    expect(alone.members.map(({ id }) => id)).toEqual([`e/${statistic}`]);
    expect(alone).toMatchObject({ p: published.p, exact: false, permutations: 999, pFloor: 1 / 1000 });
    expect(alone.members[0]).toMatchObject({ statistic: published.statistic, adjustedP: published.p });
    expect(alone.effect!.raw).toBe(differenceTest(given).effect!.raw);
    // There are 70 splits of 4 + 4; the paper draws them.
    expect(differenceTest({ ...input(4, 4), statistic }).permutations).toBe(999);
    expect(() => differenceTest({ ...given, embeddings: [], statistic })).toThrow(`statistic ${statistic}`);
  });

  it('takes several embedders into one family', () => {
    const one = input(6, 6, 0.5);
    const two = { ...one, embeddings: [...one.embeddings, { ...one.embeddings[0]!, embedder: 'f' }] };
    const result = differenceTest(two);
    expect(result.members.length).toBe(14);
    // The same evidence twice: the joint p stays where it was.
    expect(result.p).toBe(differenceTest(one).p);
  });

  it('gives the same numbers for the same seed and others for another', () => {
    const given = input(12, 11, 0.3);
    expect(differenceTest(given)).toEqual(differenceTest(given));
    expect(differenceTest({ ...given, seed: 8 }).members).not.toEqual(differenceTest(given).members);
  });

  it('states the floor of each member under enumeration: 1/M for jsd, 2/M for the symmetric ones', () => {
    const { members, pFloor, exact, permutations } = differenceTest(input(4, 4));
    expect([exact, permutations, pFloor]).toEqual([true, 70, 1 / 70]);
    expect(members.map((each) => each.pFloor)).toEqual([1 / 70, ...new Array<number>(6).fill(2 / 70)]);
    expect(differenceTest(input(4, 5)).members.every((each) => each.pFloor === 1 / 126)).toBe(true);
    expect(differenceTest(input(8, 8)).members.every((each) => each.pFloor === 1 / 1000)).toBe(true);
  });

  describe('properties', () => {
    it('does not depend on the order of outputs within an arm', () => {
      fc.assert(
        fc.property(seeds, (seed) => {
          const given = input(5, 5, 0.4, seed);
          const order = [...shuffled(range(0, 5), seed), ...shuffled(range(5, 10), seed + 1)];
          const [one, other] = [differenceTest(given), differenceTest(reordered(given, order))];
          expect(other.p).toBe(one.p);
          one.members.forEach((each, f) => {
            expect(other.members[f]!.p).toBe(each.p);
            expect(other.members[f]!.adjustedP).toBe(each.adjustedP);
            expect(other.members[f]!.statistic).toBeCloseTo(each.statistic, 10);
          });
        }),
        { numRuns: 25 },
      );
    });

    it('does not depend on which arm comes first, jsd excepted', () => {
      fc.assert(
        fc.property(seeds, fc.constantFrom([5, 5], [4, 6]), (seed, [n0, n1]) => {
          const given = input(n0!, n1!, 0.4, seed);
          const n = n0! + n1!;
          const swapped = reordered(given, [...range(n0!, n), ...range(0, n0!)], n1);
          const [one, other] = [differenceTest(given), differenceTest(swapped)];
          for (const each of one.members.filter(({ id }) => id !== 'e/jsd')) {
            expect(member(other, each.id).p).toBe(each.p);
            expect(member(other, each.id).z).toBeCloseTo(each.z, 8);
          }
          expect(other.effect!.debiased).toBeCloseTo(one.effect!.debiased, 10);
        }),
        { numRuns: 25 },
      );
    });

    it('does not depend on the length of the vectors', () => {
      fc.assert(
        fc.property(seeds, fc.constantFrom(1e-3, 0.5, 7, 1e4), (seed, scale) => {
          const given = input(5, 5, 0.4, seed);
          const scaled = given.embeddings.map((each) => ({
            ...each,
            vectors: Float64Array.from(each.vectors, (value) => value * scale),
          }));
          const [one, other] = [differenceTest(given), differenceTest({ ...given, embeddings: scaled })];
          expect(other.p).toBe(one.p);
          expect(other.effect!.raw).toBeCloseTo(one.effect!.raw, 10);
        }),
        { numRuns: 25 },
      );
    });

    it('orders adjusted p like z, never below raw p, nor any p below its floor', () => {
      fc.assert(
        fc.property(seeds, fc.double({ min: 0, max: 3, noNaN: true }), (seed, shift) => {
          const result = differenceTest({ ...input(8, 7, shift, seed), permutations: 99 });
          const byZ = [...result.members].sort((a, b) => b.z - a.z);
          byZ.forEach((each, rank) => {
            expect(each.adjustedP).toBeGreaterThanOrEqual(each.p);
            expect(each.p).toBeGreaterThanOrEqual(each.pFloor);
            if (rank > 0) expect(each.adjustedP).toBeGreaterThanOrEqual(byZ[rank - 1]!.adjustedP);
          });
          expect(result.p).toBe(byZ[0]!.adjustedP);
          expect(result.p).toBeGreaterThanOrEqual(result.pFloor!);
        }),
        { numRuns: 40 },
      );
    });

    it('rejects at most at its level under the null: p is super-uniform', () => {
      const replicates = 400;
      const p = range(0, replicates).map((seed) => {
        return differenceTest({ ...input(6, 6, 0, seed), permutations: 99, bootstrapDraws: 0, seed }).p!;
      });
      for (const alpha of [0.05, 0.1, 0.2, 0.5]) {
        const rate = p.filter((value) => value <= alpha).length / replicates;
        // Three standard errors: about one false failure in 700, and the seeds are fixed.
        expect(rate).toBeLessThan(alpha + 3 * Math.sqrt((alpha * (1 - alpha)) / replicates));
      }
    });

    it('agrees between enumeration and Monte Carlo within the error of the latter', () => {
      for (const seed of range(0, 5)) {
        const given = input(7, 7, 0.5, seed);
        const exact = differenceTest({ ...given, permutations: 3431 });
        const sampled = differenceTest({ ...given, permutations: 3430 });
        expect([exact.exact, sampled.exact]).toEqual([true, false]);
        exact.members.forEach((each, f) => {
          const error = Math.sqrt((each.p * (1 - each.p)) / 3430);
          expect(Math.abs(sampled.members[f]!.p - each.p)).toBeLessThan(4 * error + 1 / 3431);
        });
      }
    });
  });

  describe('degenerate and dirty data', () => {
    const constant = (value: number[], times: number) => Array.from({ length: times }, () => value).flat();
    const of = (n0: number, n1: number, values: number[]) =>
      settings({ n0, n1, embeddings: [{ embedder: 'e', dim: 2, vectors: Float64Array.from(values) }] });

    it('calls all outputs identical: p = 1, effect 0', () => {
      const result = differenceTest(of(5, 6, constant([1, 2], 11)));
      expect(result).toMatchObject({ state: 'identical', p: 1, statistic: 0, members: [] });
      expect(result.effect).toEqual({ raw: 0, debiased: 0, interval: { low: 0, high: 0, level: 0.95 } });
    });

    it('calls constant arms that differ deterministic and claims no p', () => {
      const result = differenceTest(of(5, 5, [...constant([1, 2], 5), ...constant([2, 1], 5)]));
      expect(result).toMatchObject({ state: 'deterministic', p: null, effect: null, members: [] });
    });

    it('lets texts decide what is identical when an embedder cannot tell them apart', () => {
      const same = of(5, 5, constant([1, 2], 10));
      const strings = [...new Array<string>(5).fill('yes'), ...new Array<string>(5).fill('no')];
      expect(differenceTest({ ...same, strings }).state).toBe('deterministic');
      const varied = strings.map((text, i) => `${text}${i % 2}`);
      const result = differenceTest({ ...same, strings: varied });
      expect(result.state).toBe('tested');
      expect(result.p).toBeLessThan(0.05);
      expect(result.effect!.raw).toBe(0);
      for (const each of result.members.filter(({ id }) => id !== 'string')) {
        expect(each.dropped).not.toBeNull();
        expect([each.z, each.p, each.adjustedP]).toEqual([0, 1, 1]);
      }
    });

    it('tests one constant and one varying arm', () => {
      const rng = createRng(3, 'varying');
      const varying = Array.from({ length: 20 }, () => rng.unit() - 0.5);
      const result = differenceTest(of(10, 10, [...constant([1, 2], 10), ...varying]));
      expect(result.state).toBe('tested');
      expect(result.p).toBeLessThan(0.01);
    });

    it('drops the MMDs when more than half of the pairs are equal, and says so', () => {
      const result = differenceTest(of(6, 6, [...constant([1, 2], 10), 3, -1, 2, 2]));
      const dropped = result.members.filter((each) => each.dropped !== null);
      expect(dropped.map(({ id }) => id)).toEqual(['e/mmd0.25', 'e/mmd0.5', 'e/mmd1', 'e/mmd2', 'e/mmd4']);
      expect(dropped[0]!.dropped).toContain('no bandwidth');
      expect(result.p).toBeGreaterThan(0.2);
    });

    it('gives p = 1 when every member is constant', () => {
      // All pairs of outputs equally far apart.
      const vectors = Float64Array.from({ length: 64 }, (_, i) => (i % 9 === 0 ? 1 : 0));
      const result = differenceTest(
        settings({ n0: 4, n1: 4, embeddings: [{ embedder: 'e', dim: 8, vectors }] }),
      );
      expect(result).toMatchObject({ state: 'tested', p: 1, statistic: 0, nullHistogram: null });
      expect(result.members.every((each) => each.dropped !== null)).toBe(true);
    });

    it('calls fewer than four outputs in an arm too few', () => {
      for (const [n0, n1] of [
        [3, 20],
        [20, 3],
        [1, 1],
        [0, 5],
      ] as const) {
        expect(differenceTest(input(n0, n1))).toMatchObject({
          state: 'tooFew',
          p: null,
          effect: null,
          members: [],
        });
      }
      expect(differenceTest(input(4, 4)).state).toBe('tested');
    });

    it('takes arms of different sizes', () => {
      const result = differenceTest(input(20, 9, 1.5));
      expect(result.state).toBe('tested');
      expect(result.p).toBeLessThan(0.05);
    });

    it('names the response whose embedding is broken', () => {
      const given = input(5, 6);
      const broken = (at: number, value: number) => {
        const vectors = Float64Array.from(given.embeddings[0]!.vectors);
        vectors.fill(value, at * DIM, value === 0 ? (at + 1) * DIM : at * DIM + 1);
        return { ...given, embeddings: [{ embedder: 'mini', dim: DIM, vectors }] };
      };
      expect(() => differenceTest(broken(2, NaN))).toThrow('response 3 of the baseline (mini) holds NaN');
      expect(() => differenceTest(broken(5, Infinity))).toThrow('response 1 of the perturbed arm (mini)');
      expect(() => differenceTest(broken(10, 0))).toThrow(
        'response 6 of the perturbed arm (mini) has length 0',
      );
      const vectors = given.embeddings[0]!.vectors.slice(0, 9 * DIM + 2);
      const short = { ...given, embeddings: [{ embedder: 'mini', dim: DIM, vectors }] };
      expect(() => differenceTest(short)).toThrow('response 5 of the perturbed arm (mini) has 2 of 6 values');
    });

    it.each([
      ['n0', { n0: -1 }],
      ['n1', { n1: 2.5 }],
      ['permutations', { permutations: 0 }],
      ['bins', { bins: 1 }],
      ['bins', { bins: 257 }],
      ['bootstrapDraws', { bootstrapDraws: -1 }],
      ['confidence', { confidence: 1 }],
      ['confidence', { confidence: NaN }],
      ['labels', { labels: ['a'] }],
      ['strings', { strings: [] }],
      ['nothing to test', { embeddings: [] }],
    ])('refuses a wrong %s', (name, wrong) => {
      const call = () => differenceTest({ ...input(5, 5), ...wrong });
      expect(call).toThrow(RangeError);
      expect(call).toThrow(name);
    });

    it('never returns NaN', () => {
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom(0, 1, 2), { minLength: 8, maxLength: 14 }),
          fc.integer({ min: 4, max: 10 }),
          (kinds, n0) => {
            fc.pre(kinds.length - n0 >= 4);
            const corners = [
              [1, 0, 0],
              [0, 1, 0],
              [0.6, 0.8, 0],
            ];
            const vectors = Float64Array.from(kinds.flatMap((kind) => corners[kind]!));
            const result = differenceTest(
              settings({
                n0,
                n1: kinds.length - n0,
                embeddings: [{ embedder: 'e', dim: 3, vectors }],
                labels: kinds.map(String),
              }),
            );
            expect(
              JSON.stringify(result, (_, value: unknown) => (Number.isNaN(value) ? 'NaN' : value)),
            ).not.toContain('NaN');
          },
        ),
        { numRuns: 60 },
      );
    });
  });
});

const labels = (n0: number, n1: number) =>
  range(0, n0 + n1).map((i) => (i % 3 === 0 ? 'yes' : i < n0 ? 'no' : 'maybe'));
const texts = (n: number) => range(0, n).map((i) => `answer ${i % 5}${'!'.repeat(i % 3)}`);
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
