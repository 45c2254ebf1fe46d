import type { Command } from 'commander';
import type { BudgetLimits, Price } from '../contracts/budget';

import { UserError } from '../contracts/userError';
import { between } from './serverFlags';

/** Hard caps of a run, and what its model costs. */
export interface BudgetFlags {
  maxCalls?: number;
  maxTokens?: number;
  /** Dollars. */
  maxCost?: number;
  maxSeconds?: number;
  /** Dollars per million tokens. */
  priceIn?: number;
  priceOut?: number;
}

export function addBudgetFlags(command: Command): Command {
  return command
    .option('--max-calls <n>', 'ask for so many answers at most, then stop', between(1, 1e9, true))
    .option('--max-tokens <n>', 'read and write so many tokens at most, then stop', between(1, 1e12, true))
    .option('--max-cost <dollars>', 'spend so much at most, then stop', between(0.000001, 1e6, false))
    .option('--max-seconds <s>', 'ask for so long at most, then stop', between(0.1, 1e7, false))
    .option('--price-in <dollars>', 'price of a million tokens read', between(0, 1e6, false))
    .option('--price-out <dollars>', 'price of a million tokens written', between(0, 1e6, false));
}

export function budgetOf(flags: BudgetFlags): BudgetLimits | undefined {
  const { maxCalls: calls, maxTokens: tokens, maxCost: usd, maxSeconds: seconds } = flags;
  const limits = Object.entries({ calls, tokens, usd, seconds }).filter(([, value]) => value !== undefined);
  return limits.length === 0 ? undefined : Object.fromEntries(limits);
}

/** @throws UserError where only one of the two prices is given */
export function priceFlagsOf({ priceIn, priceOut }: BudgetFlags): Price | undefined {
  if (priceIn === undefined && priceOut === undefined) return undefined;
  if (priceIn === undefined || priceOut === undefined) {
    throw new UserError(
      'usage',
      'Only one of the two prices is given.',
      'Give both --price-in and --price-out, in dollars per million tokens.',
    );
  }
  return { inPerMillion: priceIn, outPerMillion: priceOut, asOf: null, source: 'given on the command line' };
}
