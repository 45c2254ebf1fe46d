import { expect, it } from 'vitest';
import { budgetLimitsSchema } from '../contracts/budget';
import { budgetIn } from './budgetIn';

const NONE = { calls: 0, tokens: 0, usd: 0, seconds: 0 };

it('is no budget where nothing is capped', () => {
  expect(budgetIn(NONE)).toBeUndefined();
  expect(budgetIn({ ...NONE, calls: -3, usd: Number.NaN })).toBeUndefined();
});

it('holds only what is capped, as the engine takes it', () => {
  expect(budgetIn({ ...NONE, calls: 20.7, usd: 0.5 })).toEqual({ calls: 20, usd: 0.5 });
  expect(budgetLimitsSchema.parse(budgetIn({ calls: 0.2, tokens: 1e6, usd: 1, seconds: 0.1 }))).toEqual({
    calls: 1,
    tokens: 1e6,
    usd: 1,
    seconds: 0.1,
  });
});
