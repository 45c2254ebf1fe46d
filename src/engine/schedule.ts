import { isServerFailure } from './circuit';
import { createRng, mixSeed, type Rng } from '../stats/rng';
import type { Condition, Sample } from '../contracts/runRecord';

/** Answers of one condition that are asked for together. */
export interface Job {
  condition: Condition;
  /** Index within its condition of the first answer of this job. */
  firstIndex: number;
  seeds: number[];
}

/**
 * Splits every condition into jobs of at most `batch` answers and shuffles the jobs, so that a drift of the
 * server during the run falls on all conditions alike (pain point: outputs depend on load).
 * Seeds differ between all answers of a run: equal prompts must give independent arms.
 * @param from index of the first answer, where the ones before it were asked for in an earlier part of the run
 */
export function scheduleJobs(
  conditions: Condition[],
  samples: number,
  batch: number,
  seed: number,
  from = 0,
): Job[] {
  const jobs: Job[] = [];
  for (const condition of conditions) {
    for (let first = from; first < samples; first += batch) {
      const size = Math.min(batch, samples - first);
      const seeds = Array.from({ length: size }, (_, i) => sampleSeed(seed, condition.id, first + i));
      jobs.push({ condition, firstIndex: first, seeds });
    }
  }
  shuffle(jobs, createRng(seed, from === 0 ? 'order' : `order@${from}`));
  return jobs;
}

/**
 * What an earlier part of a run leaves to do. A job of which an answer is missing or failed at the server is asked whole:
 * answers that were made side by side belong together.
 */
export function splitKept(jobs: Job[], kept: readonly Sample[]): { kept: Sample[]; left: Job[] } {
  // The last one counts: a job that was asked again has its answers twice.
  const of = new Map(kept.map((sample) => [`${sample.conditionId}#${sample.index}`, sample]));
  const result: { kept: Sample[]; left: Job[] } = { kept: [], left: [] };
  for (const job of jobs) {
    const found = job.seeds.flatMap((seed, i) => {
      const sample = of.get(`${job.condition.id}#${job.firstIndex + i}`);
      return sample === undefined || sample.seed !== seed || isServerFailure(sample.outcome) ? [] : [sample];
    });
    if (found.length === job.seeds.length) result.kept.push(...found);
    else result.left.push(job);
  }
  return result;
}

/**
 * The samples that may be tested: those of jobs that came to their end. Answers of one job that are made side by side end
 * shortest first, so a job cut in the middle has kept its short answers only, and would differ from any other arm by that
 * alone. Jobs of a single answer have no such part; the shuffled order makes their loss fall on all conditions alike.
 */
export function samplesOfCompleteJobs(jobs: Job[], samples: Sample[]): Sample[] {
  const received = new Set(samples.map(({ conditionId, index }) => `${conditionId}#${index}`));
  const cut = new Set<string>();
  for (const { condition, firstIndex, seeds } of jobs) {
    const ids = seeds.map((_, i) => `${condition.id}#${firstIndex + i}`);
    if (!ids.every((id) => received.has(id))) ids.forEach((id) => cut.add(id));
  }
  return cut.size === 0
    ? samples
    : samples.filter(({ conditionId, index }) => !cut.has(`${conditionId}#${index}`));
}

/** Seed of one answer, 0 … 2^31−1 (servers take signed 32-bit seeds). */
export function sampleSeed(seed: number, conditionId: string, index: number): number {
  return mixSeed(seed, `${conditionId}#${index}`) >>> 1;
}

/** Fisher–Yates, in place. */
function shuffle<T>(items: T[], rng: Rng): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = rng.below(i + 1);
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
}
