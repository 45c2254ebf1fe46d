import type { Plan, RunOptions } from '../contracts/runRecord';

/** How fast a model was on this machine, from earlier runs. */
export interface MeasuredSpeed {
  /** Answers' tokens per second of sampling time, over all answers decoded side by side, prompts included. */
  completionTokensPerSecond: number;
  /** Mean length of an answer, tokens. */
  meanCompletionTokens: number;
}

/** About four characters a token in English; only for plans, never for results. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * What a check will cost, before the first call.
 * @param prompts the rendered prompt of every condition
 * @param price USD for this run's tokens, when known (0 for models on this machine)
 */
export function planCheck(
  prompts: string[],
  options: RunOptions,
  speed: MeasuredSpeed | null,
  priceUsd: number | null,
): Plan {
  const characters = prompts.reduce((sum, prompt) => sum + prompt.length, 0);
  const calls = prompts.length * options.samples;
  return {
    conditions: prompts.length,
    calls,
    promptTokens: Math.ceil((characters / CHARACTERS_PER_TOKEN) * options.samples),
    completionTokensAtMost: calls * options.answerTokens,
    seconds: speed === null ? null : estimateSeconds(calls, options, speed),
    priceUsd,
    pFloor: 1 / (options.permutations + 1),
  };
}

function estimateSeconds(calls: number, options: RunOptions, speed: MeasuredSpeed): number {
  return (
    (calls * Math.min(options.answerTokens, speed.meanCompletionTokens)) / speed.completionTokensPerSecond
  );
}
