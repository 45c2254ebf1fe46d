import { describe, expect, it } from 'vitest';
import type { PreparedCheck } from '../compose/evenkeel';
import { needsConsent, planDetail, planSummary } from './planText';

const prepared = (plan: Partial<PreparedCheck['plan']>): PreparedCheck =>
  ({
    request: { modelId: 'local:x' },
    options: { samples: 20 },
    perturbations: [{ name: 'Trailing space' }, { name: 'Contraction' }],
    plan: {
      conditions: 3,
      calls: 60,
      promptTokens: 1_200,
      completionTokensAtMost: 1_920,
      seconds: 75,
      priceUsd: 0,
      pFloor: 0.0001,
      ...plan,
    },
  }) as unknown as PreparedCheck;

describe('the plan in words', () => {
  it('names perturbations, answers, model, calls, time and price', () => {
    expect(planSummary(prepared({}))).toBe(
      '2 perturbations × 20 answers of local:x (60 calls, about 1 min 15 s, free)',
    );
  });

  it('says what is not known', () => {
    expect(planSummary(prepared({ seconds: null, priceUsd: null }))).toContain(
      'time not known yet, price not known',
    );
  });

  it('asks before anything that costs or may cost money', () => {
    expect(needsConsent(prepared({}))).toBe(false);
    expect(needsConsent(prepared({ priceUsd: null }))).toBe(true);
    expect(needsConsent(prepared({ priceUsd: 0.02 }))).toBe(true);
  });

  it('lists tokens and perturbations in full', () => {
    const detail = planDetail(prepared({ priceUsd: 0.024 }));
    expect(detail).toContain('at most about 3,120 tokens');
    expect(detail).toContain('about $0.02');
    expect(detail).toContain('Trailing space, Contraction');
  });
});
