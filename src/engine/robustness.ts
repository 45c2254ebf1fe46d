import { inferAnswerFormat } from '../answers/labels';
import type { Price } from '../contracts/budget';
import type {
  Comparison,
  Condition,
  ModelIdentity,
  Perturbation,
  Plan,
  RunOptions,
  RunRecord,
  Sample,
} from '../contracts/runRecord';
import { RUN_RECORD_VERSION } from '../contracts/runRecord';
import { toUserError } from '../contracts/userError';
import { bindVariables } from '../prompts/variables';
import { costUsd, createBudget, type Budget } from './budget';
import { collectSamples, stateOf, type Collected } from './collect';
import {
  declaredFamily,
  differenceInput,
  pairsOf,
  testedComparison,
  undecidedComparison,
  type EmbeddedTexts,
} from './compare';
import { conclude, decide } from './conclude';
import { MIN_USABLE_SAMPLES } from './defaults';
import type { RunHooks } from './events';
import { checkIntegrity } from './integrity';
import { usable, whyUndecided } from './judgeArms';
import { outputMap } from './outputMap';
import type { Clock, Embedder, Model, RunStore, Tester } from './ports';
import { rocOf } from './rocOf';
import { samplesOfCompleteJobs, scheduleJobs } from './schedule';

export interface RobustnessDeps {
  model: Model;
  embedders: Embedder[];
  tester: Tester;
  store: RunStore;
  clock: Clock;
}

export interface RobustnessRequest {
  runId: string;
  prompt: RunRecord['prompt'];
  perturbations: Perturbation[];
  options: RunOptions;
  plan: Plan;
  seed: number;
  versions: Record<string, string>;
  reproduce: string;
  /** Of an earlier part of the same run, which goes on. */
  kept?: readonly Sample[];
  /** Where this is a part of a larger run; made from the options otherwise. */
  budget?: Budget;
}

const BASELINE = 'baseline';
const REPEAT = 'repeat';

/** One condition per prompt to be asked: the baseline (twice with `repeatArm`) and every perturbation, variables bound. */
export function conditionsOf(
  prompt: RunRecord['prompt'],
  perturbations: Perturbation[],
  { repeatArm }: Pick<RunOptions, 'repeatArm'>,
): Condition[] {
  const bind = (text: string) => bindVariables(text, prompt.variables).text;
  const unchanged = { perturbationId: null, rendered: bind(prompt.text) };
  return [
    { id: BASELINE, role: 'baseline', ...unchanged },
    ...(repeatArm ? [{ id: REPEAT, role: 'noiseFloor' as const, ...unchanged }] : []),
    ...perturbations.map((perturbation): Condition => ({
      id: perturbation.id,
      role: 'perturbation',
      perturbationId: perturbation.id,
      rendered: bind(perturbation.text),
      ...(perturbation.systemLine === undefined ? {} : { systemLine: perturbation.systemLine }),
    })),
  ];
}

/**
 * Samples the baseline and every perturbation, tests each against the baseline, and concludes.
 * A cancelled or broken run resolves too: what was received is tested as far as it goes and its state says so.
 * @throws UserError when not one answer was received (the model cannot be opened, the server is down)
 */
