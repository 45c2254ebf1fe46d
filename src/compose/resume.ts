import type { ModelIdentity, RunRecord } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { runEdit } from '../engine/edit';
import type { RunHooks } from '../engine/events';
import type { Clock, Embedder, Model, RunStore, Tester } from '../engine/ports';
import { runRobustness } from '../engine/robustness';

/** Goes on with a check from what the store kept of it. See `Evenkeel.resume`. */
export async function resumeRun(
  deps: {
    clock: Clock;
    store: RunStore;
    embedders: Embedder[];
    tester: Tester;
    openModel: (id: string, signal: AbortSignal) => Promise<Model>;
  },
  runId: string,
  hooks: RunHooks,
): Promise<RunRecord> {
  const { kind, modelId, model: before, against, ...asked } = await deps.store.readRequest(runId);
  const ended = await deps.store.read(runId).catch(() => null);
  if (ended?.state === 'complete') return ended;
  const kept = await deps.store.readSamples(runId);
  const model = await deps.openModel(modelId, hooks.signal);
  try {
    requireSame(before, await model.open(hooks.signal));
    const parts = { ...deps, model };
    if (kind === 'robustness') return await runRobustness(parts, { ...asked, kept }, hooks);
    const [edit, ...rewordings] = asked.perturbations;
    if (edit === undefined) throw new Error('an edit check without its edit');
    return await runEdit(parts, { ...asked, edit, rewordings, against: against ?? 'before', kept }, hooks);
  } finally {
    await model.close();
  }
}

function requireSame(before: ModelIdentity, now: ModelIdentity): void {
  if (before.resolved === now.resolved && before.digest === now.digest) return;
  throw new UserError(
    'usage',
    `The model behind ${before.id} is another one than when this check began.`,
    'Run the check again: answers of two models must not be mixed.',
  );
}
