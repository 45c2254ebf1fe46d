import { extractLabel, inferAnswerFormat } from '../answers/labels';
import type {
  Comparison,
  CompositeResult,
  Condition,
  Perturbation,
  RunOptions,
  RunRecord,
  Sample,
} from '../contracts/runRecord';
import type { CompositeTestInput } from '../stats/compositeTest';
import { compositeVerdict } from '../stats/compositeVerdict';
import { fewestRewordings } from '../stats/conformal';
import type { Budget } from './budget';
import { collectSamples, stateOf } from './collect';
import { gather, NO_LABEL, type EmbeddedTexts } from './compare';
import { MIN_USABLE_SAMPLES } from './defaults';
import type { RunHooks } from './events';
import type { RunStore } from './ports';
import { embedAnswers } from './embedAnswers';
import { groupByCondition, usable } from './judgeArms';
import { actualCost, budgetOf, conditionsOf, stopError, runRobustness } from './robustness';
import type { RobustnessDeps, RobustnessRequest } from './robustnessRequest';
import { samplesOfCompleteJobs, scheduleJobs } from './schedule';

export const EDIT_ID = 'edit';
const EDITED_AGAIN = 'editedAgain';

export interface EditRequest extends Omit<RobustnessRequest, 'perturbations'> {
  /** The prompt before the edit is `prompt`; this is the edit, with id `edit`. */
  edit: Perturbation;
  /** Harmless rewordings of the prompt before the edit, all distinct. */
  rewordings: Perturbation[];
  /** What the prompt before is called: `HEAD`. */
  against: string;
}

/** Answers of each rewording: half as many as of either prompt, as there are many of them; at temperature 0 all are alike. */
export const rewordingAnswers = ({
  samples,
  temperature,
}: Pick<RunOptions, 'samples' | 'temperature'>): number =>
  temperature === 0 ? MIN_USABLE_SAMPLES : Math.max(MIN_USABLE_SAMPLES, Math.ceil(samples / 2));

/**
 * Has the edit changed the behaviour, and by more than harmless rewordings of the prompt before it do? First both prompts
 * are asked and tested (section 1 of the methods). Only where their answers differ are the rewordings asked, together with
 * a fresh sample of the edited prompt, so that all of these are taken at one time and none was looked at before; then the
 * conformal test of section 2.2. `changed` needs both tests to reject.
 * Cost: 2·k answers, and (m + 1)·⌈k/2⌉ more only where they differ.
 * @throws UserError when not one answer was received
 */
export async function runEdit(
  deps: RobustnessDeps,
  request: EditRequest,
  hooks: RunHooks,
): Promise<RunRecord> {
  const { edit, rewordings, against, ...rest } = request;
  // The record of the first part is not the run's.
  const budget = request.budget ?? budgetOf(request, deps.clock);
  const store: RunStore = {
    ...deps.store,
    keepRequest: (asked) =>
      deps.store.keepRequest({ ...asked, kind: 'edit', against, perturbations: [edit, ...rewordings] }),
    finish: () => Promise.resolve(),
  };
  const difference = await runRobustness(
    { ...deps, store },
    { ...rest, budget, perturbations: [edit] },
    hooks,
  );
  const perturbations = [edit, ...rewordings];
  const first: RunRecord = { ...difference, kind: 'edit', against, perturbations };
  const moved = first.state === 'complete' && first.comparisons[0]?.verdict === 'changed';
  const record = moved
    ? await againstRewordings(deps, { ...request, budget }, first, hooks)
    : concluded(first, first.comparisons[0]);
  await deps.store.finish(record);
  return record;
}