export async function runRobustness(
  given: RobustnessDeps,
  request: RobustnessRequest,
  hooks: RunHooks,
): Promise<RunRecord> {
  const deps = { ...given, clock: neverBackwards(given.clock) };
  const startedMs = deps.clock.nowMs();
  const { kept = [], budget = budgetOf(request, deps.clock), ...asked } = request;
  const phases: Record<string, number> = {};
  const timed = async <T>(
    phase: 'loading' | 'sampling' | 'embedding' | 'testing',
    work: () => Promise<T>,
  ) => {
    hooks.onEvent?.({ type: 'phase', phase });
    const fromMs = deps.clock.nowMs();
    try {
      return await work();
    } finally {
      phases[phase] = (deps.clock.nowMs() - fromMs) / 1000;
    }
  };

  await deps.store.begin(request.runId);
  const identity = await timed('loading', () => deps.model.open(hooks.signal));
  await deps.store.keepRequest({
    version: 1,
    kind: 'robustness',
    modelId: deps.model.id,
    model: identity,
    ...asked,
  });
  const conditions = conditionsOf(request.prompt, request.perturbations, request.options);
  const format = inferAnswerFormat(request.prompt.text);
  const jobs = scheduleJobs(conditions, request.options.samples, deps.model.batch, request.seed);
  const collected = await timed('sampling', () =>
    collectSamples(
      deps,
      { id: request.runId, jobs, options: request.options, firstTokenTop: 0, kept, budget },
      hooks,
    ),
  );
  // Some servers name the model and its fingerprint only in their replies.
  const served = collected.samples.length === 0 ? identity : await servedBy(deps.model, identity);
  if (collected.samples.length === 0 && collected.stopped?.reason === 'failed') {
    throw toUserError(collected.stopped.error);
  }

  // Cancelling ends the spending, not the arithmetic; `abandon` ends that too.
  const signal = hooks.abandon ?? new AbortController().signal;
  const testable = samplesOfCompleteJobs(jobs, collected.samples);
  const samplesOf = groupByCondition(testable);
  const baseline = samplesOf.get(BASELINE) ?? [];
  const { embedded, embedding } = await timed('embedding', () =>
    embedAnswers(deps.embedders, collected.samples, { signal, onEvent: hooks.onEvent }),
  );

  const tested = await timed('testing', async () => {
    const comparisons: Comparison[] = [];
    for (const perturbation of request.perturbations) {
      const perturbed = samplesOf.get(perturbation.id) ?? [];
      const undecided = whyUndecided(baseline, perturbed, request.options, collected.stopped !== null);
      if (undecided !== null) {
        comparisons.push(undecidedComparison(perturbation, baseline, perturbed, undecided));
      } else {
        const input = differenceInput(baseline, perturbed, embedded, format, request.options, request.seed);
        const result = await deps.tester.differenceTest(input, { signal });
        comparisons.push({
          ...testedComparison(perturbation, input, result, request.options),
          ...pairsOf(baseline, perturbed, input),
        });
      }
      hooks.onEvent?.({
        type: 'progress',
        phase: 'testing',
        done: comparisons.length,
        total: request.perturbations.length,
        secondsLeft: null,
      });
    }
    const arms = { baseline, repeat: samplesOf.get(REPEAT) ?? [] };
    return { comparisons, ...(await measureInstrument(deps.tester, arms, embedded, request, signal)) };
  });

  const integrity = await checkIntegrity(
    deps.tester,
    {
      before: identity,
      after: served,
      changed: collected.modelChanged,
      conditions,
      samples: collected.samples,
      baseline,
      embedded: embedded[0],
      seed: request.seed,
    },
    signal,
  );
  const comparisons = decide(tested.comparisons, request.options).map((comparison) =>
    integrity.problems.length === 0 ? comparison : compromised(comparison, integrity.problems[0]!),
  );
  const record: RunRecord = {
    version: RUN_RECORD_VERSION,
    id: request.runId,
    kind: 'robustness',
    state: stateOf(collected.stopped),
    startedAt: new Date(startedMs).toISOString(),
    finishedAt: new Date(deps.clock.nowMs()).toISOString(),
    versions: request.versions,
    reproduce: request.reproduce,
    prompt: request.prompt,
    model: served,
    embedders: deps.embedders.map(({ id, digest }) => ({ id, digest })),
    family: declaredFamily(
      deps.embedders.map(({ id }) => id),
      format,
      request.options,
    ),
    seed: request.seed,
    options: request.options,
    plan: request.plan,
    actual: actualCost(
      collected.samples,
      (deps.clock.nowMs() - startedMs) / 1000,
      phases,
      request.plan.price,
    ),
    perturbations: request.perturbations,
    conditions,
    samples: collected.samples,
    comparisons,
    noiseFloor: tested.noiseFloor,
    ...rocOf(request.perturbations, comparisons, request.seed),
    ...outputMap(collected.samples, embedded[0], request.seed),
    mde: tested.mde,
    embedding,
    integrity,
    conclusion: conclude({
      comparisons,
      perturbations: request.perturbations,
      baseline,
      embedding,
      format,
      stopped: collected.stopped?.reason ?? null,
      untested: collected.samples.length - testable.length,
      repeatP: tested.repeatP,
      statistic: request.options.statistic,
      problems: integrity.problems,
    }),
    error: stopError(collected.stopped),
  };
  await deps.store.finish(record);
  return record;
}

/** Cancelling by hand is no error. */
export const stopError = (stopped: Collected['stopped']): RunRecord['error'] =>
  stopped === null || stopped.reason === 'cancelled' ? null : errorOf(stopped.error);

export const budgetOf = (
  { options, plan }: Pick<RobustnessRequest, 'options' | 'plan'>,
  clock: Clock,
): Budget => createBudget(options.budget ?? {}, plan.price ?? null, () => clock.nowMs());

const compromised = (comparison: Comparison, explanation: string): Comparison => ({
  ...comparison,
  verdict: 'undecided',
  undecided: { reason: 'compromised', explanation },
});

/** The wall clock can be set back in mid-run; no time of a record is negative. */
function neverBackwards(clock: Clock): Clock {
  let latestMs = Number.NEGATIVE_INFINITY;
  return { nowMs: () => (latestMs = Math.max(latestMs, clock.nowMs())) };
}

