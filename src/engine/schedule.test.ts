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

describe('the order of asking', () => {
  const conditions = ['a', 'b', 'c', 'd'].map(condition);
  const jobs = scheduleJobs(conditions, 50, 1, 3);

  it('interleaves the conditions at random: a server under load hits all alike (vllm #23138, #5898)', () => {
    const order = jobs.map((job) => job.condition.id);
    // Runs of the same condition: 150 of 199 neighbours differ by chance, 3 where one follows the other.
    const changes = order.filter((id, i) => i > 0 && id !== order[i - 1]).length;
    expect(changes).toBeGreaterThan(120);
    for (const { id } of conditions) {
      const places = order.flatMap((other, i) => (other === id ? [i] : []));
      expect(places).toHaveLength(50);
      const mean = places.reduce((sum, place) => sum + place, 0) / places.length;
      expect(Math.abs(mean - 99.5)).toBeLessThan(25);
    }
    expect(scheduleJobs(conditions, 50, 1, 3)).toEqual(jobs);
    expect(scheduleJobs(conditions, 50, 1, 4).map((job) => job.condition.id)).not.toEqual(order);
  });

  it('gives every answer a seed of its own: no two are the same by intent, at any temperature (ollama #586)', () => {
    const seeds = jobs.flatMap((job) => job.seeds);
    expect(new Set(seeds).size).toBe(200);
    for (const seed of seeds) expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
  });
});

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
