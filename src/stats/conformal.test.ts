import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  combineByLargestRank,
  conformalBinary,
  conformalCategorical,
  conformalExact,
  conformalFreeText,
  conformalP,
  decideConformal,
  fewestRewordings,
  rateScores,
} from './conformal';
import { drawNormal } from './draws';
import { median } from './quantile';
import { createRng } from './rng';

const unitVectors = (rows: number[][]) =>
  Float64Array.from(
    rows.flatMap((row) => {
      const length = Math.hypot(...row);
      return row.map((value) => value / length);
    }),
  );

describe('conformal', () => {
  it('is exact: over all ways to choose the test query, at most alpha of them reject', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 5, maxLength: 25 }),
        fc.constantFrom('atypical' as const, 'unlikeAny' as const),
        fc.double({ min: 0.02, max: 0.5, noNaN: true }),
        (counts, reading, alpha) => {
          const rejecting = counts.filter((testCount, j) => {
            const nullCounts = counts.filter((_, i) => i !== j);
            return conformalBinary({ nullCounts, testCount, responses: 20 }, reading).p <= alpha;
          });
          expect(rejecting.length).toBeLessThanOrEqual(alpha * counts.length + 1e-9);
        },
      ),
    );
  });

  it('scores as the definition says', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 15 }),
        (rates) => {
          rates.forEach((rate, j) => {
            const others = rates.filter((_, i) => i !== j);
            expect(rateScores(rates, 'atypical')[j]).toBeCloseTo(Math.abs(rate - median(others)), 12);
            expect(rateScores(rates, 'unlikeAny')[j]).toBeCloseTo(
              Math.min(...others.map((o) => Math.abs(o - rate))),
              12,
            );
          });
        },
      ),
    );
  });

  it('reads a query between two clusters both ways: not atypical, but unlike any (the two-point falsifier)', () => {
    const nullCounts = Array.from({ length: 19 }, (_, j) => (j % 2 ? 300 : 700) + (j % 5));
    const input = { nullCounts, testCount: 500, responses: 1000 };
    expect(conformalBinary(input, 'atypical').p).toBe(1);
    expect(conformalBinary(input, 'unlikeAny').p).toBe(1 / 20);
  });

  it('says undecided, with the number needed, where m can never reject', () => {
    expect(fewestRewordings(0.05)).toBe(19);
    expect(fewestRewordings(0.1)).toBe(9);
    const result = conformalBinary({ nullCounts: [5, 5, 5], testCount: 0, responses: 5 });
    expect(decideConformal(result, 0.05)).toMatchObject({
      state: 'undecided',
      reason: 'tooFewRewordings',
      m: 3,
      fewestRewordings: 19,
    });
    const enough = conformalBinary({ nullCounts: new Array<number>(19).fill(5), testCount: 0, responses: 5 });
    expect(decideConformal(enough, 0.05)).toEqual({ state: 'tested', p: 0.05, reject: true });
  });

  it('gives p = 1 where all queries answer the same', () => {
    expect(conformalBinary({ nullCounts: [3, 3, 3], testCount: 3, responses: 5 }).p).toBe(1);
    const text = unitVectors([
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
    expect(conformalFreeText({ embeddings: [{ dim: 2, vectors: text }], outputs: [1, 1, 1] }).p).toBe(1);
  });

  it('counts a new category, and probability outside the options, as a difference', () => {
    const nullCounts = Array.from({ length: 19 }, (_, j) => [10 + (j % 2), 2 - (j % 2), 0]);
    expect(conformalCategorical({ nullCounts, testCounts: [2, 0, 10] }).p).toBe(1 / 20);
    const nullProbabilities = Array.from({ length: 19 }, (_, j) => [0.7 + j / 1000, 0.3 - j / 1000]);
    const exact = conformalExact({ nullProbabilities, testProbabilities: [0.4, 0.1] });
    expect(exact.p).toBe(1 / 20);
    expect(exact.largestOutside).toBeCloseTo(0.5, 12);
    expect(
      conformalExact({ nullProbabilities, testProbabilities: [0.709, 0.291] }, 'unlikeAny').p,
    ).toBeGreaterThan(0.5);
  });

  it('finds a query whose free text is elsewhere, by the largest rank over embedders', () => {
    const rng = createRng(3);
    const cloud = (shift: number) =>
      Array.from({ length: 4 }, () =>
        Array.from({ length: 8 }, (_, d) => drawNormal(rng) + (d === 0 ? shift : 0)),
      );
    const rows = [...Array.from({ length: 19 }, () => cloud(3)).flat(), ...cloud(-3)];
    const blind = { dim: 1, vectors: Float64Array.from(rows, () => 1) };
    const seeing = { dim: 8, vectors: unitVectors(rows) };
    const outputs = new Array<number>(20).fill(4);
    expect(conformalFreeText({ embeddings: [seeing], outputs }).p).toBe(1 / 20);
    expect(conformalFreeText({ embeddings: [seeing], outputs }, 'unlikeAny').p).toBe(1 / 20);
    // An embedder that tells nothing apart puts everybody on the largest rank: it can only silence the test, not fool it.
    expect(conformalFreeText({ embeddings: [seeing, blind], outputs }).p).toBe(1);
    expect(
      combineByLargestRank([
        [1, 2, 3],
        [3, 2, 2],
      ]),
    ).toEqual([3, 2, 3]);
  });

  it.each([
    [() => conformalP([], 1), 'scores'],
    [() => conformalP([1], NaN), 'testScore\\[0\\]'],
    [() => fewestRewordings(0), 'alpha'],
    [() => conformalBinary({ nullCounts: [], testCount: 1, responses: 2 }), 'nullCounts'],
    [() => conformalBinary({ nullCounts: [3], testCount: 1, responses: 2 }), 'nullCounts\\[0\\]'],
    [() => conformalBinary({ nullCounts: [1], testCount: 1, responses: [2] }), 'responses'],
    [() => conformalCategorical({ nullCounts: [[1, 2]], testCounts: [1] }), 'nullCounts\\[0\\]'],
    [() => conformalCategorical({ nullCounts: [[0, 0]], testCounts: [1, 1] }), 'counts\\[0\\]'],
    [
      () => conformalExact({ nullProbabilities: [[0.8, 0.8]], testProbabilities: [0.5, 0.5] }),
      'probabilities\\[0\\]',
    ],
    [() => conformalFreeText({ embeddings: [], outputs: [1, 1] }), 'embeddings'],
    [
      () => conformalFreeText({ embeddings: [{ dim: 2, vectors: new Float32Array(3) }], outputs: [1, 1] }),
      'embeddings\\[0\\].vectors',
    ],
    [
      () =>
        conformalFreeText({ embeddings: [{ dim: 1, vectors: Float32Array.of(1, NaN) }], outputs: [1, 1] }),
      'embeddings\\[0\\].vectors\\[1\\]',
    ],
  ])('names the wrong argument: %s', (call, name) => {
    expect(call).toThrow(RangeError);
    expect(call).toThrow(new RegExp(`^${name} must`));
  });
});
