import { describe, expect, it } from 'vitest';
import {
  allSplits,
  binomialCoefficient,
  createSplits,
  pairedSplits,
  randomSplits,
  type Splits,
} from './splits';

function listAll(splits: Splits): string[] {
  const row = new Uint8Array(splits.n0 + splits.n1);
  return Array.from({ length: splits.rows }, () => {
    splits.next(row);
    return row.join('');
  });
}

describe('splits', () => {
  it('lists every split once, the observed one first, in lexicographic order', () => {
    for (const [n0, n1, count] of [
      [3, 3, 20],
      [4, 4, 70],
      [5, 5, 252],
      [6, 6, 924],
      [7, 7, 3432],
      [2, 5, 21],
    ] as const) {
      const all = listAll(allSplits(n0, n1));
      expect(all.length).toBe(count);
      expect(new Set(all).size).toBe(count);
      expect(all).toEqual([...all].sort().reverse());
    }
  });

  it('enumerates exactly where C(n0+n1, n0) is at most B + 1', () => {
    expect(createSplits(4, 4, 69, 1).exact).toBe(true);
    expect(createSplits(4, 4, 68, 1)).toMatchObject({ exact: false, rows: 69 });
    expect(binomialCoefficient(200, 100)).toBe(Infinity);
  });

  it('draws every output into arm 0 equally often, whichever arm is smaller', () => {
    for (const [n0, n1] of [
      [3, 7],
      [7, 3],
    ] as const) {
      const splits = randomSplits(n0, n1, 20_000, 5);
      const row = new Uint8Array(10);
      const counts = new Array<number>(10).fill(0);
      splits.seek(1);
      for (let r = 0; r < 20_000; r++) {
        splits.next(row);
        row.forEach((flag, i) => (counts[i]! += flag));
      }
      for (const count of counts) expect(Math.abs(count / 20_000 - n0 / 10)).toBeLessThan(0.02);
    }
  });

  it('has no favourite: every split of 2 + 3 comes up about equally often', () => {
    const seen = new Map<string, number>();
    for (const split of listAll(randomSplits(2, 3, 10_000, 9)).slice(1))
      seen.set(split, (seen.get(split) ?? 0) + 1);
    expect(seen.size).toBe(10);
    for (const count of seen.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  it('gives the same rows again, from any row, and others for another seed', () => {
    const all = listAll(randomSplits(5, 6, 600, 1));
    expect(listAll(randomSplits(5, 6, 600, 1))).toEqual(all);
    expect(listAll(randomSplits(5, 6, 600, 2))).not.toEqual(all);
    const splits = randomSplits(5, 6, 600, 1);
    const row = new Uint8Array(11);
    for (const at of [599, 256, 257, 1, 0, 300]) {
      splits.seek(at);
      splits.next(row);
      expect(row.join('')).toBe(all[at]);
    }
  });

  it('exchanges within pairs only', () => {
    const exact = listAll(pairedSplits(3, 99, 1));
    expect(exact.length).toBe(8);
    expect(new Set(exact).size).toBe(8);
    expect(exact[0]).toBe('111000');
    const random = pairedSplits(20, 500, 1);
    expect(random.exact).toBe(false);
    for (const split of listAll(random)) {
      for (let pair = 0; pair < 20; pair++) expect(split[pair] === split[20 + pair]).toBe(false);
    }
  });

  it('refuses wrong sizes', () => {
    expect(() => createSplits(0, 4, 99, 1)).toThrow('n0');
    expect(() => createSplits(4, 0, 99, 1)).toThrow('n1');
    expect(() => createSplits(4, 4, 0, 1)).toThrow('permutations');
    expect(() => createSplits(4, 4, 1.5, 1)).toThrow('permutations');
  });
});
