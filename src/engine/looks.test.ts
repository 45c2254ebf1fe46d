import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Comparison } from '../contracts/runRecord';
import { createRng } from '../stats/rng';
import { decide } from './conclude';
import { undecidedComparison } from './compare';
import { afterLook, beforeLooks, planLooks, type LookState } from './looks';

const options = { alpha: 0.05, multiplicity: 'holm' as const, equivalenceMargin: null };
const plan = planLooks({ samples: 20, alpha: 0.05, permutations: 999, looks: 3 }, 4);

function tested(perturbationId: string, p: number | null, pFloor = 1e-6): Comparison {
  const base = undecidedComparison(
    { id: perturbationId } as Parameters<typeof undecidedComparison>[0],
    [],
    [],
    { reason: 'tooFewSamples', explanation: '' },
  );
  return p === null ? base : { ...base, verdict: 'noChangeDetected', undecided: null, p, pFloor };
}

/** All looks of some changes; `p[look][change]`. */
function go(p: number[][]): LookState {
  let state = beforeLooks(p[0]!.map((_, i) => `c${i}`));
  for (const look of p) {
    if (state.open.size === 0) break;
    const open = look.flatMap((value, i) => (state.open.has(`c${i}`) ? [tested(`c${i}`, value)] : []));
    state = afterLook(state, open, plan, options);
  }
  return state;
}

describe('looks', () => {
  it('are planned at 40, 70 and 100%, spend alpha, and have permutations enough for Holm over all changes', () => {
    expect(plan.sizes).toEqual([8, 14, 20]);
    expect(plan.levels.reduce((sum, level) => sum + level, 0)).toBeCloseTo(0.05, 12);
    plan.levels.forEach((level, look) =>
      expect(1 / (plan.permutations[look]! + 1)).toBeLessThanOrEqual(level / 4),
    );
    expect(planLooks({ samples: 5, alpha: 0.05, permutations: 999, looks: 3 }, 1).sizes).toEqual([4, 5]);
  });

  it('close a change as soon as its rejection is certain, and keep asking for the others', () => {
    const state = go([
      [0.0001, 0.2, 0.5, 0.9],
      [0.0001, 0.003, 0.5, 0.9],
    ]);
    expect(state.looks[0]!.tests.map(({ stopped }) => stopped)).toEqual([true, false, false, false]);
    expect(state.looks[1]!.tests.map(({ perturbationId }) => perturbationId)).toEqual(['c1', 'c2', 'c3']);
    expect([...state.open]).toEqual(['c2', 'c3']);
  });

  it('never take a closed change back: what is rejected at its look is rejected at the end', () => {
    const p = fc.double({ min: 0.00001, max: 1, noNaN: true }).map((value) => value ** 4);
    fc.assert(
      fc.property(
        fc.array(fc.array(p, { minLength: 5, maxLength: 5 }), { minLength: 3, maxLength: 3 }),
        (looks) => {
          const state = go(looks);
          const closed = [0, 1, 2, 3, 4].map((i) => `c${i}`).filter((id) => !state.open.has(id));
          const decided = decide([...state.comparisons.values()], options);
          for (const id of closed) {
            expect(decided.find(({ perturbationId }) => perturbationId === id)!.verdict).toBe('changed');
          }
        },
      ),
    );
  });

  it('hold the family-wise level when nothing was changed, however the looks depend on each other', () => {
    const rng = createRng(5);
    const runs = 4_000;
    let wrong = 0;
    for (let run = 0; run < runs; run++) {
      // A change's later look holds its earlier answers: its p is the old one or a new one.
      let row = Array.from({ length: 4 }, () => rng.unit());
      const looks = [row];
      for (let look = 1; look < 3; look++) {
        row = row.map((value) => (rng.unit() < 0.5 ? value : rng.unit()));
        looks.push(row);
      }
      const decided = decide([...go(looks).comparisons.values()], options);
      if (decided.some(({ verdict }) => verdict === 'changed')) wrong++;
    }
    expect(wrong / runs).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs));
    expect(wrong).toBeGreaterThan(0);
  });

  it('leave a change open that could not be tested, and close constant answers that differ', () => {
    const proven = {
      ...tested('c1', null),
      verdict: 'changed' as const,
      deterministic: true,
      undecided: null,
    };
    const state = afterLook(beforeLooks(['c0', 'c1']), [tested('c0', null), proven], plan, options);
    expect([...state.open]).toEqual(['c0']);
  });
});
