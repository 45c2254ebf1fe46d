import { requireInteger, requireOpenUnit, requireWithin } from './argumentChecks';
import { predictiveMass, predictiveP } from './betaBinomial';
import { fitBetaBinomial } from './betaBinomialFit';
import { conformalP, fewestRewordings, rateScores } from './conformal';
import { drawBeta, drawBinomial } from './draws';
import { quantileOfSorted } from './quantile';
import { createRng, type Rng } from './rng';

export interface CompositeCandidate {
  /** `exact`: probabilities from one call per query. `conformal`: r responses per query. `betaBinomial`: model-based. */
  mode: 'exact' | 'conformal' | 'betaBinomial';
  /** Rewordings. */
  m: number;
  /** Responses per rewording and for the test query; 1 in exact mode. */
  r: number;
  calls: number;
  /** Smallest p that the design can give; null for the model-based one. */
  pFloor: number | null;
  /** The smallest shift of the answer rate that is found with the wanted power; null: not even the largest is. */
  detectable: number | null;
}

export type CompositePlan =
  | { feasible: true; chosen: CompositeCandidate; candidates: CompositeCandidate[]; explanation: string }
  | { feasible: false; fewestCalls: number; explanation: string };

/**
 * Splits a budget of calls into m rewordings × r responses for the composite test of one edit (the edit's own r calls
 * included) and says what can be detected: by simulation, rates of rewordings Beta distributed with the pilot's mean and
 * standard deviation, the edit's rate shifted towards the farther end. Among conformal designs the one with the smallest
 * detectable shift wins; below the conformal minimum the model-based test is proposed, labelled.
 * Cost: well under a second at the default number of simulations. Same seed, same plan.
 * @param family mean and sd of the share of one answer over rewordings, from a pilot or a guess.
 * @throws RangeError unless calls ≥ 1 is an integer, alpha and power are inside (0, 1), mean inside (0, 1) and sd at
 *   most what a rate with that mean can have.
 */
export function planComposite(input: {
  calls: number;
  alpha: number;
  exact?: boolean;
  family?: { mean: number; sd: number };
  power?: number;
  simulations?: number;
  seed: number;
}): CompositePlan {
  const { calls, alpha, exact = false, power = 0.8, simulations = 400, seed } = input;
  const family = input.family ?? { mean: 0.8, sd: 0.08 };
  requireInteger('calls', calls, 1);
  requireOpenUnit('alpha', alpha);
  requireOpenUnit('power', power);
  requireOpenUnit('family.mean', family.mean);
  requireWithin('family.sd', family.sd, 0, Math.sqrt(family.mean * (1 - family.mean)) * 0.999);
  requireInteger('simulations', simulations, 1);
  const fewest = fewestRewordings(alpha);
  const study = { alpha, family, power, simulations, seed };

  if (calls < fewest + 1) return planBelowConformal(calls, fewest, exact, study);
  if (exact) {
    // Every further rewording costs one call; beyond 99 the p-value only gets finer.
    const m = Math.min(calls - 1, Math.max(fewest, 99));
    const chosen = candidate('exact', m, 1, study);
    return {
      feasible: true,
      chosen,
      candidates: [chosen],
      explanation: `${m} rewordings, one call each, exact probabilities.`,
    };
  }
  const sizes = [...new Set([1, 1.5, 2, 3, 5].map((factor) => Math.ceil((fewest + 1) * factor) - 1))];
  const candidates = sizes
    .map((m) => ({ m, r: Math.floor(calls / (m + 1)) }))
    .filter(({ r }) => r >= 1)
    .map(({ m, r }) => candidate('conformal', m, r, study));
  const chosen = candidates.reduce((best, next) =>
    (next.detectable ?? Infinity) < (best.detectable ?? Infinity) ? next : best,
  );
  const found =
    chosen.detectable === null
      ? 'even the largest shift would often be missed'
      : `finds a shift of the answer rate by ${chosen.detectable.toFixed(2)} or more in ${Math.round(power * 100)} of 100 runs`;
  return {
    feasible: true,
    chosen,
    candidates,
    explanation: `${chosen.m} rewordings × ${chosen.r} responses: ${found}.`,
  };
}

