import { describe, expect, it } from 'vitest';
import { embedderFamily } from './discrepancyFamily';
import { testFamily } from './familyTest';
import { pairMatrices, unitRows } from './matrices';
import { prepareFamily, type Member } from './permutationEngine';
import { createRng } from './rng';
import { createSplits, randomSplits } from './splits';
import { STANDARDISED_TIE_TOLERANCE, westfallYoung } from './westfallYoung';

function family(n: number, shift: number, seed = 1): Member[] {
  const rng = createRng(seed, 'points');
  const dim = 6;
  const points = Float64Array.from({ length: n * dim }, (_, k) => {
    return rng.unit() - 0.3 + (k >= (n / 2) * dim && k % dim === 0 ? shift : 0);
  });
  return embedderFamily('e', pairMatrices(unitRows(points, n, dim), n, dim), 30).members;
}

describe('testFamily', () => {
  it('agrees with the whole table of statistics, also beyond the rows it keeps', () => {
    const members = family(10, 0.3);
    for (const permutations of [300, 16_383, 17_000]) {
      const result = testFamily({ members, splits: randomSplits(5, 5, permutations, 4) });
      const rows = permutations + 1;
      const table = new Float64Array(rows * members.length);
      prepareFamily(members, randomSplits(5, 5, permutations, 4))(0, rows, table);
      const z = Array.from({ length: rows }, (_, row) =>
        members.map((_, f) => (table[row * members.length + f]! - result.mean[f]!) / result.sd[f]!),
      );
      members.forEach((_, f) => {
        const column = z.map((row) => row[f]!);
        expect(column.reduce((sum, value) => sum + value, 0) / rows).toBeCloseTo(0, 9);
        expect(column.reduce((sum, value) => sum + value * value, 0) / rows).toBeCloseTo(1, 9);
      });
      const { adjusted, singleStep, raw } = westfallYoung(z, STANDARDISED_TIE_TOLERANCE);
      expect(result.omnibus!.adjustedP).toEqual(adjusted);
      expect(result.omnibus!.singleStepP).toEqual(singleStep);
      raw.forEach((p, f) => expect(result.p[f]).toBeCloseTo(p, 9));
      expect(result.omnibus!.p).toBe(Math.min(...singleStep));
      expect(result.omnibus!.histogram.counts.reduce((sum, count) => sum + count, 0)).toBe(rows);
    }
  });

  it('leaves out a constant member and says so', () => {
    const members: Member[] = [
      ...family(10, 0.5),
      { id: 'flat', kind: 'mmd', matrix: new Float64Array(100).fill(0.3) },
    ];
    const result = testFamily({ members, splits: createSplits(5, 5, 999, 1) });
    expect(result.constant).toEqual([...new Array<boolean>(7).fill(false), true]);
    expect(result.z[7]).toBe(0);
    expect(result.omnibus!.adjustedP[7]).toBe(1);
    const without = testFamily({ members: members.slice(0, 7), splits: createSplits(5, 5, 999, 1) });
    expect(result.omnibus!.p).toBe(without.omnibus!.p);
    const nothing = testFamily({ members: members.slice(7), splits: createSplits(5, 5, 999, 1) });
    expect(nothing.omnibus).toBeNull();
  });

  it('can be stopped from its checkpoint', () => {
    const stop = () => {
      throw new Error('stop');
    };
    const splits = createSplits(20, 20, 100_000, 1);
    expect(() => testFamily({ members: family(40, 0), splits, checkpoint: stop })).toThrow('stop');
  });

  it('counts up to a share of 1, replayed rows included', () => {
    const shares: number[] = [];
    const splits = createSplits(10, 10, 20_000, 1);
    testFamily({ members: family(20, 0), splits, checkpoint: (share) => shares.push(share) });
    expect(shares.at(-1)).toBeCloseTo(1, 12);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });
});
