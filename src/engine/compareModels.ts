import type { ComparedModel, CompareRecord } from '../contracts/compareRecord';
import type { RunRecord, Sample } from '../contracts/runRecord';
import { toUserError } from '../contracts/userError';
import { movementOf, type Movement } from '../stats/movement';
import { wilson } from '../stats/proportions';
import { gather, type EmbeddedTexts } from './compare';
import { commonItems, samplesOf, type Asked, type CompareDeps, type CompareRequest } from './compared';
import { pairsOf } from './comparePairs';
import type { RunEvent, RunHooks } from './events';
import { usable } from './judgeArms';
import type { Model } from './ports';
import { embedAnswers } from './embedAnswers';
import { runRobustness } from './robustness';

export interface CompareHooks extends Omit<RunHooks, 'onEvent'> {
  /** `model` and `prompt` count from 0. */
  onEvent?: (event: RunEvent | { type: 'model'; model: number; prompt: number }) => void;
}

/**
 * Asks every model the same prompts and changes with the same seeds, one model after the other (each is loaded once), and
 * concludes which is steadier. Every model's checks are kept as runs of their own. A model that cannot be asked has a
 * `problem` and the others are compared; a cancelled comparison concludes over what was finished.
 */
export async function compareModels(
  deps: CompareDeps,
  request: CompareRequest,
  hooks: CompareHooks,
): Promise<CompareRecord> {
  const startedMs = deps.clock.nowMs();
  const asked: Asked[] = [];
  for (const [index, id] of request.modelIds.entries()) {
    asked.push(await askOne(deps, request, { index, id }, hooks));
  }
  const runs = asked.flatMap((one) => one.runs);
  const signal = hooks.abandon ?? new AbortController().signal;
  const { embedded } = await embedAnswers(
    deps.embedders,
    runs.flatMap((run) => run.samples),
    { signal },
  );
  const items = itemsOf(request, asked);
  const movements = movementsOf(asked, items, embedded[0]);
  const cancelled = hooks.signal.aborted || runs.some((run) => run.state === 'cancelled');
  return {
    version: 1,
    kind: 'compare',
    id: request.id,
    state: cancelled
      ? 'cancelled'
      : asked.filter((one) => one.problem === null).length < 2
        ? 'failed'
        : 'complete',
    startedAt: new Date(startedMs).toISOString(),
    finishedAt: new Date(deps.clock.nowMs()).toISOString(),
    versions: request.versions,
    reproduce: request.reproduce,
    seed: request.seed,
    options: request.options,
    margin: request.margin,
    prompts: request.prompts.map(({ prompt }) => ({ path: prompt.source?.path ?? null, text: prompt.text })),
    models: asked.map((one, index) => comparedModel(request.modelIds[index]!, one, movements[index]!)),
    pairs: await pairsOf(deps, request, { asked, items, movements, embedded }, signal),
    items,
    actual: {
      calls: runs.reduce((sum, run) => sum + run.actual.calls, 0),
      cached: runs.reduce((sum, run) => sum + (run.actual.cached ?? 0), 0),
      seconds: (deps.clock.nowMs() - startedMs) / 1000,
    },
  };
}

async function askOne(
  deps: CompareDeps,
  request: CompareRequest,
  { index, id }: { index: number; id: string },
  hooks: CompareHooks,
): Promise<Asked> {
  const asked: Asked = { runs: [], identity: null, problem: null };
  if (hooks.signal.aborted) return { ...asked, problem: 'It was not asked: the comparison was stopped.' };
  let model: Model | null = null;
  try {
    model = await deps.openModel(id, hooks.signal);
    for (const [at, { prompt, perturbations }] of request.prompts.entries()) {
      hooks.onEvent?.({ type: 'model', model: index, prompt: at });
      const run = await runRobustness(
        { ...deps, model },
        {
          runId: `${request.id}-${index + 1}-${at + 1}`,
          prompt,
          perturbations,
          options: request.options,
          plan: request.plans[index]![at]!,
          seed: request.seed,
          versions: request.versions,
          reproduce: request.reproduce,
          budget: request.budget,
        },
        hooks,
      );
      asked.runs.push(run);
      asked.identity = run.model;
      if (run.state === 'complete') continue;
      asked.problem = run.error?.message ?? 'It was not asked everything: the comparison was stopped.';
      break;
    }
  } catch (error) {
    asked.problem = toUserError(error).message;
  } finally {
    await model?.close();
  }
  return asked;
}

/** One row per prompt and change. */
function itemsOf(request: CompareRequest, asked: Asked[]): CompareRecord['items'] {
  return request.prompts.flatMap(({ perturbations }, prompt) =>
    perturbations.map(({ id: perturbationId, name }) => ({
      prompt,
      perturbationId,
      name,
      cells: asked.map(({ runs }) => {
        const found = runs[prompt]?.comparisons.find((one) => one.perturbationId === perturbationId);
        if (found === undefined) return null;
        const { verdict, effect, adjustedP } = found;
        return {
          verdict,
          effect: effect?.debiased ?? null,
          interval: effect?.interval ?? null,
          adjustedP,
        };
      }),
    })),
  );
}

function movementsOf(
  asked: Asked[],
  items: CompareRecord['items'],
  embedded: EmbeddedTexts | undefined,
): (Movement | null)[] {
  const common = commonItems(items, asked);
  return asked.map(({ runs, problem }) => {
    if (problem !== null || embedded === undefined || common.length === 0) return null;
    const prompts = runs.flatMap((run, prompt) => {
      const own = common.filter((item) => item.prompt === prompt);
      if (own.length === 0) return [];
      const vectors = (condition: string) => gather(embedded, textsOf(run, condition));
      return [
        {
          dim: embedded.dim,
          baseline: vectors('baseline'),
          changed: own.map(({ perturbationId }) => vectors(perturbationId)),
        },
      ];
    });
    return prompts.length === 0 ? null : movementOf(prompts);
  });
}

const textsOf = (run: RunRecord, condition: string): string[] =>
  samplesOf(run, condition).map(({ text }) => text);

function comparedModel(
  id: string,
  { runs, identity, problem }: Asked,
  movement: Movement | null,
): ComparedModel {
  const samples = runs.flatMap((run) => run.samples);
  const counted = (...outcomes: Sample['outcome'][]) =>
    samples.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const judged = runs.flatMap((run) => run.comparisons.filter(({ verdict }) => verdict !== 'undecided'));
  const moved = judged.filter(({ verdict }) => verdict === 'changed').length;
  const paid = runs.reduce((sum, { actual }) => sum + actual.calls - (actual.cached ?? 0), 0);
  const seconds = runs.reduce((sum, { actual }) => sum + (actual.phases['sampling'] ?? 0), 0);
  const [refused, empty, truncated] = [counted('refused'), counted('empty'), counted('truncated')];
  return {
    id,
    identity,
    runs: runs.map((run) => run.id),
    problem,
    movement:
      movement === null ? null : { mean: movement.mean, interval: movement.interval, items: movement.items },
    moved: {
      count: moved,
      of: judged.length,
      interval: judged.length === 0 ? null : { ...wilson(moved, judged.length), level: 0.95 },
    },
    answers: {
      asked: samples.length,
      refused,
      empty,
      truncated,
      failed: samples.length - usable(samples).length - refused - empty - truncated,
    },
    secondsPerAnswer: paid === 0 ? null : seconds / paid,
  };
}
