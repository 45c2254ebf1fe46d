import type { Price } from '../contracts/budget';
import type { ComparePlan, CompareRecord } from '../contracts/compareRecord';
import type { RunRecord } from '../contracts/runRecord';
import { toUserError, UserError, type ErrorCode } from '../contracts/userError';
import { createBudget } from './budget';
import type { RunEvent, RunHooks } from './events';
import { memoEmbedder } from './memoEmbedder';
import { modelFindings, type AskedModel } from './modelFindings';
import type { Clock, CompareStore, Embedder, Model, RunStore, Tester } from './ports';
import { runRobustness } from './robustness';

/** A comparison also tells which model is being asked, counted from 0. */
export interface CompareHooks extends Omit<RunHooks, 'onEvent'> {
  onEvent?: (event: RunEvent | { type: 'model'; modelId: string; index: number; total: number }) => void;
}

export interface CompareDeps {
  openModel: (id: string, signal: AbortSignal) => Promise<Model>;
  embedders: Embedder[];
  tester: Tester;
  runs: RunStore;
  store: CompareStore;
  clock: Clock;
}

/**
 * Asks every model the same prompts and changes, with the same seeds and options, one model after the other, so that each
 * is loaded once; then compares them. What earlier parts of the same comparison have kept is not asked for again. A model
 * that cannot be used is part of the result. A cancelled comparison resolves with what was received.
 * @throws UserError where fewer than two models gave any answer
 */
export async function compareModels(
  deps: CompareDeps,
  plan: ComparePlan,
  versions: Record<string, string>,
  hooks: CompareHooks,
): Promise<CompareRecord> {
  const embedders = deps.embedders.map(memoEmbedder);
  await deps.store.begin(plan);
  const parts = { ...deps, embedders };
  // One budget for all of them, at the price of the dearest.
  const budget = createBudget(plan.options.budget ?? {}, dearest(plan), () => deps.clock.nowMs());
  const asked: AskedModel[] = [];
  for (const [index, { modelId }] of plan.models.entries()) {
    if (hooks.signal.aborted) {
      asked.push({ runs: [], error: null });
      continue;
    }
    hooks.onEvent?.({ type: 'model', modelId, index, total: plan.models.length });
    asked.push(await askModel(parts, plan, index, { versions, budget }, hooks));
  }
  const answered = asked.filter(({ runs }) => runs.length > 0);
  if (answered.length < 2) throw tooFew(plan, asked, hooks.signal.aborted);
  const signal = hooks.abandon ?? new AbortController().signal;
  hooks.onEvent?.({ type: 'phase', phase: 'testing' });
  const findings = await modelFindings({ tester: deps.tester, embedders }, plan, asked, signal);
  const { models: _, ...begun } = plan;
  const states = findings.models.map(({ state }) => state);
  const record: CompareRecord = {
    ...begun,
    versions,
    finishedAt: new Date(deps.clock.nowMs()).toISOString(),
    state: states.includes('failed') ? 'failed' : states.includes('cancelled') ? 'cancelled' : 'complete',
    ...findings,
  };
  await deps.store.finish(record);
  return record;
}

/** All prompts of one model, which stays loaded between them. */
async function askModel(
  deps: CompareDeps,
  plan: ComparePlan,
  index: number,
  shared: { versions: Record<string, string>; budget: ReturnType<typeof createBudget> },
  hooks: CompareHooks,
): Promise<AskedModel> {
  const { modelId, runs: planned } = plan.models[index]!;
  const runs: RunRecord[] = [];
  let model: Model | null = null;
  try {
    for (const [p, { perturbations, ...prompt }] of plan.prompts.entries()) {
      const { id: runId, plan: cost, reproduce } = planned[p]!;
      const before = await keptRun(deps.runs, runId);
      if (before.ended?.state === 'complete') {
        runs.push(before.ended);
        continue;
      }
      model ??= await deps.openModel(modelId, hooks.signal);
      if (before.model !== null) requireSame(before.model, await model.open(hooks.signal), plan.id);
      runs.push(
        await runRobustness(
          { ...deps, model, store: deps.runs },
          {
            runId,
            prompt,
            perturbations,
            options: plan.options,
            plan: cost,
            seed: plan.seed,
            versions: shared.versions,
            reproduce,
            budget: shared.budget,
            kept: before.samples,
          },
          hooks,
        ),
      );
      if (hooks.signal.aborted) break;
    }
    return { runs, error: null };
  } catch (error) {
    if (hooks.signal.aborted) return { runs, error: null };
    return { runs, error: toUserError(error) };
  } finally {
    await model?.close();
  }
}

/** Null where the price of one is not known: what it costs cannot be capped then. */
function dearest(plan: ComparePlan): Price | null {
  const prices = plan.models.flatMap(({ runs }) => runs.map((run) => run.plan.price ?? null));
  if (prices.includes(null)) return null;
  return (prices as Price[]).reduce((most, price) =>
    price.inPerMillion + price.outPerMillion > most.inPerMillion + most.outPerMillion ? price : most,
  );
}

async function keptRun(store: RunStore, runId: string) {
  const request = await store.readRequest(runId).catch(() => null);
  if (request === null) return { ended: null, model: null, samples: [] };
  const ended = await store.read(runId).catch(() => null);
  return { ended, model: request.model, samples: await store.readSamples(runId) };
}

function requireSame(before: RunRecord['model'], now: RunRecord['model'], id: string): void {
  if (before.resolved === now.resolved && before.digest === now.digest) return;
  throw new UserError(
    'usage',
    `The model behind ${before.id} is another one than when the comparison ${id} began.`,
    'Compare again: answers of two models must not be mixed.',
  );
}

function tooFew(plan: ComparePlan, asked: AskedModel[], cancelled: boolean): UserError {
  if (cancelled) {
    return new UserError(
      'cancelled',
      'Stopped before two models had answered.',
      `Go on with it: evenkeel compare --resume ${plan.id}`,
    );
  }
  const failed = asked.flatMap(({ error }, i) =>
    error === null ? [] : [{ error, id: plan.models[i]!.modelId }],
  );
  const code: ErrorCode = failed[0]?.error.code ?? 'internal';
  const reasons = failed.map(({ id, error }) => `${id}: ${error.message}`).join(' ');
  return new UserError(
    code,
    `Fewer than two models answered, so there is nothing to compare. ${reasons}`,
    failed[0]?.error.hint ?? 'Try again.',
  );
}
