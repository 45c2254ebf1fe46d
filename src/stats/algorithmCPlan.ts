import { requireInteger, requireOpenUnit, requirePositive, requireWithin } from './argumentChecks';
import { guardedCeil } from './quantile';

/**
 * Planning of Algorithm C, arXiv 2509.10963: how many null queries m with how many yes/no responses r each, and which
 * half-width epsilon, for a budget of responses. Needs about 1e5 responses to be feasible at all: for reproduction, and for
 * exact probabilities (`planExact`). What an editor can afford is the conformal test or `calibratedPlan`.
 */

/**
 * The sources disagree; each reading has its name.
 * - `methods`: r = ⌊ν/(m+1)⌋, the whole size bound (1 − ε/c)^m + 2m/√r ≤ α, m from the paper's line 6
 * - `seedBudget`: r = ⌊ν/m⌋ instead
 * - `idealSizeOnly`: the bound without its noise term 2m/√r; not valid, kept for comparison
 * - `smallestFeasibleM` (default): m raised until the whole bound holds
 * - `pairwiseBound`: as that, with noise 2m/r (Hoeffding over the 2r independent terms of each pair)
 */
export type AlgorithmCVariant =
  'methods' | 'seedBudget' | 'idealSizeOnly' | 'smallestFeasibleM' | 'pairwiseBound';

export interface PlanRow {
  epsilon: number;
  m: number;
  r: number;
  /** √(log r / r) */
  delta: number;
  /** (1 − ε/c)^m: size of the test that knows every rate. */
  idealSize: number;
  noise: number;
  /** Bound on the size of the guarded test. */
  size: number;
  /** ε + 2δ */
  epsilonPlus: number;
  idealPower: number;
  /** The paper's H, a lower bound of the average power; null where epsilonPlus exceeds epsilonMax and H does not hold. */
  averagePower: number | null;
  /** ε + δ: the guarded threshold. */
  threshold: number;
  sizeOk: boolean;
}

interface PlanShape {
  c: number;
  epsilonMax: number;
  /** One row per grid value at which r ≥ 2. */
  grid: PlanRow[];
}
export type AlgorithmCPlan =
  | (PlanShape & { feasible: true; chosen: PlanRow })
  | (PlanShape & {
      feasible: false;
      chosen: null;
      reason: 'epsilonMaxBelowEta' | 'budget';
      explanation: string;
      whatHelps: string[];
    });

export interface AlgorithmCInput {
  /** Ends of the null interval, 0 ≤ a ≤ b ≤ 1; see `pilotInterval`. */
  a: number;
  b: number;
  alpha: number;
  /** ν: responses in all, without the pilot. */
  budget: number;
  /** Step and first value of the grid; never 0, where log(1 − ε/c) is 0. See `shrinkingEta`. */
  eta: number;
  variant?: AlgorithmCVariant;
}

/**
 * Bias-corrected extremes of the pilot's rates: w = (max − min)/(n − 1), a = max(0, min − w), b = min(1, max + w).
 * The correction that makes the expected gap of n uniform draws right. [ours; the paper's is not public]
 * Cost: n.
 * @throws RangeError for fewer than 2 rates or a rate outside [0, 1].
 */
export function pilotInterval(rates: readonly number[]): { a: number; b: number; c: number; width: number } {
  if (rates.length < 2) throw new RangeError(`rates must hold at least 2 pilot rates, got ${rates.length}`);
  rates.forEach((rate, j) => requireWithin(`rates[${j}]`, rate, 0, 1));
  const low = Math.min(...rates);
  const high = Math.max(...rates);
  const width = (high - low) / (rates.length - 1);
  const a = Math.max(0, low - width);
  const b = Math.min(1, high + width);
  return { a, b, c: b - a, width };
}

/**
 * The cure of the fixed grid's plateau: η_ν = η_0 (ν_0/ν)^¼, used with `smallestFeasibleM`. Then m grows as ν^¼, r as ν^¾,
 * δ/ε → 0 and power → 1 at every p′ outside the interval.
 * Cost: constant. @throws RangeError unless all three are positive.
 */
export function shrinkingEta(eta0: number, budget0: number, budget: number): number {
  requirePositive('eta0', eta0);
  requirePositive('budget0', budget0);
  requirePositive('budget', budget);
  return eta0 * (budget0 / budget) ** 0.25;
}

