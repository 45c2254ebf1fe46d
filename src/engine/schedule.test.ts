import { describe, expect, it } from 'vitest';
import type { Condition, Sample } from '../contracts/runRecord';
import { samplesOfCompleteJobs, scheduleJobs } from './schedule';

const condition = (id: string): Condition => ({
  id,
  role: 'perturbation',
  perturbationId: id,
  rendered: id,
});
const sample = (conditionId: string, index: number): Sample => ({
  ...{ conditionId, index, seed: 1, outcome: 'ok', text: 'x', finishReason: 'stop', clipped: false },
  ...{ promptTokens: 1, completionTokens: 1, latencyMs: 1, startedAtMs: 0, position: 0 },
});
const received = (conditionId: string, indices: number[]) =>
  indices.map((index) => sample(conditionId, index));
const idsOf = (samples: Sample[]) => samples.map(({ conditionId, index }) => `${conditionId}#${index}`);

describe('samples that may be tested', () => {
  it('leave out a batch that was cut in the middle: its short answers came first', () => {
    const jobs = scheduleJobs([condition('a'), condition('b')], 6, 4, 1);
    const samples = [...received('a', [0, 1, 2, 3, 5]), ...received('b', [0, 2, 3, 4, 5])];
    // a: 0–3 is whole, 4–5 lacks 4. b: 0–3 lacks 1, 4–5 is whole.
    expect(idsOf(samplesOfCompleteJobs(jobs, samples))).toEqual(['a#0', 'a#1', 'a#2', 'a#3', 'b#4', 'b#5']);
  });

  it('are all of them where every answer is asked for by itself, or nothing is missing', () => {
    const single = scheduleJobs([condition('a')], 6, 1, 1);
    const some = received('a', [0, 3, 5]);
    expect(samplesOfCompleteJobs(single, some)).toEqual(some);
    const whole = received('a', [0, 1, 2, 3, 4, 5]);
    expect(samplesOfCompleteJobs(scheduleJobs([condition('a')], 6, 4, 1), whole)).toEqual(whole);
  });
});
