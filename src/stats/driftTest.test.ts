import { describe, expect, it } from 'vitest';
import { drawNormal } from './draws';
import { driftTest, type DriftTestInput } from './driftTest';
import { createRng, type Rng } from './rng';

const DIM = 6;
/** Answers whose middle moves by `slope` over the run. */
function runOf(rng: Rng, n: number, slope: number): DriftTestInput {
  const rows = Array.from({ length: n }, (_, i) => {
    const row = Array.from(
      { length: DIM },
      (__, d) => 0.4 * drawNormal(rng) + (d === 0 ? 1 : 0) + (d === 1 ? (slope * i) / n : 0),
    );
    const length = Math.hypot(...row);
    return row.map((value) => value / length);
  });
  return {
    times: rows.map((_, i) => 1_000 * i + rng.below(900)),
    vectors: Float32Array.from(rows.flat()),
    dim: DIM,
    permutations: 199,
    seed: rng.below(1_000_000),
  };
}
const rejected = (slope: number, draws: number) => {
  const rng = createRng(3, `drift ${slope}`);
  let count = 0;
  for (let i = 0; i < draws; i++) if (driftTest(runOf(rng, 20, slope)).p! <= 0.05) count++;
  return count / draws;
};

describe('driftTest', () => {
  it('keeps its level where nothing drifts, and finds what does', () => {
    // 400 draws at .05: above .085 once in 1,000 seeds.
    expect(rejected(0, 400)).toBeLessThan(0.085);
    expect(rejected(3, 60)).toBeGreaterThan(0.9);
  });

  it('does not depend on the order in which answers are given', () => {
    const input = runOf(createRng(1, 'x'), 8, 3);
    const order = [3, 1, 7, 0, 5, 2, 6, 4];
    const turned: DriftTestInput = {
      ...input,
      times: order.map((i) => input.times[i]!),
      vectors: Float32Array.from(order.flatMap((i) => [...input.vectors.slice(i * DIM, (i + 1) * DIM)])),
      permutations: 20_000,
    };
    expect(driftTest(turned).p).toBeCloseTo(driftTest({ ...input, permutations: 20_000 }).p!, 1);
  });

  it('has nothing to say where time or answers do not vary, or are too few', () => {
    const input = runOf(createRng(1, 'y'), 6, 1);
    expect(driftTest({ ...input, times: input.times.map(() => 5) })).toEqual({ p: null, n: 6 });
    expect(driftTest({ ...input, vectors: input.vectors.fill(0.5) }).p).toBeNull();
    expect(driftTest({ ...input, times: [1, 2], vectors: input.vectors.slice(0, 2 * DIM) }).p).toBeNull();
  });

  it.each<[string, Partial<DriftTestInput>]>([
    ['sizes that do not fit', { times: [1, 2, 3] }],
    ['a time that is none', { times: [1, 2, 3, 4, 5, Number.NaN] }],
    ['no permutation', { permutations: 0 }],
  ])('refuses %s', (_, wrong) => {
    expect(() => driftTest({ ...runOf(createRng(1, 'z'), 6, 1), ...wrong })).toThrow(RangeError);
  });
});
