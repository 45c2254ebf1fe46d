/** Algorithm C. The first block is the list of defects of arXiv 2509.10963: one test each. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  algorithmC,
  algorithmCExact,
  averagePowerGeneral,
  idealRejection,
  rejectionProbability,
} from './algorithmC';
import {
  pilotInterval,
  planAlgorithmC,
  planExact,
  shrinkingEta,
  type AlgorithmCVariant,
} from './algorithmCPlan';
import {
  calibratedPlan,
  calibratedTest,
  calibrateThreshold,
  drawNullRate,
  NULL_SHAPES,
} from './calibratedThreshold';
import { conformalBinary } from './conformal';
import { drawBinomial } from './draws';
import { clopperPearson } from './proportions';
import { createRng } from './rng';

const paper = { a: 0.4, b: 0.6, alpha: 0.1 };
const plan = (budget: number, eta: number, variant: AlgorithmCVariant = 'methods') =>
  planAlgorithmC({ ...paper, budget, eta, variant });
const powerAt = (budget: number, eta: number, variant: AlgorithmCVariant) => {
  const { m, r, epsilon, threshold } = plan(budget, eta, variant).chosen!;
  const at = (limit: number) =>
    rejectionProbability({ a: 0.4, b: 0.6, m, r, threshold: limit, pPrime: 0.375 });
  return { paper: at(epsilon), guarded: at(threshold) };
};

describe('papers.md B: defects of the composite null paper', () => {
  it('1. a fixed grid is not consistent: power at p′ = a − η/2 levels off however large the budget', () => {
    for (const budget of [1e8, 1e10, 1e12]) {
      expect(powerAt(budget, 0.05, 'methods').paper).toBeCloseTo(0.3007, 3);
      expect(powerAt(budget, 0.05, 'methods').guarded).toBeLessThan(0.3007);
    }
  });

  it('1. cure: a grid that shrinks with the budget and the smallest feasible m take power to 1', () => {
    const guarded = [1e7, 1e8, 1e9, 1e10].map((budget) =>
      powerAt(budget, shrinkingEta(0.05, 1e7, budget), 'smallestFeasibleM'),
    );
    expect(guarded.map(({ guarded: power }) => Number(power.toFixed(2)))).toEqual([0.25, 0.66, 1, 1]);
    // The shrinking grid alone is not monotone in the budget: the bound leaves almost nothing for the noise term.
    const alone = [1e7, 1e8, 1e9].map(
      (budget) => powerAt(budget, shrinkingEta(0.05, 1e7, budget), 'methods').guarded,
    );
    expect(alone[1]).toBeLessThan(alone[0]!);
    expect(alone[2]).toBeGreaterThan(alone[0]!);
  });

  it.each(NULL_SHAPES)('2. holds its size under a null that is not uniform: %s', (shape) => {
    const [a, b, alpha, m, r] = [0.55, 0.9, 0.1, 19, 20];
    const threshold = calibrateThreshold({ a, b, alpha, m, r, simulations: 1000, seed: 5 });
    const rng = createRng(17, shape);
    const runs = 1000;
    const rejected = { calibrated: 0, median: 0, nearest: 0 };
    for (let i = 0; i < runs; i++) {
      const counts = Array.from({ length: m + 1 }, () =>
        drawBinomial(r, drawNullRate(shape, a, b, rng), rng),
      );
      const nullCounts = counts.slice(0, m);
      const testCount = counts[m]!;
      const input = { nullCounts, testCount, responses: r };
      rejected.calibrated += Number(calibratedTest(nullCounts, testCount, threshold).reject);
      rejected.median += Number(conformalBinary(input, 'atypical').p <= alpha);
      rejected.nearest += Number(conformalBinary(input, 'unlikeAny').p <= alpha);
    }
    for (const count of Object.values(rejected)) {
      expect(clopperPearson(count, runs, 0.99).low).toBeLessThanOrEqual(alpha);
    }
  });

  it('3. the grid starts at η: no log of 1, no division by 0', () => {
    const { grid } = plan(1e7, 0.01);
    expect(grid[0]!.epsilon).toBe(0.01);
    for (const row of grid) {
      expect(Number.isFinite(row.m)).toBe(true);
      expect(row.m).toBeGreaterThanOrEqual(1);
    }
  });

  it('3. the grid keeps its last value although .6 − .4 is not .2', () => {
    const { grid, epsilonMax } = plan(1e7, 0.05);
    expect(epsilonMax).toBeLessThan(0.2);
    expect(grid.map((row) => row.epsilon)).toHaveLength(4);
    expect(grid[3]!.m).toBe(1);
  });

  it('4. the extremes of the pilot are bias-corrected: on average they hit the ends', () => {
    const rng = createRng(23);
    let low = 0;
    let high = 0;
    for (let i = 0; i < 2000; i++) {
      const { a, b } = pilotInterval(Array.from({ length: 12 }, () => 0.4 + 0.2 * rng.unit()));
      low += a / 2000;
      high += b / 2000;
    }
    // the raw extremes of 12 would be off by .2/13 = .0154 on average
    expect(low).toBeCloseTo(0.4, 2);
    expect(high).toBeCloseTo(0.6, 2);
    expect(pilotInterval([0.95, 1])).toMatchObject({ a: 0.95 - 0.05, b: 1 });
  });

  it('5. the paper’s own example is infeasible under its own rule, and the reason says so', () => {
    const result = planAlgorithmC({ a: 0.898, b: 1, alpha: 0.1, budget: 1e7, eta: 0.005 });
    expect(result).toMatchObject({
      feasible: false,
      chosen: null,
      reason: 'epsilonMaxBelowEta',
      epsilonMax: 0,
    });
    if (result.feasible) throw new Error('must be infeasible');
    expect(result.explanation).toMatch(/ends at 1/);
    expect(result.whatHelps.join()).toMatch(/averagePowerGeneral/);
    expect(averagePowerGeneral(0.898, 1, 0.085, 3)).toBeGreaterThan(0.9);
  });

  it('5. a budget that is too small is explained, not hidden', () => {
    for (const budget of [1000, 10_000, 30_000]) {
      const result = plan(budget, 0.005, 'smallestFeasibleM');
      expect(result).toMatchObject({ feasible: false, reason: 'budget' });
    }
    const chosen = plan(1e5, 0.005, 'methods').chosen!;
    expect([chosen.epsilon, chosen.m]).toEqual([0.145, 2]);
    expect(chosen.averagePower).toBeCloseTo(0.69, 2);
    expect(plan(1e4, 0.005, 'pairwiseBound').feasible).toBe(false);
    expect(plan(1e5, 0.005, 'pairwiseBound').chosen!.averagePower).toBeCloseTo(0.78, 2);
  });
});

describe('algorithmC', () => {
  it('uses the guarded rule where the paper’s would reject on noise', () => {
    const result = algorithmC({ nullCounts: [12, 13, 14], testCount: 16, responses: 20, epsilon: 0.05 });
    expect(result).toMatchObject({ nearest: 2, rejectPaper: true, rejectGuarded: false });
    expect(
      algorithmCExact({ nullProbabilities: [0.6, 0.7], testProbability: 0.8, epsilon: 0.05 }),
    ).toMatchObject({
      nearest: 1,
      reject: true,
    });
  });

  it('has a noise-free plan where probabilities are exact', () => {
    const result = planExact({ ...paper, queries: 100, eta: 0.005 });
    expect(result.chosen).toMatchObject({ r: Infinity, delta: 0, m: 91 });
    expect(planExact({ ...paper, queries: 1, eta: 0.005 }).feasible).toBe(true);
    expect(planExact({ ...paper, b: 0.9, queries: 1, eta: 0.005 })).toMatchObject({
      feasible: false,
      reason: 'budget',
    });
  });

  it('never loses power with epsilon shrinking, and none of it inside the interval', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 0.4, noNaN: true }),
        fc.double({ min: 0.45, max: 0.95, noNaN: true }),
        fc.double({ min: 0.001, max: 0.2, noNaN: true }),
        fc.integer({ min: 1, max: 60 }),
        (a, b, epsilon, m) => {
          const power = averagePowerGeneral(a, b, epsilon, m);
          expect(power).toBeGreaterThanOrEqual(0);
          expect(power).toBeLessThanOrEqual(1 + 1e-12);
          expect(averagePowerGeneral(a, b, epsilon / 2, m)).toBeGreaterThanOrEqual(power - 1e-12);
          const inside = idealRejection({ a, b, epsilon, m, p: (a + b) / 2 });
          expect(inside).toBeLessThanOrEqual(idealRejection({ a, b, epsilon, m, p: a }) + 1e-12);
        },
      ),
    );
  });

  it('comes near its normal approximation in simulation', () => {
    const { a, b } = paper;
    const design = { a, b, m: 5, r: 400, threshold: 0.08, pPrime: 0.33 };
    const rng = createRng(9);
    let rejected = 0;
    for (let i = 0; i < 4000; i++) {
      const nullCounts = Array.from({ length: 5 }, () => drawBinomial(400, a + (b - a) * rng.unit(), rng));
      const testCount = drawBinomial(400, 0.33, rng);
      rejected += Number(Math.min(...nullCounts.map((k) => Math.abs(k - testCount))) / 400 > 0.08);
    }
    expect(Math.abs(rejectionProbability(design) - rejected / 4000)).toBeLessThan(0.03);
  });

  it('calibrates a threshold for budgets that people have', () => {
    const result = calibratedPlan({ a: 0.7, b: 0.95, alpha: 0.05, budget: 200, simulations: 300, seed: 1 });
    expect(result.feasible).toBe(true);
    expect(result.chosen!.calls).toBeLessThanOrEqual(200);
    expect(result.chosen!.averagePower).toBeGreaterThan(0.5);
    expect(calibratedPlan({ a: 0.7, b: 0.95, alpha: 0.05, budget: 7, seed: 1 }).feasible).toBe(false);
    expect(calibratedPlan({ a: 0, b: 1, alpha: 0.05, budget: 700, seed: 1 }).feasible).toBe(false);
  });

  it.each([
    [() => pilotInterval([0.5]), 'rates'],
    [() => pilotInterval([0.5, 1.5]), 'rates\\[1\\]'],
    [() => planAlgorithmC({ ...paper, b: 0.3, budget: 10, eta: 0.1 }), 'b'],
    [() => planAlgorithmC({ ...paper, alpha: 1, budget: 10, eta: 0.1 }), 'alpha'],
    [() => planAlgorithmC({ ...paper, budget: 0, eta: 0.1 }), 'budget'],
    [() => planAlgorithmC({ ...paper, budget: 10, eta: 0 }), 'eta'],
    [() => shrinkingEta(0, 1, 1), 'eta0'],
    [() => algorithmC({ nullCounts: [1], testCount: 1, responses: 1, epsilon: 0.1 }), 'responses'],
    [() => algorithmC({ nullCounts: [], testCount: 1, responses: 2, epsilon: 0.1 }), 'nullCounts'],
    [() => algorithmC({ nullCounts: [3], testCount: 1, responses: 2, epsilon: 0.1 }), 'nullCounts\\[0\\]'],
    [
      () => algorithmCExact({ nullProbabilities: [2], testProbability: 0, epsilon: 0.1 }),
      'nullProbabilities\\[0\\]',
    ],
    [() => idealRejection({ a: 0.5, b: 0.5, epsilon: 0.1, m: 1, p: 0 }), 'b'],
    [() => averagePowerGeneral(0, 1, 0.1, 3), 'b − a'],
    [() => rejectionProbability({ a: 0.4, b: 0.6, m: 0, r: 9, threshold: 0.1, pPrime: 0.5 }), 'm'],
    [() => calibrateThreshold({ ...paper, m: 3, r: 5, simulations: 5, seed: 1 }), 'simulations'],
    [
      () => calibratedTest([1], 1, { m: 2, r: 3, thresholdCount: 1, threshold: 0.3, simulations: 9 }),
      'nullCounts',
    ],
  ])('names the wrong argument: %s', (call, name) => {
    expect(call).toThrow(RangeError);
    expect(call).toThrow(new RegExp(`^${name} must`));
  });
});
