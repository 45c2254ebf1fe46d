import { describe, expect, it } from 'vitest';
import { UserError } from '../contracts/userError';
import { costUsd, createBudget } from './budget';

const PRICE = { inPerMillion: 2, outPerMillion: 8, asOf: null, source: 'test' };
const ONE = { calls: 1, promptTokens: 100, answerTokens: 50 };
let nowMs = 0;
const budgetOf = (limits: Parameters<typeof createBudget>[0]) => createBudget(limits, PRICE, () => nowMs);

describe('a budget', () => {
  it('without caps lets everything pass', () => {
    const budget = budgetOf({});
    for (let i = 0; i < 1_000; i++) expect(budget.reserve(ONE)).toBeNull();
    expect(budget.timeLeftMs).toBeNull();
  });

  it('lets so many calls pass and not one more', () => {
    const budget = budgetOf({ calls: 3 });
    expect([1, 2, 3].map(() => budget.reserve(ONE))).toEqual([null, null, null]);
    expect(budget.reserve(ONE)).toBe('3 calls');
    expect(budget.reserve({ ...ONE, calls: 0 })).toBeNull();
  });

  it('counts the longest answer before, and the real one after', () => {
    const budget = budgetOf({ tokens: 320 });
    expect(budget.reserve(ONE)).toBeNull();
    expect(budget.reserve(ONE)).toBeNull();
    expect(budget.reserve(ONE)).toBe('320 tokens');
    budget.settle(ONE, { calls: 1, promptTokens: 90, answerTokens: 5 });
    expect(budget.reserve({ ...ONE, promptTokens: 20 })).toBeNull();
  });

  it('costs nothing for an answer that was kept', () => {
    const budget = budgetOf({ calls: 1 });
    expect(budget.reserve(ONE)).toBeNull();
    budget.settle(ONE, { calls: 0, promptTokens: 0, answerTokens: 0 });
    expect(budget.reserve(ONE)).toBeNull();
  });

  it('counts money by the price of what is read and written', () => {
    expect(costUsd(PRICE, 1_000_000, 500_000)).toBe(6);
    const each = costUsd(PRICE, ONE.promptTokens, ONE.answerTokens);
    const budget = budgetOf({ usd: 2 * each });
    expect([budget.reserve(ONE), budget.reserve(ONE)]).toEqual([null, null]);
    expect(budget.reserve(ONE)).toBe(`${2 * each} dollars`);
  });

  it('ends with its time', () => {
    nowMs = 0;
    const budget = budgetOf({ seconds: 2 });
    nowMs = 1_999;
    expect(budget.reserve(ONE)).toBeNull();
    nowMs = 2_000;
    expect(budget.reserve(ONE)).toBe('2 seconds');
  });

  it('is refused where it caps money and nobody knows the price', () => {
    expect(() => createBudget({ usd: 1 }, null, () => 0)).toThrow(UserError);
    expect(() => createBudget({ calls: 1 }, null, () => 0)).not.toThrow();
  });
});
