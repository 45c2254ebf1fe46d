import type { BudgetLimits, Price } from '../contracts/budget';

import { UserError } from '../contracts/userError';

/** What a run may spend. One for the whole run, whatever its parts. */
export interface Budget {
  /**
   * Sets aside what a request may cost at most.
   * @returns null when it fits, else the cap that it would break, in words; it must then not be sent
   */
  reserve(request: { calls: number; promptTokens: number; answerTokens: number }): string | null;
  /** Replaces what was set aside by what it cost. An answer that was kept cost nothing. */
  settle(
    reserved: { calls: number; promptTokens: number; answerTokens: number },
    cost: { calls: number; promptTokens: number; answerTokens: number },
  ): void;
  /** Milliseconds until time is up; null without such a cap. */
  readonly timeLeftMs: number | null;
}

const NAMES: Record<keyof BudgetLimits, string> = {
  calls: 'calls',
  tokens: 'tokens',
  usd: 'dollars',
  seconds: 'seconds',
};

/** Dollars for tokens of these counts. */
export const costUsd = (price: Price, promptTokens: number, answerTokens: number): number =>
  (promptTokens * price.inPerMillion + answerTokens * price.outPerMillion) / 1_000_000;

/**
 * Caps are hard: a request is sent only if even its longest answer fits, so none is ever broken by an answer.
 * @throws UserError `usage` for a cap on money where the price is not known
 */
export function createBudget(limits: BudgetLimits, price: Price | null, nowMs: () => number): Budget {
  if (limits.usd !== undefined && price === null) {
    throw new UserError(
      'usage',
      'A cap on money was set, but the price of this model is not known.',
      'Give it with --price-in and --price-out (dollars per million tokens), or cap tokens with --max-tokens.',
    );
  }
  const startedMs = nowMs();
  let calls = 0;
  let tokens = 0;
  let usd = 0;
  const add = (sign: 1 | -1, of: { calls: number; promptTokens: number; answerTokens: number }) => {
    calls += sign * of.calls;
    tokens += sign * (of.promptTokens + of.answerTokens);
    if (price !== null) usd += sign * costUsd(price, of.promptTokens, of.answerTokens);
  };
  const broken = (): string | null => {
    const spent = { calls, tokens, usd };
    for (const name of ['calls', 'tokens', 'usd'] as const) {
      const cap = limits[name];
      if (cap !== undefined && spent[name] > cap * (1 + 1e-9)) return `${cap} ${NAMES[name]}`;
    }
    return null;
  };
  return {
    reserve(request) {
      if (this.timeLeftMs !== null && this.timeLeftMs <= 0) return `${limits.seconds} ${NAMES.seconds}`;
      add(1, request);
      const cap = broken();
      if (cap !== null) add(-1, request);
      return cap;
    },
    settle(reserved, cost) {
      add(-1, reserved);
      add(1, cost);
    },
    get timeLeftMs() {
      return limits.seconds === undefined ? null : limits.seconds * 1000 - (nowMs() - startedMs);
    },
  };
}

/** What a person is told when a cap was reached. */
export const budgetReached = (cap: string): UserError =>
  new UserError(
    'budgetReached',
    `The budget of ${cap} is used up.`,
    'Raise the cap and run the same again: answers that are kept are not paid for twice.',
  );
