import type { Price } from '../contracts/budget';
import type { Perturbation, Plan, RunOptions, RunRecord } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { createBudget } from '../engine/budget';
import { completeOptions } from '../engine/checkOptions';
import { EDIT_ID, rewordingAnswers, runEdit } from '../engine/edit';
import type { RunHooks } from '../engine/events';
import { planCheck, planSeconds } from '../engine/plan';
import type { Clock, Embedder, Model, RunStore, Tester } from '../engine/ports';
import { conditionsOf } from '../engine/robustness';
import { writePerturbations } from '../engine/writePerturbations';
import { rewordingFamily } from '../perturb/rewordingFamily';
import { hullOf } from '../prompts/applyEdits';
import { checkPromptText } from '../prompts/readPrompt';
import { wordEdits } from '../prompts/wordEdits';
import { fewestRewordings } from '../stats/conformal';
import { createRng } from '../stats/rng';
import { commitOf } from './commitOf';
import { requireValues } from './requireValues';
import { runIdOf } from './runId';
import { promptHashOf, requestsOf, type SpeedBook } from './speeds';

export interface EditCheckRequest {
  /** The prompt before the edit, and where it stands. */
  text: string;
  source: RunRecord['prompt']['source'];
  /** The prompt as edited. */
  editedText: string;
  /** Of both prompts. */
  variables: Record<string, string>;
  modelId: string;
  seed: number;
  options?: Partial<RunOptions>;
  /** Overrides the list price. */
  price?: Price | undefined;
  /** The command that repeats the run with this seed. */
  reproduce: (seed: number) => string;
  /** What the prompt before is called: `HEAD`, a commit, a file. */
  against: string;
  /** Harmless rewordings to compare with; at least, and by default, what alpha needs (19 at .05). */
  rewordings?: number;
  /** Model that writes rewordings; rules do it where it is null. */
  writerId: string | null;
}

export interface PreparedEdit {
  request: EditCheckRequest;
  options: RunOptions;
  edit: Perturbation;
  /** By rule; the writer's come before them in a run. */
  rewordings: Perturbation[];
  /** Rewordings that a run asks for. */
  size: number;
  /** Of the whole run, rewordings included; they are asked only where the answers differ. */
  plan: Plan;
}

export interface Edits {
  /** Checks both prompts and makes the rewordings and the plan. Calls no model. UserError on bad input. */
  prepare(request: EditCheckRequest): Promise<PreparedEdit>;
  /** See `runEdit`. */
  run(prepared: PreparedEdit, hooks: RunHooks): Promise<RunRecord>;
}