interface Study {
  alpha: number;
  family: { mean: number; sd: number };
  power: number;
  simulations: number;
  seed: number;
}

function planBelowConformal(calls: number, fewest: number, exact: boolean, study: Study): CompositePlan {
  const m = Math.min(fewest - 1, Math.floor(calls / 5) - 1);
  if (exact || m < 5) {
    return {
      feasible: false,
      fewestCalls: exact ? fewest + 1 : 30,
      explanation: exact
        ? `At level ${study.alpha} the test needs ${fewest} rewordings and the edit, one call each: ${fewest + 1} calls.`
        : `The test needs ${fewest} rewordings at level ${study.alpha} (${fewest + 1} calls or more), or, relying on a beta-binomial model, 5 rewordings and the edit with 5 responses each: 30 calls.`,
    };
  }
  const chosen = candidate('betaBinomial', m, Math.floor(calls / (m + 1)), study);
  return {
    feasible: true,
    chosen,
    candidates: [chosen],
    explanation: `${m} rewordings × ${chosen.r} responses, relying on a beta-binomial model: a test without a model needs ${fewest} rewordings.`,
  };
}

function candidate(mode: CompositeCandidate['mode'], m: number, r: number, study: Study): CompositeCandidate {
  const { family, power, simulations } = study;
  const direction = family.mean >= 0.5 ? -1 : 1;
  const room = direction < 0 ? family.mean : 1 - family.mean;
  const p = pFunction(mode, m, r, study);
  const found = (shift: number) => {
    // The same stream for every shift, so that power rises smoothly with it.
    const rng = createRng(study.seed, `plan.${mode}.${m}.${r}`);
    let rejected = 0;
    for (let i = 0; i < simulations; i++) {
      if (p(simulate(mode, m, r, family, direction * shift, rng)) <= study.alpha + 1e-12) rejected++;
    }
    return rejected >= power * simulations;
  };
  let low = 0;
  let high = Math.floor(room * 100);
  let detectable: number | null = null;
  if (found(high / 100)) {
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (found(middle / 100)) high = middle;
      else low = middle;
    }
    detectable = high / 100;
  }
  const calls = (m + 1) * r;
  return { mode, m, r, calls, pFloor: mode === 'betaBinomial' ? null : 1 / (m + 1), detectable };
}

/** Rates (exact) or counts of m rewordings and, last, of an edit whose rate is shifted. */
function simulate(
  mode: CompositeCandidate['mode'],
  m: number,
  r: number,
  family: { mean: number; sd: number },
  shift: number,
  rng: Rng,
): number[] {
  const draw = () => {
    if (family.sd === 0) return family.mean;
    const size = (family.mean * (1 - family.mean)) / family.sd ** 2 - 1;
    return drawBeta(family.mean * size, (1 - family.mean) * size, rng);
  };
  const rates = Array.from({ length: m + 1 }, draw);
  rates[m] = Math.max(0, Math.min(1, rates[m]! + shift));
  return mode === 'exact' ? rates : rates.map((rate) => drawBinomial(r, rate, rng));
}

function pFunction(mode: CompositeCandidate['mode'], m: number, r: number, study: Study) {
  if (mode !== 'betaBinomial') {
    const scale = mode === 'exact' ? 1 : r;
    return (values: number[]) => {
      const scores = rateScores(
        values.map((value) => value / scale),
        'atypical',
      );
      return conformalP(scores.slice(0, -1), scores[m]!).p;
    };
  }
  const sizes = new Array<number>(m).fill(r);
  const plugIn = (counts: number[]) =>
    predictiveP(predictiveMass(fitBetaBinomial(counts.slice(0, -1), sizes), r, m * r), counts[m]!)
      .minimumLikelihood;
  // The bootstrap of the real test is too slow to simulate; its effect is to move the plug-in p's cut to its true level.
  const rng = createRng(study.seed, `plan.null.${m}.${r}`);
  const underNull = Float64Array.from({ length: study.simulations }, () =>
    plugIn(simulate(mode, m, r, study.family, 0, rng)),
  ).sort();
  const cut = quantileOfSorted(underNull, study.alpha);
  return (counts: number[]) => (plugIn(counts) <= cut ? study.alpha : 1);
}
