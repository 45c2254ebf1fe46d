import { describe, expect, it } from 'vitest';
import { manyCases, type CaseOutputs } from './manyCases';
import { normalQuantile } from './normal';
import { createRng } from './rng';

const DIM = 6;

/** Each case has a centre of its own; the perturbed arm is moved by `shift` along one shared direction. */
function makeCase(id: string, n0: number, n1: number, shift: number, seed: number): CaseOutputs {
  const rng = createRng(seed, id);
  const normal = () => normalQuantile((rng.uint32() + 0.5) / 4294967296);
  const centre = Array.from({ length: DIM }, () => 2 * normal());
  const vectors = Float64Array.from({ length: (n0 + n1) * DIM }, (_, at) => {
    return centre[at % DIM]! + 0.7 * normal() + (at >= n0 * DIM && at % DIM === 0 ? shift : 0);
  });
  return { id, n0, n1, embeddings: [{ embedder: 'e', dim: DIM, vectors }] };
}
const many = (count: number, n: number, shift: number, seed = 1) =>
  Array.from({ length: count }, (_, i) => makeCase(`case ${i}`, n, n, shift, seed * 1000 + i));
const test = (cases: CaseOutputs[], permutations = 499) =>
  manyCases({ cases, permutations, bins: 30, seed: 1 });

describe('manyCases', () => {
  it('finds over many cases what no single case shows', () => {
    const result = test(many(12, 5, 1.3));
    expect(result.p).toBeLessThan(0.01);
    expect(result.cases.filter(({ adjustedP }) => adjustedP! <= 0.05).length).toBeLessThan(5);
    expect(result.members.map(({ id }) => id)).toContain('e/energy');
    expect(result.statistic).toBe(Math.max(...result.members.map(({ z }) => z)));
  });

  it('adjusts the p of the cases, never below the raw one', () => {
    for (const { p, adjustedP } of test(many(4, 5, 0.5)).cases) expect(adjustedP).toBeGreaterThanOrEqual(p!);
  });

  it('keeps its level under the null: p is super-uniform', () => {
    const replicates = 150;
    const p = Array.from({ length: replicates }, (_, seed) => {
      return manyCases({ cases: many(3, 4, 0, seed + 10), permutations: 49, bins: 30, seed }).p!;
    });
    for (const alpha of [0.1, 0.3]) {
      const rate = p.filter((value) => value <= alpha).length / replicates;
      expect(rate).toBeLessThan(alpha + 3 * Math.sqrt((alpha * (1 - alpha)) / replicates));
    }
  });

  it('uses cases with a single response per arm by exchanging within the case', () => {
    const singles = many(25, 1, 1.5, 3);
    const result = test(singles);
    expect(result.p).toBeLessThan(0.01);
    for (const each of result.cases) expect(each).toMatchObject({ p: null, adjustedP: null });
    expect(result.cases[0]!.reason).toContain('One response per arm');
    const none = test(many(25, 1, 0, 4));
    expect(none.p).toBeGreaterThan(0.02);
  });

  it('mixes cases of any size and says which are left out', () => {
    const cases = [...many(3, 5, 0.3), makeCase('lonely', 1, 1, 0, 9), makeCase('lopsided', 1, 6, 0, 9)];
    const result = test(cases);
    expect(result.p).not.toBeNull();
    expect(result.cases.map(({ reason }) => reason?.split(':')[1] ?? null)).toEqual([
      null,
      null,
      null,
      ' left out.',
      ' left out.',
    ]);
    expect(test(cases.slice(3))).toMatchObject({ p: null, statistic: null });
  });

  it('does not depend on how many permutations are computed at a time, and repeats itself', () => {
    const cases = many(3, 5, 0.3);
    expect(test(cases, 300)).toEqual(test(cases, 300));
  });

  it('gives p = 1 where nothing varies', () => {
    const vectors = new Float64Array(8 * DIM).fill(1);
    const same: CaseOutputs = {
      id: 'same',
      n0: 4,
      n1: 4,
      embeddings: [{ embedder: 'e', dim: DIM, vectors }],
    };
    expect(test([same])).toMatchObject({ p: 1, statistic: 0 });
  });

  it('refuses wrong arguments, naming the case', () => {
    expect(() => test([])).toThrow('cases');
    expect(() => test(many(2, 5, 0), 0)).toThrow('permutations');
    const broken = makeCase('third', 4, 4, 0, 1);
    broken.embeddings[0]!.vectors[0] = NaN;
    expect(() => test([broken])).toThrow('response 1 of case third (e)');
    expect(() => test([{ id: 'bare', n0: 4, n1: 4, embeddings: [] }])).toThrow('bare');
  });
});
