import type { Price } from '../contracts/budget';
import type { Plan, RunOptions } from '../contracts/runRecord';
import { costUsd } from './budget';
import { mdeShareBeforeRun } from '../stats/power';
import { binomialCoefficient } from '../stats/splits';

/** What sampling cost in one earlier run of a model on this machine. */
export interface MeasuredRun {
  /** Identifies the prompt, so that its next plan knows how long its answers are. */
  promptHash: string;
  /** Requests to the model: in process one per condition, elsewhere one per answer. */
  requests: number;
  answers: number;
  completionTokens: number;
  /** Wall time of the sampling phase. */
  seconds: number;
}

/** About four characters a token in English; only for plans, never for results. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * What a check will cost, before the first call.
 * @param prompts the rendered prompt of every condition
 * @param price null where nobody knows it
 */
export function planCheck(
  prompts: string[],
  options: RunOptions,
  time: Pick<Plan, 'seconds' | 'secondsAre'>,
  price: Price | null,
): Plan {
  const characters = prompts.reduce((sum, prompt) => sum + prompt.length, 0);
  const calls = prompts.length * options.samples;
  const promptTokens = Math.ceil((characters / CHARACTERS_PER_TOKEN) * options.samples);
  return {
    conditions: prompts.length,
    calls,
    promptTokens,
    completionTokensAtMost: calls * options.answerTokens,
    ...time,
    priceUsd: price === null ? null : costUsd(price, promptTokens, calls * options.answerTokens),
    price,
    detectableAtBest: mdeShareBeforeRun({
      n0: options.samples,
      n1: options.samples,
      alpha: options.alpha / Math.max(1, prompts.length - (options.repeatArm ? 2 : 1)),
    }),
    // Few answers have few splits; all of them are listed then.
    pFloor:
      1 /
      Math.min(
        options.permutations + 1,
        options.statistic === undefined
          ? binomialCoefficient(2 * options.samples, options.samples)
          : Infinity,
      ),
  };
}

/**
 * How long sampling will take, from earlier runs of the same model: a time per request and a time per token, fitted
 * by least squares. `estimate` where this prompt was run before and the length of its answers is known; otherwise
 * every answer may fill its window, and the time is `atMost`. Null seconds before anything was measured.
 */
export function planSeconds(
  runs: MeasuredRun[],
  plan: { promptHash: string; requests: number; answers: number; answerTokens: number },
): Pick<Plan, 'seconds' | 'secondsAre'> {
  if (runs.length === 0) return { seconds: null, secondsAre: 'unknown' };
  const before = runs.findLast((run) => run.promptHash === plan.promptHash);
  const tokensPerAnswer =
    before === undefined
      ? plan.answerTokens
      : Math.min(plan.answerTokens, before.completionTokens / before.answers);
  const [perRequest, perToken] = fitCost(runs);
  return {
    seconds: perRequest * plan.requests + perToken * plan.answers * tokensPerAnswer,
    secondsAre: before === undefined ? 'atMost' : 'estimate',
  };
}

/** seconds ≈ a · requests + b · tokens, a and b not negative; one of them alone where the runs cannot tell them apart. */
function fitCost(runs: MeasuredRun[]): [perRequest: number, perToken: number] {
  const sum = (of: (run: MeasuredRun) => number) => runs.reduce((total, run) => total + of(run), 0);
  const rr = sum((run) => run.requests ** 2);
  const rt = sum((run) => run.requests * run.completionTokens);
  const tt = sum((run) => run.completionTokens ** 2);
  const rs = sum((run) => run.requests * run.seconds);
  const ts = sum((run) => run.completionTokens * run.seconds);
  const determinant = rr * tt - rt * rt;
  if (determinant > 0.01 * rr * tt) {
    const perRequest = (rs * tt - ts * rt) / determinant;
    const perToken = (ts * rr - rs * rt) / determinant;
    if (perRequest >= 0 && perToken >= 0) return [perRequest, perToken];
  }
  return [0, ts / tt];
}
