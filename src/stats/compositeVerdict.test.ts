import { describe, expect, it } from 'vitest';
import { planComposite } from './compositePlanner';
import { compositeVerdict, type CompositeOutcome } from './compositeVerdict';

const verdict = (p: number, composite: CompositeOutcome, interval?: { low: number; high: number }) =>
  compositeVerdict({
    difference: { p },
    composite,
    alpha: 0.05,
    equivalence: interval ? { interval, margin: 0.1 } : null,
  }).verdict;

describe('compositeVerdict', () => {
  it.each([
    [0.2, { state: 'tested', p: 0.01 }, undefined, 'noChangeDetected'],
    [0.2, { state: 'notRun' }, { low: -0.02, high: 0.05 }, 'equivalent'],
    [0.2, { state: 'notRun' }, { low: -0.02, high: 0.15 }, 'noChangeDetected'],
    [0.05, { state: 'tested', p: 0.051 }, undefined, 'changedWithinRewordingNoise'],
    [0.05, { state: 'tested', p: 0.05 }, undefined, 'changed'],
    [0.01, { state: 'notRun' }, { low: -0.01, high: 0.01 }, 'changed'],
    [0.01, { state: 'undecided', explanation: 'only 3 rewordings' }, undefined, 'undecided'],
  ] as const)('p_d = %s, composite %j, interval %j: %s', (p, composite, interval, expected) => {
    expect(verdict(p, composite, interval)).toBe(expected);
  });

  it('passes on why nothing was tested', () => {
    const result = compositeVerdict({
      difference: { p: null, undecided: 'Three samples in an arm.' },
      composite: { state: 'notRun' },
      alpha: 0.05,
    });
    expect(result).toEqual({ verdict: 'undecided', explanation: 'Three samples in an arm.' });
  });

  it('names the wrong argument', () => {
    const composite = { state: 'notRun' } as const;
    expect(() => compositeVerdict({ difference: { p: 2 }, composite, alpha: 0.05 })).toThrow(
      /^difference.p must/,
    );
    expect(() => compositeVerdict({ difference: { p: 1 }, composite, alpha: 0 })).toThrow(/^alpha must/);
  });
});

describe('planComposite', () => {
  it('keeps to the budget and to the conformal minimum, and finds more with more calls', () => {
    const at = (calls: number) => planComposite({ calls, alpha: 0.1, seed: 1, simulations: 200 });
    const small = at(100);
    const large = at(800);
    if (!small.feasible || !large.feasible) throw new Error('must be feasible');
    for (const { m, r, calls } of [...small.candidates, ...large.candidates]) {
      expect(m).toBeGreaterThanOrEqual(9);
      expect((m + 1) * r).toBe(calls);
    }
    expect(small.chosen.calls).toBeLessThanOrEqual(100);
    expect(large.chosen.detectable!).toBeLessThan(small.chosen.detectable!);
    expect(at(800)).toEqual(large);
  });

  it('needs one call per query where probabilities are exact', () => {
    const result = planComposite({ calls: 20, alpha: 0.05, exact: true, seed: 1, simulations: 100 });
    expect(result).toMatchObject({ feasible: true, chosen: { mode: 'exact', m: 19, r: 1, pFloor: 0.05 } });
    const tooFew = planComposite({ calls: 19, alpha: 0.05, exact: true, seed: 1 });
    expect(tooFew).toMatchObject({ feasible: false, fewestCalls: 20 });
  });

  it('falls back to the model-based test below the conformal minimum, and says so', () => {
    const result = planComposite({ calls: 60, alpha: 0.01, seed: 1, simulations: 100 });
    expect(result).toMatchObject({ feasible: true, chosen: { mode: 'betaBinomial', pFloor: null } });
    expect(result.explanation).toMatch(/model/);
    expect(planComposite({ calls: 10, alpha: 0.01, seed: 1 })).toMatchObject({ feasible: false });
  });

  it('names the wrong argument', () => {
    expect(() => planComposite({ calls: 0, alpha: 0.05, seed: 1 })).toThrow(/^calls must/);
    expect(() => planComposite({ calls: 9, alpha: 0.05, seed: 1, family: { mean: 1, sd: 0 } })).toThrow(
      /^family.mean must/,
    );
  });
});
