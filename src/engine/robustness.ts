import { inferAnswerFormat } from '../answers/labels';
import type { Price } from '../contracts/budget';
import type {
  Comparison,
  Condition,
  ModelIdentity,
  Perturbation,
  RunOptions,
  RunRecord,
  Sample,
} from '../contracts/runRecord';
import { RUN_RECORD_VERSION } from '../contracts/runRecord';
import { toUserError } from '../contracts/userError';
import { bindVariables } from '../prompts/variables';
import { costUsd, createBudget, type Budget } from './budget';
import { stateOf, type Collected } from './collect';
import { declaredFamily, differenceInput } from './compare';
import { conclude, decide } from './conclude';
import { MIN_USABLE_SAMPLES } from './defaults';
import type { RunHooks, RunPhase } from './events';
import { checkIntegrity } from './integrity';
import { usable } from './judgeArms';
import { BASELINE, measureOnce, REPEAT, type Measured } from './measure';
import { measureInLooks } from './measureInLooks';
import { outputMap } from './outputMap';
import type { Clock, Model, Tester } from './ports';
import type { RobustnessDeps, RobustnessRequest } from './robustnessRequest';
import { rocOf } from './rocOf';

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
  const timed = async <T>(phase: RunPhase, work: () => Promise<T>) => {
    hooks.onEvent?.({ type: 'phase', phase });
    const fromMs = deps.clock.nowMs();
    try {
      return await work();
    } finally {
      phases[phase] = (phases[phase] ?? 0) + (deps.clock.nowMs() - fromMs) / 1000;
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
  const measure = request.options.looks === undefined ? measureOnce : measureInLooks;
  // Cancelling ends the spending, not the arithmetic; `abandon` ends that too.
  const signal = hooks.abandon ?? new AbortController().signal;
  const measured = await measure(
    deps,
    { ...request, conditions, format, kept, budget },
    { ...hooks, testing: signal, timed },
  );
  const { collected, baseline, embedded } = measured;
  // Some servers name the model and its fingerprint only in their replies.
  const served = collected.samples.length === 0 ? identity : await servedBy(deps.model, identity);
  const instrument = await timed('testing', () => measureInstrument(deps.tester, measured, request, signal));

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
  const comparisons = decide(measured.comparisons, request.options).map((comparison) =>
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
    ...(request.commit === undefined ? {} : { commit: request.commit }),
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
    noiseFloor: instrument.noiseFloor,
    ...(measured.sequential === undefined ? {} : { sequential: measured.sequential }),
    ...rocOf(request.perturbations, comparisons, request.seed),
    ...outputMap(collected.samples, embedded[0], request.seed),
    mde: instrument.mde,
    embedding: measured.embedding,
    integrity,
    conclusion: conclude({
      comparisons,
      perturbations: request.perturbations,
      baseline,
      embedding: measured.embedding,
      format,
      stopped: collected.stopped?.reason ?? null,
      untested: measured.untested,
      early: measured.early,
      repeatP: instrument.repeatP,
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

/** The instrument itself: how far apart two samples of the same prompt lie, and what could have been found. */
async function measureInstrument(
  tester: Tester,
  { baseline, repeat, embedded, sequential }: Measured,
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
    {
      ...inputOf([]),
      comparisons: perturbations.length,
      // Of several looks the last one alone: what an earlier one would find comes on top.
      alpha: sequential?.levels.at(-1) ?? options.alpha,
    },
    { signal },
  );
  return { noiseFloor, mde, repeatP };
}

/** Half-splits need two halves that could be tested. */
const MIN_HALF = 2;

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
