import { requireInteger } from './argumentChecks';
import { fitBetaBinomial, type BetaBinomialFit } from './betaBinomialFit';
import { betaBinomialLogPmf, binomialPmf } from './distributions';
import { createRng, type Rng } from './rng';

export interface PredictiveP {
  /** P(X ≤ k′) */
  lower: number;
  /** P(X ≥ k′) */
  upper: number;
  /** min(1, 2·min(lower, upper)) */
  doubled: number;
  /** Sum of the probabilities of outcomes no likelier than k′: the two-sided p of this library. */
  minimumLikelihood: number;
}

/**
 * Probabilities of 0 … r under a fit. Boundary fits give their limit: the binomial at mu, two point masses for
 * all-or-nothing, and for all 0 (or all n) a binomial at the rule-of-three bound 3/trials (1 − 3/trials).
 * Cost: r. @throws RangeError if r is not an integer ≥ 1.
 */
export function predictiveMass(fit: BetaBinomialFit, r: number, trials: number): number[] {
  requireInteger('r', r, 1);
  const counts = Array.from({ length: r + 1 }, (_, j) => j);
  const { a, b } = fit;
  if (a !== null && b !== null) return counts.map((j) => Math.exp(betaBinomialLogPmf(j, r, a, b)));
  if (fit.boundary === 'allOrNothing')
    return counts.map((j) => (j === r ? fit.mu : j === 0 ? 1 - fit.mu : 0));
  const bound = Math.min(1, 3 / trials);
  const rate = fit.boundary === 'allZero' ? bound : fit.boundary === 'allFull' ? 1 - bound : fit.mu;
  return counts.map((j) => binomialPmf(j, r, rate));
}

/**
 * Tail probabilities of the count `k` under the masses of 0 … r; ties within 1e-7 relative count as ties. Cost: r.
 * @throws RangeError if k is not an integer in 0 … r.
 */
export function predictiveP(mass: readonly number[], k: number): PredictiveP {
  requireInteger('k', k, 0, mass.length - 1);
  const limit = mass[k]! * (1 + 1e-7);
  let lower = 0;
  let upper = 0;
  let minimumLikelihood = 0;
  mass.forEach((p, j) => {
    if (j <= k) lower += p;
    if (j >= k) upper += p;
    if (p <= limit) minimumLikelihood += p;
  });
  if (k === 0) upper = 1;
  if (k === mass.length - 1) lower = 1;
  return {
    lower,
    upper,
    doubled: Math.min(1, 2 * Math.min(lower, upper)),
    minimumLikelihood: Math.min(1, minimumLikelihood),
  };
}

/** The p of a count under a fit. Families that all answered one way: only departures from that count as evidence. */
function twoSidedP(fit: BetaBinomialFit, r: number, trials: number, k: number): number {
  const { lower, upper, minimumLikelihood } = predictiveP(predictiveMass(fit, r, trials), k);
  if (fit.boundary === 'allZero') return upper;
  if (fit.boundary === 'allFull') return lower;
  return minimumLikelihood;
}

export type BetaBinomialTest =
  | {
      state: 'tested';
      /** Bootstrap p, corrected for the parameters having been estimated. */
      p: number;
      /** Without that correction; too small for few families. */
      plugInP: number;
      fit: BetaBinomialFit;
      draws: number;
      /** Always true: the p rests on the beta-binomial model. */
      modelBased: true;
    }
  | { state: 'undecided'; reason: 'notIdentifiable' | 'tooFewFamilies'; explanation: string };

/**
 * Does a new count k′ of r belong to the families k_j of n_j? H0: all come from one BetaBinomial(·, a, b).
 * Two-sided predictive p with a parametric bootstrap: families and k′ are simulated from the fit (its dispersion raised to its
 * 75% upper bound, see `cautiousFit`), refitted, and p is the share whose predictive p is at most the observed one, +1 rule. For few families, where the conformal test cannot
 * reach alpha. Model-based: wrong when the rates of the family are not roughly beta distributed.
 * Approximate: measured sizes at .05 lie between .02 and .08 for 6 to 12 families of 10 responses. `undecided` for fewer than
 * 3 families, single trials and all-or-nothing counts. Cost: draws + 720 refits.
 * @throws RangeError on counts that are not integers with 0 ≤ k ≤ n, 0 ≤ kNew ≤ r, or draws below 99.
 */