/**
 * The plan of largest average power among grid values whose size bound holds (ties: the smaller epsilon). Infeasible cases
 * are results with a reason and what would help. Cost: one pass over the grid, min(a, c, 1−b)/η values.
 * @throws RangeError unless 0 ≤ a ≤ b ≤ 1, alpha inside (0, 1), eta positive, budget a positive integer below 2^53.
 */
export function planAlgorithmC(input: AlgorithmCInput): AlgorithmCPlan {
  const { a, b, alpha, budget, eta, variant = 'smallestFeasibleM' } = input;
  requireWithin('a', a, 0, 1);
  requireWithin('b', b, a, 1);
  requireOpenUnit('alpha', alpha);
  requireInteger('budget', budget, 1);
  requirePositive('eta', eta);
  const c = b - a;
  const epsilonMax = Math.min(a, c, 1 - b);
  if (epsilonMax < eta - 1e-12) return tooNarrow(a, b, eta, { c, epsilonMax, grid: [] });

  const rowAt = (epsilon: number, m: number) =>
    planRow({ epsilon, m, c, epsilonMax, alpha, budget, variant });
  const grid: PlanRow[] = [];
  const last = Math.floor(epsilonMax / eta + 1e-9);
  for (let i = 1; i <= last; i++) {
    const epsilon = i * eta;
    const first = lineSix(epsilon / c, alpha);
    const row =
      variant === 'smallestFeasibleM' || variant === 'pairwiseBound'
        ? raiseM(first, alpha, (m) => rowAt(epsilon, m))
        : rowAt(epsilon, first);
    if (row !== null) grid.push(row);
  }
  let chosen: PlanRow | null = null;
  for (const row of grid) {
    if (!row.sizeOk || row.averagePower === null) continue;
    if (chosen === null || row.averagePower > chosen.averagePower!) chosen = row;
  }
  const shape = { c, epsilonMax, grid };
  if (chosen !== null) return { ...shape, feasible: true, chosen };
  return {
    ...shape,
    feasible: false,
    chosen: null,
    reason: 'budget',
    explanation: `No epsilon up to ${epsilonMax.toPrecision(3)} keeps the size below ${alpha} with ${budget} responses.`,
    whatHelps: [
      'a larger budget: this method needs about 100,000 responses',
      'the conformal test or the calibrated threshold, which work with a few hundred',
      'a model that reports first-token probabilities: then one call per query is exact',
    ],
  };
}

/**
 * The plan with exact probabilities (r = ∞): no noise, so m alone is chosen, at most `queries`. A real advantage of local
 * models that report first-token probabilities. Result and errors as `planAlgorithmC`; r is Infinity and delta 0.
 * Cost: min(a, c, 1 − b)/η values.
 */
export function planExact(input: {
  a: number;
  b: number;
  alpha: number;
  queries: number;
  eta: number;
}): AlgorithmCPlan {
  const { a, b, alpha, queries, eta } = input;
  requireWithin('a', a, 0, 1);
  requireWithin('b', b, a, 1);
  requireOpenUnit('alpha', alpha);
  requireInteger('queries', queries, 1);
  requirePositive('eta', eta);
  const c = b - a;
  const epsilonMax = Math.min(a, c, 1 - b);
  if (epsilonMax < eta - 1e-12) return tooNarrow(a, b, eta, { c, epsilonMax, grid: [] });
  const grid: PlanRow[] = [];
  for (let i = 1; i <= Math.floor(epsilonMax / eta + 1e-9); i++) {
    const epsilon = i * eta;
    const m = lineSix(epsilon / c, alpha);
    const idealSize = Math.max(0, 1 - epsilon / c) ** m;
    const idealPower = averagePower(epsilon, m, c);
    grid.push({
      epsilon,
      m,
      r: Infinity,
      delta: 0,
      idealSize,
      noise: 0,
      size: idealSize,
      epsilonPlus: epsilon,
      idealPower,
      averagePower: idealPower,
      threshold: epsilon,
      sizeOk: idealSize <= alpha + 1e-12 && m <= queries,
    });
  }
  const affordable = grid.filter((row) => row.sizeOk);
  const shape = { c, epsilonMax, grid };
  if (affordable.length > 0) {
    const chosen = affordable.reduce((best, row) => (row.averagePower! > best.averagePower! ? row : best));
    return { ...shape, feasible: true, chosen };
  }
  const needed = Math.min(...grid.map((row) => row.m));
  return {
    ...shape,
    feasible: false,
    chosen: null,
    reason: 'budget',
    explanation: `${queries} rewordings are too few: at least ${needed} are needed.`,
    whatHelps: [`${needed} rewordings, one call each`],
  };
}