/** What the provider says it ran, asked once more after sampling; what was known before where it is gone by now. */
async function servedBy(model: Model, before: ModelIdentity): Promise<ModelIdentity> {
  try {
    const signal = AbortSignal.timeout(SERVED_BY_TIMEOUT_MS);
    return await (model.identityNow?.(signal) ?? model.open(signal));
  } catch {
    return before;
  }
}

const SERVED_BY_TIMEOUT_MS = 5_000;

export async function embedAnswers(
  embedders: Embedder[],
  samples: Sample[],
  hooks: Pick<RunHooks, 'signal' | 'onEvent'>,
): Promise<{ embedded: EmbeddedTexts[]; embedding: RunRecord['embedding'] }> {
  const texts = [...new Set(usable(samples).map((sample) => sample.text))];
  if (texts.length === 0) return { embedded: [], embedding: null };
  const embedded: EmbeddedTexts[] = [];
  let unknown = 0;
  let truncated = 0;
  for (const embedder of embedders) {
    const result = await embedder.embed(texts, {
      signal: hooks.signal,
      onProgress: (done, total) =>
        hooks.onEvent?.({ type: 'progress', phase: 'embedding', done, total, secondsLeft: null }),
    });
    embedded.push({
      embedder: embedder.id,
      dim: result.dim,
      rowOf: new Map(texts.map((text, i) => [text, i])),
      vectors: result.vectors,
    });
    unknown = Math.max(unknown, mean(result.unknown));
    truncated = Math.max(truncated, mean(result.truncated.map(Number)));
  }
  return { embedded, embedding: { unknown, truncated } };
}

/** The instrument itself: how far apart two samples of the same prompt lie, and what could have been found. */
async function measureInstrument(
  tester: Tester,
  { baseline, repeat }: { baseline: Sample[]; repeat: Sample[] },
  embedded: EmbeddedTexts[],
  request: RobustnessRequest,
  signal: AbortSignal,
): Promise<Pick<RunRecord, 'noiseFloor' | 'mde'> & { repeatP: number | null }> {
  const ok = usable(baseline);
  if (ok.length < 2 * MIN_HALF || embedded.length === 0)
    return { noiseFloor: null, mde: null, repeatP: null };
  const { options, seed, perturbations } = request;
  const inputOf = (second: Sample[]) =>
    differenceInput(baseline, second, embedded, { kind: 'freeText', evidence: '' }, options, seed);
  const repeated = usable(repeat).length >= MIN_USABLE_SAMPLES;
  const noiseFloor = await tester.noiseFloor(inputOf(repeated ? repeat : []), { signal });
  const repeatP = repeated ? (await tester.differenceTest(inputOf(repeat), { signal })).p : null;
  const mde = await tester.minimumDetectable(
    { ...inputOf([]), comparisons: perturbations.length, alpha: options.alpha },
    { signal },
  );
  return { noiseFloor, mde, repeatP };
}

/** Half-splits need two halves that could be tested. */
const MIN_HALF = 2;

export function groupByCondition(samples: Sample[]): Map<string, Sample[]> {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const group = groups.get(sample.conditionId);
    if (group === undefined) groups.set(sample.conditionId, [sample]);
    else group.push(sample);
  }
  // By index, not by arrival: the same answers give the same numbers whatever the order they came in.
  for (const group of groups.values()) group.sort((a, b) => a.index - b.index);
  return groups;
}

export function actualCost(
  samples: Sample[],
  seconds: number,
  phases: Record<string, number>,
  price: Price | null | undefined,
): RunRecord['actual'] {
  const sum = (of: Sample[], pick: (sample: Sample) => number | null) =>
    samples.length > 0 && samples.every((sample) => pick(sample) !== null)
      ? of.reduce((total, sample) => total + (pick(sample) ?? 0), 0)
      : null;
  // A request for several answers reads its prompt once.
  const read = (sample: Sample) => ((sample.drawn?.choice ?? 0) > 0 ? 0 : sample.promptTokens);
  const written = (sample: Sample) => sample.completionTokens;
  const paid = samples.filter((sample) => sample.cached !== true);
  const [paidRead, paidWritten] = [sum(paid, read), sum(paid, written)];
  return {
    calls: samples.length,
    cached: samples.length - paid.length,
    promptTokens: sum(samples, read),
    completionTokens: sum(samples, written),
    priceUsd:
      price && paidRead !== null && paidWritten !== null ? costUsd(price, paidRead, paidWritten) : null,
    seconds,
    phases,
  };
}

function errorOf(error: unknown): RunRecord['error'] {
  const { code, message, hint } = toUserError(error);
  return { code, message, hint };
}

const mean = (values: number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