export function betaBinomialTest(input: {
  k: readonly number[];
  n: readonly number[];
  kNew: number;
  r: number;
  draws?: number;
  rng: Rng;
}): BetaBinomialTest {
  const { k, n, kNew, r, draws = 999, rng } = input;
  requireInteger('r', r, 1);
  requireInteger('kNew', kNew, 0, r);
  requireInteger('draws', draws, 99);
  const fit = fitBetaBinomial(k, n);
  if (k.length < 3) {
    return {
      state: 'undecided',
      reason: 'tooFewFamilies',
      explanation: `The spread of a family cannot be judged from ${k.length} rewordings; use at least 3.`,
    };
  }
  if (fit.boundary === 'singleTrials' || fit.boundary === 'allOrNothing') {
    return {
      state: 'undecided',
      reason: 'notIdentifiable',
      explanation:
        fit.boundary === 'singleTrials'
          ? 'One response per rewording says nothing about how rewordings differ: take at least 2 responses each.'
          : 'Every rewording answered all one way: the spread within a rewording cannot be told from the spread between them.',
    };
  }
  const trials = n.reduce((sum, size) => sum + size, 0);
  const plugInP = twoSidedP(fit, r, trials, kNew);
  const simulated = cautiousFit(fit, n, trials, rng.uint32());
  const draw = createSampler(simulated, trials, rng);
  let atMost = 0;
  for (let i = 0; i < draws; i++) {
    const refitted = fitBetaBinomial(n.map(draw), n);
    if (twoSidedP(refitted, r, trials, draw(r)) <= plugInP * (1 + 1e-9)) atMost++;
  }
  return { state: 'tested', p: (1 + atMost) / (1 + draws), plugInP, fit, draws, modelBased: true };
}

/** Share of simulated families whose fit must be no more dispersed than the observed one. */
const CAUTION = 0.25;

/**
 * The fit to simulate from. The likelihood underestimates the dispersion of few families (often it says 0), and a bootstrap
 * from it rejects too often. So the dispersion is raised until only a quarter of simulated families look as little
 * dispersed as the observed ones: its 75% upper confidence bound, found by bisection with common random numbers.
 */
function cautiousFit(
  fit: BetaBinomialFit,
  n: readonly number[],
  trials: number,
  seed: number,
): BetaBinomialFit {
  const bound = Math.min(0.5, 3 / trials);
  const mu = fit.boundary === 'allZero' ? bound : fit.boundary === 'allFull' ? 1 - bound : fit.mu;
  const observed = fit.rho ?? 0;
  const at = (rho: number): BetaBinomialFit => ({
    ...fit,
    a: mu * (1 / rho - 1),
    b: (1 - mu) * (1 / rho - 1),
    mu,
    rho,
    boundary: null,
  });
  const simulations = 80;
  const asLittle = (rho: number) => {
    const draw = createSampler(at(rho), trials, createRng(seed, 'dispersion'));
    let count = 0;
    for (let i = 0; i < simulations; i++) {
      if ((fitBetaBinomial(n.map(draw), n).rho ?? 1) <= observed + 1e-9) count++;
    }
    return count / simulations;
  };
  let low = Math.max(observed, 1e-4);
  let high = 0.95;
  if (asLittle(low) <= CAUTION) return at(low);
  for (let step = 0; step < 8; step++) {
    const middle = (low + high) / 2;
    if (asLittle(middle) > CAUTION) low = middle;
    else high = middle;
  }
  return at(high);
}

/** Draws counts by inversion from the fit; one table of cumulative masses per number of trials. */
function createSampler(fit: BetaBinomialFit, trials: number, rng: Rng): (size: number) => number {
  const tables = new Map<number, number[]>();
  return (size) => {
    let table = tables.get(size);
    if (table === undefined) {
      let sum = 0;
      table = predictiveMass(fit, size, trials).map((p) => (sum += p));
      tables.set(size, table);
    }
    const u = rng.unit() * table[size]!;
    const count = table.findIndex((cumulative) => cumulative > u);
    return count < 0 ? size : count;
  };
}
