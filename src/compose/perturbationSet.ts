import {
  PERTURBATION_SET_VERSION,
  type PerturbationSet,
  type RatedPerturbation,
} from '../contracts/perturbationSet';
import type { ModelIdentity, PerturbationKind } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { checkCotSteps, COT_STEPS, cotPerturbations } from '../engine/cotPerturbations';
import type { Model } from '../engine/ports';
import { judgeCalls, ratePerturbations } from '../engine/ratePerturbations';
import { writePerturbations } from '../engine/writePerturbations';
import { judgeWarnings } from '../judge/judgeWarnings';
import { customGenerators, type CustomRule } from '../perturb/custom';
import { generatePerturbations, type GenerateOptions } from '../perturb/generate';
import { ratedPerturbation } from '../perturb/ratedPerturbation';
import { checkPromptText } from '../prompts/readPrompt';
import { bindVariables } from '../prompts/variables';
import { createRng } from '../stats/rng';

export interface PerturbationSetRequest {
  /** The prompt, variables unbound. */
  text: string;
  /** Values of variables; the judge, and the model whose reasoning is perturbed, read the prompt with them. */
  variables: Record<string, string>;
  /** Default: every kind that changes the prompt itself. `cot` needs `modelId`. */
  kinds?: readonly PerturbationKind[];
  /** The person's own, before all others. @throws UserError of a pattern that is none */
  custom?: readonly CustomRule[];
  /** Where a persona is put, and the share of mistyped words: see `generatePerturbations`. */
  personaPlace?: GenerateOptions['personaPlace'];
  typoRate?: number;
  /** Of `cot`: how many steps get a mistake, in turn (0: every step in other words). Default 0 and 1. */
  cotSteps?: number[];
  /** Perturbations at most; the default is 10. */
  limit?: number;
  seed: number;
  /** Writes rewordings and mistakes; rules do it where it is null. */
  writerId: string | null;
  /** Null: strengths are what the rules declare, and model-written texts are unrated. */
  judgeId: string | null;
  /** The model under test: its reasoning is what `cot` perturbs, and it should not be the judge. */
  modelId: string | null;
  /** Ratings of each perturbation; the default is 3. */
  ratings?: number;
}

export type PerturbationSetEvent =
  | { type: 'progress'; phase: 'writing' | 'rating'; done: number; total: number }
  /** Before the first call of each: how often it will be asked. */
  | { type: 'plan'; who: 'writer' | 'judge'; id: string; least: number; most: number }
  | { type: 'warning'; message: string };

export interface PerturbationSetHooks {
  /** While rating: what was rated is kept. Before: nothing is there to keep. */
  signal: AbortSignal;
  onEvent?: (event: PerturbationSetEvent) => void;
}

export interface PerturbationSetMade {
  set: PerturbationSet;
  /** Why rating ended early; null when it did not, or nobody rated. */
  stopped: { reason: 'cancelled' | 'failed'; error: unknown } | null;
}

const DEFAULT_LIMIT = 10;
const DEFAULT_KINDS: readonly PerturbationKind[] = ['surface', 'rewording', 'mistake', 'persona', 'length'];
const CALLS_PER_TEXT = 3;

type OpenModel = (id: string, signal: AbortSignal) => Promise<Model>;

/**
 * Makes a set to be reviewed: rules and the writer perturb, the judge rates. Nothing is asked of the model under test
 * but the reasoning that `cot` perturbs. Every warning is said before the calls that it is about.
 * @throws UserError on bad input, when a model cannot be used, or when nothing can be perturbed
 */
export async function makePerturbationSet(
  openModel: OpenModel,
  request: PerturbationSetRequest,
  hooks: PerturbationSetHooks,
): Promise<PerturbationSetMade> {
  checkPromptText(request.text);
  // A judge that cannot be asked is found out before a writer is paid.
  const judge = request.judgeId === null ? null : await openModel(request.judgeId, hooks.signal);
  try {
    const identity = (await judge?.open(hooks.signal)) ?? null;
    const { writer, ...made } = await perturb(openModel, request, hooks);
    if (made.perturbations.length === 0) {
      throw new UserError(
        'promptTooShort',
        `Nothing in this prompt can be perturbed${made.rejected[0] ? `: ${made.rejected[0].reason}` : ''}.`,
        'Allow more kinds with --kinds, or select some prose as well.',
      );
    }
    const set: PerturbationSet = {
      version: PERTURBATION_SET_VERSION,
      prompt: request.text,
      seed: request.seed,
      writer: request.writerId,
      judge: request.judgeId,
      ...made,
    };
    if (judge === null || identity === null) return { set, stopped: null };
    const underTest = request.modelId === null ? null : { id: request.modelId };
    for (const message of judgeWarnings(identity, { writer, underTest })) {
      hooks.onEvent?.({ type: 'warning', message });
    }
    return await rate(judge, set, request, hooks);
  } finally {
    await judge?.close();
  }
}