export function createEdits(deps: {
  clock: Clock;
  versions: Record<string, string>;
  store: RunStore;
  speeds: SpeedBook;
  embedders: () => Embedder[];
  tester: Tester;
  /** @throws UserError `unknownModel` */
  providerOf: (modelId: string) => string;
  priceOf: (modelId: string) => Price | null;
  openModel: (id: string, signal: AbortSignal) => Promise<Model>;
}): Edits {
  return {
    async prepare(request) {
      checkPromptText(request.text);
      checkPromptText(request.editedText);
      requireValues({ text: `${request.text}\n${request.editedText}`, variables: request.variables });
      const provider = deps.providerOf(request.modelId);
      if (request.writerId !== null) deps.providerOf(request.writerId);
      const edit = editOf(request.text, request.editedText);
      const options = completeOptions(request.options ?? {}, 1);
      const size = sizeOf(request, options);
      const rewordings = rewordingFamily(request.text, { rng: createRng(request.seed, 'rewordings'), size });
      const rendered = (perturbations: Perturbation[]) =>
        conditionsOf(promptOf(request), perturbations, options).map((condition) => condition.rendered);
      const [both, others] = [rendered([edit]), rendered(rewordings)];
      // The rewordings' baseline stands for the edited prompt, which is asked once more with them.
      const each = rewordingAnswers(options);
      const answers = both.length * options.samples + others.length * each;
      const time = planSeconds(await deps.speeds.runsOf(request.modelId), {
        promptHash: promptHashOf(request.text),
        requests:
          requestsOf(provider, both.length, options.samples) + requestsOf(provider, others.length, each),
        answers,
        answerTokens: options.answerTokens,
      });
      const price = request.price ?? deps.priceOf(request.modelId);
      createBudget(options.budget ?? {}, price, () => deps.clock.nowMs());
      const first = planCheck(both, options, time, price);
      const second = planCheck(others, { ...options, samples: each }, time, price);
      const plan: Plan = {
        ...first,
        conditions: first.conditions + second.conditions,
        calls: first.calls + second.calls,
        promptTokens: (first.promptTokens ?? 0) + (second.promptTokens ?? 0),
        completionTokensAtMost: first.completionTokensAtMost + second.completionTokensAtMost,
        priceUsd:
          first.priceUsd === null || second.priceUsd === null ? null : first.priceUsd + second.priceUsd,
        callsAtLeast: first.calls,
      };
      return { request, options, edit, rewordings, size, plan };
    },
    async run(prepared, hooks) {
      const { request, options, edit, plan } = prepared;
      const startedMs = deps.clock.nowMs();
      const rewordings = await withWritten(deps.openModel, prepared, hooks);
      const model = await deps.openModel(request.modelId, hooks.signal);
      try {
        const record = await runEdit(
          {
            model,
            embedders: deps.embedders(),
            tester: deps.tester,
            store: deps.store,
            clock: deps.clock,
          },
          {
            runId: runIdOf(startedMs),
            prompt: promptOf(request),
            commit: await commitOf({ source: request.source, text: request.editedText }),
            edit,
            rewordings,
            against: request.against,
            options,
            plan,
            seed: request.seed,
            versions: deps.versions,
            reproduce: request.reproduce(request.seed),
          },
          hooks,
        );
        await deps.speeds.learn(record);
        return record;
      } finally {
        await model.close();
      }
    },
  };
}

/** The writer's rewordings before those by rule. Written before anything is asked, so that they cannot depend on answers. */
async function withWritten(
  openModel: (id: string, signal: AbortSignal) => Promise<Model>,
  { request, rewordings, size }: PreparedEdit,
  hooks: RunHooks,
): Promise<Perturbation[]> {
  if (request.writerId === null) return rewordings;
  const writer = await openModel(request.writerId, hooks.signal);
  try {
    const written = await writePerturbations(
      { model: writer },
      { text: request.text, kinds: ['rewording'], limit: size, seed: request.seed },
      {
        signal: hooks.signal,
        onEvent: (event) => {
          if (event.type === 'warning') hooks.onEvent?.(event);
        },
      },
    );
    return rewordingFamily(request.text, {
      rng: createRng(request.seed, 'rewordings'),
      size,
      own: written.perturbations,
    });
  } finally {
    await writer.close();
  }
}

function sizeOf(request: EditCheckRequest, { alpha }: RunOptions): number {
  const least = fewestRewordings(alpha);
  const size = request.rewordings ?? least;
  if (!Number.isInteger(size) || size < least || size > 500) {
    throw new UserError(
      'invalidOption',
      `${size} rewordings were asked for.`,
      `Give a whole number from ${least} (fewer cannot decide at ${alpha}) to 500.`,
    );
  }
  return size;
}

function editOf(before: string, after: string): Perturbation {
  const edits = wordEdits(before, after);
  if (edits.length === 0) {
    throw new UserError('usage', 'The two prompts are the same.', 'There is nothing to check.');
  }
  const places = edits.length === 1 ? 'one place' : `${edits.length} places`;
  return {
    id: EDIT_ID,
    kind: 'edit',
    name: 'Your edit',
    description: `The prompt was edited in ${places}.`,
    expectation: 'irrelevant',
    strength: { level: null, source: 'unrated' },
    span: hullOf(edits),
    sentence: null,
    edits,
    text: after,
  };
}

const promptOf = (request: EditCheckRequest): RunRecord['prompt'] => ({
  source: request.source,
  text: request.text,
  variables: request.variables,
});