/** The smallest m with (1 − x)^m ≤ alpha, x = ε/c (line 6 of the paper); 1 where ε reaches c. */
function lineSix(x: number, alpha: number): number {
  if (x >= 1 - 1e-12) return 1;
  return Math.max(1, guardedCeil(Math.abs(Math.log(alpha)) / Math.abs(Math.log1p(-x))));
}

/** m raised until the size bound holds; after 4m + 60 the last row is given, marked not ok. */
function raiseM(first: number, alpha: number, rowAt: (m: number) => PlanRow | null): PlanRow | null {
  const limit = first * 4 + 60;
  let m = first;
  let row = rowAt(m);
  while (row !== null && !row.sizeOk && m < limit) {
    // The noise only grows with m: once it alone exceeds alpha, nothing on the way to the limit can hold.
    m = row.noise > alpha + 1e-12 ? limit : m + 1;
    row = rowAt(m);
  }
  return row;
}

interface RowInput {
  epsilon: number;
  m: number;
  c: number;
  epsilonMax: number;
  alpha: number;
  budget: number;
  variant: AlgorithmCVariant;
}

function planRow({ epsilon, m, c, epsilonMax, alpha, budget, variant }: RowInput): PlanRow | null {
  const r = Math.floor(budget / (variant === 'seedBudget' ? m : m + 1));
  if (r < 2) return null;
  const delta = guard(r);
  const idealSize = Math.max(0, 1 - epsilon / c) ** m;
  const noise = (2 * m) / (variant === 'pairwiseBound' ? r : Math.sqrt(r));
  const epsilonPlus = epsilon + 2 * delta;
  return {
    epsilon,
    m,
    r,
    delta,
    idealSize,
    noise,
    size: idealSize + noise,
    epsilonPlus,
    idealPower: averagePower(epsilon, m, c),
    averagePower: epsilonPlus <= epsilonMax + 1e-12 ? averagePower(epsilonPlus, m, c) - noise : null,
    threshold: epsilon + delta,
    sizeOk: (variant === 'idealSizeOnly' ? idealSize : idealSize + noise) <= alpha + 1e-12,
  };
}

/**
 * δ_r = √(log r / r): how far two rates of r responses each are let stray by noise alone. r: responses, at least 1.
 */
export const guard = (r: number) => Math.sqrt(Math.log(r) / r);

/** 1 − [2/(1−c)]·{ε − [c/(m+1)]·(1 − (1 − ε/c)^(m+1))}: average power over p′ outside [a, b], for ε ≤ min(a, c, 1−b). */
function averagePower(epsilon: number, m: number, c: number): number {
  const left = Math.max(0, 1 - epsilon / c) ** (m + 1);
  return 1 - (2 / (1 - c)) * (epsilon - (c / (m + 1)) * (1 - left));
}

function tooNarrow(a: number, b: number, eta: number, shape: PlanShape): AlgorithmCPlan {
  const { c, epsilonMax } = shape;
  const cause =
    epsilonMax === c
      ? `the null interval is only ${c.toPrecision(3)} wide`
      : epsilonMax === a
        ? `the null interval begins at ${a.toPrecision(3)}`
        : `the null interval ends at ${b.toPrecision(3)}`;
  return {
    ...shape,
    feasible: false,
    chosen: null,
    reason: 'epsilonMaxBelowEta',
    explanation: `The half-width epsilon may be at most min(a, c, 1 − b) = ${epsilonMax.toPrecision(3)}, which is below the grid's first value ${eta}: ${cause}.`,
    whatHelps:
      epsilonMax === c
        ? ['a finer grid', 'the conformal test, which needs no interval']
        : [
            'average power over each side by its own length (averagePowerGeneral), which allows an interval that touches 0 or 1',
            'the conformal test, which needs no interval',
          ],
  };
}
