import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { energyDistance } from './energy';
import { jsDistance } from './jsd';
import { totalVariation } from './labels';
import { mmd } from './mmd';
import { prepareFamily, type Member } from './permutationEngine';
import { createRng } from './rng';
import { allSplits, randomSplits } from './splits';

/** Statistics by their definitions, on matrices rearranged for the split. */
function byDefinition(member: Member, inArm0: Uint8Array): number {
  const n = inArm0.length;
  const order = [...inArm0.keys()].sort((a, b) => inArm0[b]! - inArm0[a]! || a - b);
  const n0 = inArm0.reduce((sum, flag) => sum + flag, 0);
  if (member.kind === 'label') {
    const labels = order.map((i) => String(member.codes[i]));
    return totalVariation(labels.slice(0, n0), labels.slice(n0));
  }
  if (member.kind === 'jsd') {
    const within = new Array<number>(member.binCount).fill(0);
    const cross = new Array<number>(member.binCount).fill(0);
    order.forEach((i, a) =>
      order.forEach((j, b) => {
        if (a < b && a < n0) (b < n0 ? within : cross)[member.bins[i * n + j]!]!++;
      }),
    );
    return jsDistance(within, cross);
  }
  const matrix = order.flatMap((i) => order.map((j) => member.matrix[i * n + j]!));
  if (member.kind === 'mmd') return mmd(matrix, n0, n - n0).unbiased!;
  const { v, h } = energyDistance(matrix, n0, n - n0);
  return member.kind === 'energy' ? v : h;
}

function symmetric(n: number, value: () => number, diagonal: number): Float64Array {
  const matrix = new Float64Array(n * n).fill(diagonal);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) matrix[i * n + j] = matrix[j * n + i] = value();
  }
  return matrix;
}

function randomFamily(n: number, quadratic: number, binCount: number, seed: number): Member[] {
  const rng = createRng(seed, 'family');
  const distance = symmetric(n, () => rng.unit() * 2, 0);
  const bins = () => Uint8Array.from(symmetric(n, () => rng.below(binCount), 0));
  return [
    { id: 'jsd', kind: 'jsd', bins: bins(), binCount },
    { id: 'h', kind: 'inhomogeneity', matrix: distance },
    { id: 'energy', kind: 'energy', matrix: distance },
    ...Array.from({ length: quadratic }, (_, i): Member => {
      return { id: `mmd${i}`, kind: 'mmd', matrix: symmetric(n, () => rng.unit(), 1) };
    }),
    { id: 'jsd2', kind: 'jsd', bins: bins(), binCount },
    { id: 'label', kind: 'label', codes: Int32Array.from({ length: n }, () => rng.below(3)), categories: 3 },
  ];
}

describe('prepareFamily', () => {
  it('gives every statistic of its definition, for any sizes and families', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 0, max: 19 }),
        fc.constantFrom(2, 5, 30, 256),
        fc.integer(),
        (n0, n1, quadratic, binCount, seed) => {
          const members = randomFamily(n0 + n1, quadratic, binCount, seed);
          const rows = 8;
          const table = new Float64Array(rows * members.length);
          prepareFamily(members, randomSplits(n0, n1, rows - 1, seed))(0, rows, table);
          const splits = randomSplits(n0, n1, rows - 1, seed);
          const inArm0 = new Uint8Array(n0 + n1);
          for (let row = 0; row < rows; row++) {
            splits.next(inArm0);
            members.forEach((member, f) => {
              expect(table[row * members.length + f]).toBeCloseTo(byDefinition(member, inArm0), 7);
            });
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('gives the same bits from any row on', () => {
    const members = randomFamily(20, 6, 30, 7);
    const whole = new Float64Array(700 * members.length);
    prepareFamily(members, randomSplits(10, 10, 699, 3))(0, 700, whole);
    for (const [from, to] of [
      [0, 1],
      [1, 257],
      [300, 310],
      [512, 700],
    ] as const) {
      const part = new Float64Array((to - from) * members.length);
      prepareFamily(members, randomSplits(10, 10, 699, 3))(from, to, part);
      expect(part).toEqual(whole.slice(from * members.length, to * members.length));
    }
  });

  it('is exactly 0 where the two histograms are proportional', () => {
    // Within arm 0 = {0, 1, 2}: bins 0, 1, 2. Across to {3, 4, 5}: three pairs in each bin.
    const bins = new Uint8Array(36);
    const put = (i: number, j: number, bin: number) => (bins[i * 6 + j] = bins[j * 6 + i] = bin);
    put(0, 1, 0);
    put(0, 2, 1);
    put(1, 2, 2);
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) put(i, 3 + j, (i + j) % 3);
    const table = new Float64Array(1);
    prepareFamily([{ id: 'jsd', kind: 'jsd', bins, binCount: 3 }], allSplits(3, 3))(0, 1, table);
    expect(table[0]).toBe(0);
  });

  it('refuses what does not fit', () => {
    const one = randomFamily(6, 1, 30, 1);
    expect(() => prepareFamily([], allSplits(3, 3))).toThrow('members is empty');
    expect(() => prepareFamily(one, allSplits(3, 4))).toThrow(RangeError);
    expect(() => prepareFamily(one, allSplits(1, 5))).toThrow('n0');
    expect(() => prepareFamily([one[1]!], allSplits(3, 3))).toThrow('needs the energy member');
  });
});