async function rate(
  judge: Model,
  set: PerturbationSet,
  request: PerturbationSetRequest,
  hooks: PerturbationSetHooks,
): Promise<PerturbationSetMade> {
  const { ratings, variables } = request;
  hooks.onEvent?.({ type: 'plan', who: 'judge', id: judge.id, ...judgeCalls(set.perturbations, ratings) });
  const rated = await ratePerturbations(
    { model: judge },
    { set, variables, ratings },
    {
      signal: hooks.signal,
      onEvent: (event) => {
        if (event.type === 'progress') hooks.onEvent?.({ ...event, phase: 'rating' });
        if (event.type === 'warning') hooks.onEvent?.(event);
      },
    },
  );
  return { set: { ...set, perturbations: rated.perturbations }, stopped: rated.stopped };
}

interface Perturbed {
  perturbations: RatedPerturbation[];
  reasoning: string | null;
  rejected: { name: string; reason: string }[];
  writer: ModelIdentity | null;
}

async function perturb(
  openModel: OpenModel,
  request: PerturbationSetRequest,
  hooks: PerturbationSetHooks,
): Promise<Perturbed> {
  const {
    text,
    seed,
    kinds = DEFAULT_KINDS,
    limit = DEFAULT_LIMIT,
    custom = [],
    personaPlace,
    typoRate,
  } = request;
  const result: Perturbed = { perturbations: [], reasoning: null, rejected: [], writer: null };
  const keep = (from: {
    perturbations: Parameters<typeof ratedPerturbation>[0][];
    rejected: Perturbed['rejected'];
  }) => {
    result.perturbations.push(...from.perturbations.map(ratedPerturbation));
    result.rejected.push(...from.rejected.map(({ name, reason }) => ({ name, reason })));
  };
  if (custom.length > 0) {
    const rng = createRng(seed, 'custom');
    keep(
      generatePerturbations(text, {
        rng,
        kinds: [],
        limit,
        own: customGenerators(custom),
        includeMeaningful: true,
      }),
    );
  }
  // Each kind gets its share; what one cannot fill is left to the rules.
  const shareOf = (some: readonly PerturbationKind[]) => Math.round((limit * some.length) / kinds.length);
  const cot = kinds.filter((kind) => kind === 'cot');
  const written =
    request.writerId === null ? [] : kinds.filter((kind) => kind === 'rewording' || kind === 'mistake');
  const others = kinds.filter((kind) => kind !== 'cot' && !(written as PerturbationKind[]).includes(kind));

  const writer = request.writerId === null ? null : await openModel(request.writerId, hooks.signal);
  try {
    if (writer !== null) {
      result.writer = await writer.open(hooks.signal);
      hooks.onEvent?.({
        type: 'plan',
        who: 'writer',
        id: writer.id,
        least: shareOf(written) + shareOf(cot),
        most: CALLS_PER_TEXT * (shareOf(written) + shareOf(cot)),
      });
      if (written.length > 0) {
        const total = shareOf(written);
        let done = 0;
        keep(
          await writePerturbations(
            { model: writer },
            { text, kinds: written as ('rewording' | 'mistake')[], limit: total, seed },
            {
              signal: hooks.signal,
              onEvent: (event) => {
                if (event.type === 'warning') hooks.onEvent?.(event);
                if (event.type === 'accepted') done++;
                hooks.onEvent?.({ type: 'progress', phase: 'writing', done, total });
              },
            },
          ),
        );
      }
    }
    if (cot.length > 0) {
      const reasoned = await perturbReasoning(openModel, writer, request, shareOf(cot), hooks);
      result.reasoning = reasoned.reasoning === '' ? null : reasoned.reasoning;
      keep({ ...reasoned, perturbations: reasoned.perturbations.map(({ perturbation }) => perturbation) });
    }
  } finally {
    await writer?.close();
  }
  // Rules make the other kinds, and what the writer could not.
  for (const ruled of [others, written]) {
    const room = limit - result.perturbations.length;
    if (ruled.length === 0 || room <= 0) continue;
    const rules = generatePerturbations(text, {
      rng: createRng(seed, 'perturbations'),
      kinds: ruled,
      limit: room,
      includeMeaningful: true,
      ...(personaPlace === undefined ? {} : { personaPlace }),
      ...(typoRate === undefined ? {} : { typoRate }),
    });
    const texts = new Set(result.perturbations.map((one) => one.text));
    keep({
      rejected: rules.rejected,
      perturbations: rules.perturbations.filter(
        (one) => one.systemLine !== undefined || !texts.has(one.text),
      ),
    });
  }
  return result;
}

async function perturbReasoning(
  openModel: OpenModel,
  writer: Model | null,
  request: PerturbationSetRequest,
  limit: number,
  hooks: PerturbationSetHooks,
) {
  if (request.modelId === null) {
    throw new UserError(
      'usage',
      'The kind cot perturbs the reasoning of a model, and no model is named.',
      'Name the model under test with --model.',
    );
  }
  const model = await openModel(request.modelId, hooks.signal);
  try {
    return await cotPerturbations(
      { model, writer },
      {
        prompt: bindVariables(request.text, request.variables).text,
        limit: Math.max(1, limit),
        steps: checkCotSteps(request.cotSteps ?? COT_STEPS),
        seed: request.seed,
      },
      {
        signal: hooks.signal,
        onEvent: (event) => {
          if (event.type === 'warning') hooks.onEvent?.(event);
        },
      },
    );
  } finally {
    await model.close();
  }
}