async function againstRewordings(
  deps: RobustnessDeps,
  request: EditRequest & { budget: Budget },
  first: RunRecord,
  hooks: RunHooks,
): Promise<RunRecord> {
  const { options, seed, edit, rewordings } = request;
  const comparison = first.comparisons[0]!;
  const needed = fewestRewordings(options.alpha);
  if (rewordings.length < needed) {
    const explanation = `Its answers moved, but only ${rewordings.length} harmless rewordings of this prompt could be made, and ${needed} are needed to say whether it moved them by more than a rewording. A writer model can make more.`;
    return concluded(first, undecided(comparison, 'tooFewRewordings', explanation));
  }
  const startedMs = deps.clock.nowMs();
  const conditions = [
    ...conditionsOf(request.prompt, rewordings, { repeatArm: false })
      .filter(({ role }) => role === 'perturbation')
      .map((condition): Condition => ({ ...condition, role: 'rewording' })),
    ...conditionsOf(request.prompt, [edit], { repeatArm: false })
      .filter(({ role }) => role === 'perturbation')
      .map((condition): Condition => ({ ...condition, id: EDITED_AGAIN, role: 'editedAgain' })),
  ];
  const jobs = scheduleJobs(conditions, rewordingAnswers(options), deps.model.batch, seed);
  hooks.onEvent?.({ type: 'phase', phase: 'sampling' });
  const collected = await collectSamples(
    deps,
    {
      id: request.runId,
      jobs,
      options,
      firstTokenTop: 0,
      firstPosition: first.samples.length,
      kept: request.kept,
      budget: request.budget,
    },
    hooks,
  );
  const sampledMs = deps.clock.nowMs();
  const samples = [...first.samples, ...collected.samples];
  const state = stateOf(collected.stopped);
  const phases = {
    ...first.actual.phases,
    sampling: (first.actual.phases['sampling'] ?? 0) + (sampledMs - startedMs) / 1000,
  };
  const done = (changed: Comparison): RunRecord =>
    concluded(
      {
        ...first,
        state,
        conditions: [...first.conditions, ...conditions],
        samples,
        finishedAt: new Date(deps.clock.nowMs()).toISOString(),
        actual: actualCost(
          samples,
          first.actual.seconds + (deps.clock.nowMs() - startedMs) / 1000,
          phases,
          first.plan.price,
        ),
        error: stopError(collected.stopped) ?? first.error,
      },
      changed,
    );
  if (collected.stopped !== null) {
    const explanation = `Its answers moved, but asking the rewordings was stopped after ${collected.samples.length} of ${jobs.reduce((sum, job) => sum + job.seeds.length, 0)} answers: whether it moved them by more than a rewording is open.`;
    return done(undecided(comparison, 'cancelled', explanation));
  }
  const signal = hooks.abandon ?? new AbortController().signal;
  const testable = samplesOfCompleteJobs(jobs, collected.samples);
  hooks.onEvent?.({ type: 'phase', phase: 'embedding' });
  const { embedded } = await embedAnswers(deps.embedders, testable, { signal, onEvent: hooks.onEvent });
  hooks.onEvent?.({ type: 'phase', phase: 'testing' });
  const queries = queriesOf(groupByCondition(testable), conditions);
  if (queries === null || queries.length - 1 < needed) {
    const explanation = `Its answers moved, but too few of the rewordings were answered to say whether it moved them by more than a rewording (${Math.max(0, (queries?.length ?? 1) - 1)} of the ${needed} that are needed).`;
    return done(undecided(comparison, 'tooFewRewordings', explanation));
  }
  const input = compositeInput(queries, embedded, request);
  const composite = await deps.tester.compositeTest(input, { signal });
  return done(combined(comparison, composite, options.alpha));
}

/**
 * The usable answers of each query, the edit's last. All are cut to the same number, as queries of unequal size are not
 * exchangeable; one with less than the least usable number is left out. Null when the edit itself is.
 */
function queriesOf(samplesOf: Map<string, Sample[]>, conditions: Condition[]): Sample[][] | null {
  const answered = conditions
    .map(({ id }) => ({ id, samples: usable(samplesOf.get(id) ?? []) }))
    .filter(({ samples }) => samples.length >= MIN_USABLE_SAMPLES);
  if (answered.at(-1)?.id !== EDITED_AGAIN) return null;
  const size = Math.min(...answered.map(({ samples }) => samples.length));
  return answered.map(({ samples }) => samples.slice(0, size));
}

function compositeInput(
  queries: Sample[][],
  embedded: EmbeddedTexts[],
  { prompt, options }: EditRequest,
): CompositeTestInput {
  const format = inferAnswerFormat(prompt.text);
  const texts = queries.flat().map(({ text }) => text);
  return {
    outputs: queries.map((samples) => samples.length),
    embeddings: embedded.map((entry) => ({
      embedder: entry.embedder,
      dim: entry.dim,
      vectors: gather(entry, texts),
    })),
    texts,
    ...(format.kind === 'freeText'
      ? {}
      : { labels: texts.map((text) => extractLabel(text, format) ?? NO_LABEL) }),
    alpha: options.alpha,
  };
}

function combined(comparison: Comparison, composite: CompositeResult, alpha: number): Comparison {
  const { verdict, explanation } = compositeVerdict({
    difference: { p: comparison.adjustedP ?? comparison.p ?? 0 },
    composite:
      composite.state === 'tested'
        ? { state: 'tested', p: composite.p }
        : { state: 'undecided', explanation: composite.explanation ?? '' },
    alpha,
  });
  return verdict === 'undecided'
    ? { ...undecided(comparison, 'tooFewRewordings', explanation), composite }
    : { ...comparison, verdict, composite };
}

const undecided = (
  comparison: Comparison,
  reason: 'tooFewRewordings' | 'cancelled',
  explanation: string,
): Comparison => ({ ...comparison, verdict: 'undecided', undecided: { reason, explanation } });

/** `wobbles`: the edit changed the behaviour by more than a rewording. */
function concluded(record: RunRecord, comparison: Comparison | undefined): RunRecord {
  const verdict = comparison?.verdict ?? 'undecided';
  const state = verdict === 'changed' ? 'wobbles' : verdict === 'undecided' ? 'undecided' : 'steady';
  return {
    ...record,
    comparisons: comparison === undefined ? [] : [comparison],
    conclusion: { ...record.conclusion, state },
  };
}
