import { describe, expect, it } from 'vitest';
import type { PerturbationSet, RatedPerturbation } from '../contracts/perturbationSet';
import { createRng } from '../stats/rng';
import { judgeAgreement } from './judgeAgreement';

const labelled = (judged: number | null, user: number, kind: RatedPerturbation['kind'] = 'surface') => ({
  kind,
  strength: { level: user, source: 'user' as const, judged },
});
const setOf = (items: object[], judge: string | null = 'ollama:big') =>
  ({ judge, perturbations: items }) as unknown as PerturbationSet;
const agreementOf = (...sets: PerturbationSet[]) => judgeAgreement(sets, createRng(1));

describe('judgeAgreement', () => {
  it('is linear-weighted kappa on the whole scale, over several sets', () => {
    const pairs = [
      [0, 0],
      [0, 0],
      [1, 1],
      [1, 2],
      [2, 2],
      [2, 1],
      [3, 3],
      [3, 2],
      [0, 1],
      [3, 3],
    ] as const;
    const halves = [pairs.slice(0, 5), pairs.slice(5)].map((half) =>
      setOf(half.map(([judged, user]) => labelled(judged, user))),
    );
    const [found] = agreementOf(...halves);
    // By hand: observed disagreement 4/30, by chance (sum of |i−j| r_i c_j)/3 with margins 3,2,2,3 and 2,3,3,2.
    const chance = [3, 2, 2, 3]
      .flatMap((r, i) => [2, 3, 3, 2].map((c, j) => (Math.abs(i - j) * r * c) / 300))
      .reduce((a, b) => a + b);
    expect(found).toMatchObject({
      judge: 'ollama:big',
      type: 'input',
      items: 10,
      agreed: 0.6,
      suppressed: false,
    });
    expect(found!.kappa).toBeCloseTo(1 - 4 / 30 / chance, 12);
    expect(found!.interval!.low).toBeLessThan(found!.kappa!);
    expect(found!.interval!.high).toBeGreaterThan(found!.kappa!);
    expect(found!.interval!.level).toBe(0.95);
    expect(found!.table[3]).toEqual([0, 0, 1, 2]);
  });

  it('is suppressed below ten labels, and not defined where all is one level', () => {
    const [few] = agreementOf(setOf(Array.from({ length: 9 }, () => labelled(2, 2))));
    expect(few).toMatchObject({ items: 9, suppressed: true, kappa: null, interval: null });
  });

  it('never pools input with CoT, nor one judge with another', () => {
    const found = agreementOf(
      setOf([labelled(1, 1), labelled(1, 2, 'cot')]),
      setOf([labelled(1, 3)], 'openai:other'),
    );
    expect(found.map(({ judge, type, items }) => [judge, type, items])).toEqual([
      ['ollama:big', 'input', 1],
      ['ollama:big', 'cot', 1],
      ['openai:other', 'input', 1],
    ]);
  });

  it('counts only what a judge rated and a person labelled', () => {
    const judged = { kind: 'surface', strength: { level: 1, source: 'judge', judged: null } };
    expect(agreementOf(setOf([judged, labelled(null, 2)]), setOf([labelled(1, 1)], null))).toEqual([]);
  });
});
