import type { BudgetLimits } from '../contracts/budget';

/** Caps as a person set them: 0 and less is no cap, and calls and tokens are whole. Undefined without any. */
export function budgetIn(set: Record<keyof BudgetLimits, number>): BudgetLimits | undefined {
  const whole = (value: number) => Math.max(1, Math.floor(value));
  const limits: BudgetLimits = {
    ...(set.calls > 0 ? { calls: whole(set.calls) } : {}),
    ...(set.tokens > 0 ? { tokens: whole(set.tokens) } : {}),
    ...(set.usd > 0 ? { usd: set.usd } : {}),
    ...(set.seconds > 0 ? { seconds: set.seconds } : {}),
  };
  return Object.keys(limits).length === 0 ? undefined : limits;
}
