import type { AnswerFormat } from '../answers/labels';
import type { Comparison, Condition, RunRecord, Sample } from '../contracts/runRecord';
import type { Sequential } from '../contracts/sequential';
import { toUserError } from '../contracts/userError';
import type { Budget } from './budget';
import { collectSamples, type Collected } from './collect';
import type { EmbeddedTexts } from './compare';
import { embedAnswers } from './embedAnswers';
import type { RunHooks, RunPhase } from './events';
import { groupByCondition } from './judgeArms';
import type { RobustnessDeps, RobustnessRequest } from './robustnessRequest';
import { samplesOfCompleteJobs, scheduleJobs } from './schedule';
import { testChange } from './testChange';

export const BASELINE = 'baseline';
export const REPEAT = 'repeat';

/** What is to be measured. */
export interface MeasureRequest extends RobustnessRequest {
  conditions: Condition[];
  format: AnswerFormat;
  kept: readonly Sample[];
  budget: Budget;
}

export interface MeasureHooks extends RunHooks {
  /** Ends the arithmetic too. */
  testing: AbortSignal;
  timed: <T>(phase: RunPhase, work: () => Promise<T>) => Promise<T>;
}

export interface Measured {
  collected: Collected;
  /** Before the correction over all changes, in the order of the request. */
  comparisons: Comparison[];
  /** Answers to the unchanged prompt that may be tested; those of its second arm. */
  baseline: Sample[];
  repeat: Sample[];
  embedded: EmbeddedTexts[];
  embedding: RunRecord['embedding'];
  /** Answers of batches that were cut in the middle. */
  untested: number;
  /** Answers that came after the last look that was made. */
  early: number;
  sequential?: Sequential;
}

/**
 * Samples everything that was planned, then tests every change once.
 * @throws UserError when not one answer was received
 */
export async function measureOnce(
  deps: RobustnessDeps,
  request: MeasureRequest,
  hooks: MeasureHooks,
): Promise<Measured> {
  const { conditions, options, perturbations, seed, kept, budget } = request;
  const jobs = scheduleJobs(conditions, options.samples, deps.model.batch, seed);
  const collected = await hooks.timed('sampling', () =>
    collectSamples(deps, { id: request.runId, jobs, options, firstTokenTop: 0, kept, budget }, hooks),
  );
  requireAnAnswer(collected);
  const testable = samplesOfCompleteJobs(jobs, collected.samples);
  const samplesOf = groupByCondition(testable);
  const baseline = samplesOf.get(BASELINE) ?? [];
  const { embedded, embedding } = await hooks.timed('embedding', () =>
    embedAnswers(deps.embedders, collected.samples, { signal: hooks.testing, onEvent: hooks.onEvent }),
  );
  const comparisons = await hooks.timed('testing', async () => {
    const tested: Comparison[] = [];
    for (const perturbation of perturbations) {
      const perturbed = samplesOf.get(perturbation.id) ?? [];
      const arms = { ...request, baseline, perturbed, embedded, cut: collected.stopped !== null };
      tested.push(await testChange(deps.tester, perturbation, arms, request, hooks.testing));
      hooks.onEvent?.({
        type: 'progress',
        phase: 'testing',
        done: tested.length,
        total: perturbations.length,
        secondsLeft: null,
      });
    }
    return tested;
  });
  return {
    collected,
    comparisons,
    baseline,
    repeat: samplesOf.get(REPEAT) ?? [],
    embedded,
    embedding,
    untested: collected.samples.length - testable.length,
    early: 0,
  };
}

export function requireAnAnswer({ samples, stopped }: Collected): void {
  if (samples.length === 0 && stopped?.reason === 'failed') throw toUserError(stopped.error);
}
