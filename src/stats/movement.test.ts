import { describe, expect, it } from 'vitest';
import { clopperPearson } from './proportions';
import { compareMovement, movementOf, type PromptAnswers } from './movement';
import { createRng, type Rng } from './rng';

const DIM = 6;

/** `n` answers around a direction, `spread` 0: all the same; a share of them around another direction. */
function answers(rng: Rng, n: number, { spread = 0.4, moved = 0 } = {}): Float32Array {
  const rows = new Float32Array(n * DIM);
  for (let i = 0; i < n; i++) {
    const towards = rng.unit() < moved ? 1 : 0;
    for (let k = 0; k < DIM; k++) {
      rows[i * DIM + k] = (k === towards ? 1 : 0) + spread * (rng.unit() - rng.unit());
    }
  }
  return rows;
}

const promptOf = (rng: Rng, moved: number[], n = 12): PromptAnswers => ({
  dim: DIM,
  baseline: answers(rng, n),
  changed: moved.map((share) => answers(rng, n, { moved: share })),
});

const without = (rows: Float32Array, row: number) =>
  Float32Array.from([...rows.subarray(0, row * DIM), ...rows.subarray((row + 1) * DIM)]);

describe('the mean movement', () => {
  it('is about 0 where nothing moves, and grows with what moves', () => {
    const rng = createRng(1);
    const still = movementOf([promptOf(rng, Array<number>(30).fill(0), 20)]);
    const some = movementOf([promptOf(rng, Array<number>(30).fill(0.3), 20)]);
    const all = movementOf([promptOf(rng, Array<number>(30).fill(1), 20)]);
    expect(Math.abs(still.mean)).toBeLessThan(0.02);
    expect(some.mean).toBeGreaterThan(still.interval.high);
    expect(all.mean).toBeGreaterThan(some.interval.high);
    expect(all.mean).toBeLessThanOrEqual(1);
    expect(all.items).toBe(30);
  });

  it('has the variance that leaving out each answer in turn gives', () => {
    const rng = createRng(2);
    const prompts = [promptOf(rng, [0, 0.5, 1], 7), promptOf(rng, [0.2], 5)];
    const groupVariance = (variants: number[]) => {
      const mean = variants.reduce((a, b) => a + b, 0) / variants.length;
      return (
        ((variants.length - 1) / variants.length) *
        variants.reduce((sum, value) => sum + (value - mean) ** 2, 0)
      );
    };
    let expected = 0;
    prompts.forEach((prompt, at) => {
      const replaced = (part: Partial<PromptAnswers>) =>
        movementOf(prompts.map((one, i) => (i === at ? { ...one, ...part } : one))).mean;
      const rowsOf = (rows: Float32Array) => Array.from({ length: rows.length / DIM }, (_, row) => row);
      expected += groupVariance(
        rowsOf(prompt.baseline).map((row) => replaced({ baseline: without(prompt.baseline, row) })),
      );
      prompt.changed.forEach((arm, which) => {
        expected += groupVariance(
          rowsOf(arm).map((row) =>
            replaced({ changed: prompt.changed.map((one, i) => (i === which ? without(one, row) : one)) }),
          ),
        );
      });
    });
    expect(movementOf(prompts).variance).toBeCloseTo(expected, 12);
  });

  it('of answers that never vary is exact, and claims no p', () => {
    const constant = (direction: number) =>
      Float32Array.from({ length: 4 * DIM }, (_, i) => (i % DIM === direction ? 1 : 0));
    const same = movementOf([{ dim: DIM, baseline: constant(0), changed: [constant(0), constant(0)] }]);
    const half = movementOf([{ dim: DIM, baseline: constant(0), changed: [constant(0), constant(1)] }]);
    expect(same).toMatchObject({ mean: 0, variance: 0, interval: { low: 0, high: 0 } });
    expect(half).toMatchObject({ mean: 0.5, variance: 0 });
    expect(compareMovement(same, half)).toMatchObject({ difference: 0.5, p: null });
  });

  it.each([
    ['no change', [{ dim: DIM, baseline: answers(createRng(3), 4), changed: [] }], /no change/],
    [
      'two answers',
      [{ dim: DIM, baseline: answers(createRng(3), 4), changed: [answers(createRng(4), 2)] }],
      /4 and 2 answers/,
    ],
    [
      'half a row',
      [{ dim: DIM, baseline: new Float32Array(DIM * 3 + 1), changed: [answers(createRng(4), 3)] }],
      /rows of 6/,
    ],
  ])('refuses %s', (_, prompts, words) => {
    expect(() => movementOf(prompts)).toThrow(words);
  });
});

describe('two models', () => {
  it('keep the level where both move as much, although each has one unchanged sample for all its changes', () => {
    const rng = createRng(20261201);
    const [alpha, rounds] = [0.05, 600];
    let rejected = 0;
    for (let round = 0; round < rounds; round++) {
      const wobble = [0, 0, 0, 0.2, 0.2, 0.5];
      const [a, b] = [movementOf([promptOf(rng, wobble, 10)]), movementOf([promptOf(rng, wobble, 10)])];
      if (compareMovement(a, b).p! <= alpha) rejected++;
    }
    expect(clopperPearson(rejected, rounds, 0.99).low).toBeLessThanOrEqual(alpha);
  });

  it('are told apart where one moves more, and the sign says which', () => {
    const rng = createRng(5);
    const steady = movementOf([promptOf(rng, Array<number>(10).fill(0.05), 20)]);
    const shaky = movementOf([promptOf(rng, Array<number>(10).fill(0.4), 20)]);
    const found = compareMovement(steady, shaky);
    expect(found.difference).toBeGreaterThan(0);
    expect(found.p).toBeLessThan(0.001);
    const back = compareMovement(shaky, steady);
    expect(back.difference).toBeCloseTo(-found.difference, 12);
    expect(back.p).toBeCloseTo(found.p!, 12);
  });

  it('must have been asked the same changes', () => {
    const rng = createRng(6);
    expect(() =>
      compareMovement(movementOf([promptOf(rng, [0])]), movementOf([promptOf(rng, [0, 0])])),
    ).toThrow(/1 changes, second 2/);
  });
});
