import type { Sample } from '../contracts/runRecord';
import { collectSamples, type Collected } from './collect';
import type { EmbeddedTexts } from './compare';
import { undecidedComparison } from './compare';
import { embedAnswers } from './embedAnswers';
import type { RunEvent } from './events';
import { groupByCondition } from './judgeArms';
import { afterLook, beforeLooks, planLooks } from './looks';
import {
  BASELINE,
  REPEAT,
  requireAnAnswer,
  type Measured,
  type MeasureHooks,
  type MeasureRequest,
} from './measure';
import type { RobustnessDeps } from './robustnessRequest';
import { samplesOfCompleteJobs, scheduleJobs, type Job } from './schedule';
import { testChange } from './testChange';

/**
 * Samples in blocks, the conditions of each shuffled together, and tests after every block what is still open. A change that
 * is decided is asked no more; the run ends when all are. Only whole blocks are looked at: where a run was stopped must not
 * choose what is tested.
 * @throws UserError when not one answer was received
 */
export async function measureInLooks(
  deps: RobustnessDeps,
  request: MeasureRequest,
  hooks: MeasureHooks,
): Promise<Measured> {
  const { conditions, options, perturbations, seed, budget, kept } = request;
  const plan = planLooks({ ...options, looks: options.looks ?? 2 }, perturbations.length);
  let state = beforeLooks(perturbations.map(({ id }) => id));
  const jobs: Job[] = [];
  const samples: Sample[] = [];
  let stopped: Collected['stopped'] = null;
  let modelChanged: string | null = null;
  let looked: { testable: Sample[]; embedded: EmbeddedTexts[]; embedding: Measured['embedding'] } = {
    testable: [],
    embedded: [],
    embedding: null,
  };
  let from = 0;

  for (const [look, size] of plan.sizes.entries()) {
    const asked = conditions.filter(({ role, id }) => role !== 'perturbation' || state.open.has(id));
    const block = scheduleJobs(asked, size, deps.model.batch, seed, from);
    const ahead = asked.length * (options.samples - size);
    const collected = await hooks.timed('sampling', () =>
      collectSamples(
        deps,
        {
          id: request.runId,
          jobs: block,
          options,
          firstTokenTop: 0,
          firstPosition: samples.reduce((next, { position }) => Math.max(next, position + 1), 0),
          kept,
          budget,
        },
        { ...hooks, onEvent: (event) => hooks.onEvent?.(overall(event, samples.length, ahead)) },
      ),
    );
    jobs.push(...block);
    samples.push(...collected.samples);
    modelChanged ??= collected.modelChanged;
    stopped = collected.stopped;
    requireAnAnswer({ samples, stopped, modelChanged });
    if (stopped !== null) break;

    const { embedded, embedding } = await hooks.timed('embedding', () =>
      embedAnswers(deps.embedders, samples, { signal: hooks.testing, onEvent: hooks.onEvent }),
    );
    looked = { testable: [...samples], embedded, embedding };
    const samplesOf = groupByCondition(looked.testable);
    const baseline = samplesOf.get(BASELINE) ?? [];
    state = await hooks.timed('testing', async () => {
      const tested = [];
      const open = perturbations.filter(({ id }) => state.open.has(id));
      for (const perturbation of open) {
        const arms = {
          ...request,
          baseline,
          perturbed: samplesOf.get(perturbation.id) ?? [],
          embedded,
          cut: false,
        };
        const own = { seed, options: { ...options, permutations: plan.permutations[look]! } };
        tested.push(await testChange(deps.tester, perturbation, arms, own, hooks.testing));
        hooks.onEvent?.({
          type: 'progress',
          phase: 'testing',
          done: tested.length,
          total: open.length,
          secondsLeft: null,
        });
      }
      return afterLook(state, tested, plan, options);
    });
    hooks.onEvent?.({
      type: 'look',
      look: look + 1,
      looks: plan.sizes.length,
      answers: size,
      decided: perturbations.length - state.open.size,
      changes: perturbations.length,
    });
    if (state.open.size === 0) break;
    from = size;
  }

  const samplesOf = groupByCondition(looked.testable);
  const baseline = samplesOf.get(BASELINE) ?? [];
  const complete = samplesOfCompleteJobs(jobs, samples);
  return {
    collected: { samples, stopped, modelChanged },
    comparisons: perturbations.map(
      (perturbation) =>
        state.comparisons.get(perturbation.id) ??
        undecidedComparison(perturbation, [], [], {
          reason: 'cancelled',
          explanation: `Stopped before the first look, which needs ${plan.sizes[0]} answers of each.`,
        }),
    ),
    baseline,
    repeat: samplesOf.get(REPEAT) ?? [],
    embedded: looked.embedded,
    embedding: looked.embedding,
    untested: samples.length - complete.length,
    early: complete.length - looked.testable.length,
    sequential: {
      sizes: plan.sizes,
      levels: plan.levels,
      looks: state.looks,
      savedCalls: stopped === null ? conditions.length * options.samples - samples.length : 0,
    },
  };
}

/** Counts of one block as counts of the run, as far as it is known: what is open now may be asked to the end. */
function overall(event: RunEvent, before: number, ahead: number): RunEvent {
  if (event.type !== 'progress' || event.phase !== 'sampling') return event;
  const done = before + event.done;
  const total = before + event.total + ahead;
  const perAnswer = event.secondsLeft === null ? null : event.secondsLeft / (event.total - event.done);
  return { ...event, done, total, secondsLeft: perAnswer === null ? null : perAnswer * (total - done) };
}
