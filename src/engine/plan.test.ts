import { describe, expect, it } from 'vitest';
import { DEFAULT_OPTIONS } from './defaults';
import { planCheck, planSeconds, type MeasuredRun } from './plan';

const run = (requests: number, completionTokens: number, promptHash = 'other'): MeasuredRun => ({
  promptHash,
  requests,
  answers: requests * 20,
  completionTokens,
  seconds: 0.5 * requests + 0.01 * completionTokens,
});
const plan = { promptHash: 'mine', requests: 11, answers: 220, answerTokens: 32 };

describe('how long a check takes', () => {
  it('is unknown before anything was measured', () => {
    expect(planSeconds([], plan)).toEqual({ seconds: null, secondsAre: 'unknown' });
  });

  it('takes the time of a request and of a token apart, and is an upper bound for a new prompt', () => {
    const { seconds, secondsAre } = planSeconds([run(11, 440), run(11, 5000), run(4, 100)], plan);
    expect(seconds).toBeCloseTo(0.5 * 11 + 0.01 * 220 * 32, 6);
    expect(secondsAre).toBe('atMost');
  });

  it('uses the length of the answers where the prompt was run before', () => {
    const { seconds, secondsAre } = planSeconds([run(11, 440, 'mine'), run(11, 5000)], plan);
    expect(seconds).toBeCloseTo(0.5 * 11 + 0.01 * 440, 6);
    expect(secondsAre).toBe('estimate');
  });

  it('needs no second run to say something', () => {
    expect(planSeconds([run(11, 440)], plan).seconds).toBeGreaterThan(0);
  });
});

it('counts calls and tokens, and knows the smallest p-value', () => {
  const unknown = { seconds: null, secondsAre: 'unknown' as const };
  expect(
    planCheck(['abcd', 'abcdefgh'], { ...DEFAULT_OPTIONS, samples: 5, permutations: 99 }, unknown, null),
  ).toEqual({
    conditions: 2,
    calls: 10,
    promptTokens: 15,
    completionTokensAtMost: 320,
    seconds: null,
    secondsAre: 'unknown',
    priceUsd: null,
    price: null,
    pFloor: 0.01,
    // Fisher rejects from 4 of 5 against 0 of 5 on, which a rate of .832 gives in 80 of 100 samples.
    detectableAtBest: 0.832,
  });
});

it('knows that few answers cannot give a small p-value, however many permutations', () => {
  const unknown = { seconds: null, secondsAre: 'unknown' as const };
  expect(planCheck(['a'], { ...DEFAULT_OPTIONS, samples: 4 }, unknown, null).pFloor).toBeCloseTo(1 / 70, 12);
});
