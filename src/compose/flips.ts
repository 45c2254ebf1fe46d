import { FLIPS_RECORD_VERSION, type FlipsPlan, type FlipsRecord } from '../contracts/flipsRecord';
import { perturbationKindSchema, type PerturbationKind } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { checkCotSteps, COT_STEPS } from '../engine/cotPerturbations';
import type { FlipsHooks } from '../engine/events';
import type { KeptOf } from '../engine/cachedModel';
import { flipsRequests, runFlips } from '../engine/flips';
import { compareFlips, type FlipsComparison } from '../engine/flipsAgainst';
import {
  promptConditions,
  questionSetConditions,
  ruleBased,
  type FlipsConditions,
} from '../engine/flipsConditions';
import type { Clock, Model } from '../engine/ports';
import { generatePerturbations } from '../perturb/generate';
import { parsePerturbationSet } from '../perturb/perturbationSetFile';
import { parseQuestions, questionPrompt } from '../prompts/questionSet';
import { checkPromptText } from '../prompts/readPrompt';
import { createRng } from '../stats/rng';
import { createFlipsStore } from '../store/flipsStore';
import { requireValues } from './requireValues';
import { runIdOf } from './runId';

const PROMPT_LIMIT = 40;
const MOST = 100_000;
const PROMPT_KINDS: PerturbationKind[] = ['surface', 'rewording', 'persona', 'mistake'];
const QUESTION_KINDS: PerturbationKind[] = ['surface', 'rewording', 'mistake'];
const QUESTION_LEVELS = [0, 3];
/** Enough for an answer and a word or two around it. */
const ANSWER_TOKENS = 16;

export interface FlipsRequest {
  modelId: string;
  seed: number;
  source: FlipsPromptSource | FlipsQuestionsSource;
  /** Rule-based kinds, and `cot`: rules change the model's reasoning. Defaults by source, without `cot`. */
  kinds?: string[];
  /** Of `cot`: how many steps get a mistake, in turn (0: every step in other words). Default 0 and 1. */
  cotSteps?: number[];
  /** Perturbations of a prompt, or questions of a set, at most. */
  limit?: number;
  system?: string;
  temperature?: number;
  answerTokens?: number;
  asText?: boolean;
  /** The command that repeats the run. */
  reproduce: string;
}

interface FlipsPromptSource {
  type: 'prompt';
  path: string | null;
  text: string;
  variables: Record<string, string>;
  /** YAML of a perturbation set; null: rules make the perturbations. */
  set: string | null;
  /** Allowed answers, or a regular expression that finds the answer; null: inferred from the prompt. */
  options: string[] | null;
  pattern: string | null;
}

interface FlipsQuestionsSource {
  type: 'questions';
  path: string;
  /** JSONL. */
  text: string;
  /** Strengths of which every question gets a perturbation; default 0 and 3. */
  levels?: number[];
}

export interface Flips {
  /** Checks the input and makes the conditions. Calls no model. UserError on bad input. */
  prepare(request: FlipsRequest): FlipsPlan;
  /** How many answers of a plan earlier runs have kept. */
  cachedCalls(plan: FlipsPlan): Promise<number>;
  /** Begins the run of a plan, or goes on with it. See `runFlips`. */
  run(plan: FlipsPlan, hooks: FlipsHooks): Promise<FlipsRecord>;
  /** The plan of a run that was begun, to go on with it. */
  planOf(runId: string): Promise<FlipsPlan>;
  read(runId: string): Promise<FlipsRecord>;
  /** Ended runs, newest first. */
  list(): Promise<{ id: string; finishedAt: string }[]>;
  compare(records: FlipsRecord[]): FlipsComparison[];
}

export function createFlips(deps: {
  cacheDir: string;
  clock: Clock;
  versions: Record<string, string>;
  openModel: (id: string, signal: AbortSignal) => Promise<Model>;
  keptOf: KeptOf;
}): Flips {
  const store = createFlipsStore({ cacheDir: deps.cacheDir });
  return {
    prepare(request) {
      const startedMs = deps.clock.nowMs();
      const { source, modelId, seed } = request;
      const conditions = conditionsOf(request);
      return {
        version: FLIPS_RECORD_VERSION,
        id: runIdOf(startedMs),
        kind: 'flips',
        startedAt: new Date(startedMs).toISOString(),
        reproduce: request.reproduce,
        source: { type: source.type, path: source.path },
        modelId,
        seed,
        options: {
          temperature: inRange('temperature', request.temperature ?? 0, 0, 5),
          answerTokens: wholeInRange('answerTokens', request.answerTokens ?? ANSWER_TOKENS, 1, 4_096),
          asText: request.asText ?? false,
          system: request.system ?? null,
        },
        ...conditions,
      };
    },
    async cachedCalls(plan) {
      // Which way answers are read is known only from a reply.
      const counts = await Promise.all(
        (['text', 'probabilities'] as const).map((decoding) =>
          deps.keptOf(plan.modelId, () => flipsRequests(plan, decoding)),
        ),
      );
      return Math.max(...counts);
    },
    async run(plan, hooks) {
      const model = await deps.openModel(plan.modelId, hooks.signal);
      try {
        return await runFlips({ model, store, clock: deps.clock }, plan, deps.versions, hooks);
      } finally {
        await model.close();
      }
    },
    planOf: (runId) => store.readPlan(runId),
    read: (runId) => store.read(runId),
    list: () => store.list(),
    compare: compareFlips,
  };
}

function conditionsOf({ source, limit, seed, ...request }: FlipsRequest): FlipsConditions {
  if (limit !== undefined) wholeInRange('limit', limit, 1, MOST);
  const all = knownKinds(request.kinds);
  const cot = all?.includes('cot') === true;
  const kinds = all?.filter((kind) => kind !== 'cot');
  if (request.cotSteps !== undefined && !cot) {
    throw new UserError('usage', '--cot-steps goes with the kind cot.', 'Add --kinds cot.');
  }
  const steps = checkCotSteps(request.cotSteps ?? COT_STEPS);
  if (source.type === 'questions') {
    const questions = parseQuestions(source.text, source.path).slice(0, limit ?? MOST);
    const made = questionSetConditions(
      questions,
      ruleBased({
        kinds: kinds ?? QUESTION_KINDS,
        levels: (source.levels ?? QUESTION_LEVELS).map((level) => wholeInRange('levels', level, 0, 3)),
        seed,
      }),
    );
    if (!cot) return made;
    const of = questions.map((question) => ({ question: question.id, prompt: questionPrompt(question) }));
    return {
      ...made,
      // The reasoning has an original of its own: without other kinds nothing else is asked.
      ...(kinds?.length === 0 ? { conditions: [], notes: [] } : {}),
      reasoning: { steps, perQuestion: steps.length, of },
    };
  }
  checkPromptText(source.text);
  requireValues(source);
  const set = source.set === null ? null : parsePerturbationSet(source.set);
  if (set !== null && set.prompt.trim() !== source.text.trim()) {
    throw new UserError(
      'usage',
      'The set was made for another prompt than this one, so its perturbations would not compare with it.',
      'Name the prompt that it was made for, or make a set for this one: `evenkeel perturb FILE > set.yaml`.',
    );
  }
  if (set !== null && cot) {
    throw new UserError(
      'usage',
      'The set says what is changed, so --kinds has no say.',
      'Make a set with changed reasoning: `evenkeel perturb FILE --kinds cot --model MODEL > set.yaml`.',
    );
  }
  // Each kind has its share.
  const cotLimit = cot ? Math.max(1, Math.round((limit ?? PROMPT_LIMIT) / (all?.length ?? 1))) : 0;
  const perturbations =
    set?.perturbations ??
    (kinds?.length === 0
      ? []
      : generatePerturbations(source.text, {
          rng: createRng(seed, 'perturbations'),
          kinds: kinds ?? PROMPT_KINDS,
          limit: (limit ?? PROMPT_LIMIT) - cotLimit,
          perSentence: PROMPT_LIMIT,
          includeMeaningful: true,
        }).perturbations);
  return promptConditions({
    ...source,
    perturbations: set === null ? perturbations : perturbations.slice(0, limit ?? MOST),
    reasoning: set?.reasoning ?? null,
    ...(cot ? { cot: { steps, perQuestion: cotLimit } } : {}),
  });
}

function knownKinds(kinds: string[] | undefined): PerturbationKind[] | null {
  if (kinds === undefined) return null;
  return kinds.map((kind) => {
    const known = perturbationKindSchema.safeParse(kind);
    if (known.success) return known.data;
    throw new UserError(
      'invalidOption',
      `There is no kind of perturbation '${kind}'.`,
      `Choose among ${PROMPT_KINDS.join(', ')}, length and cot.`,
    );
  });
}

function inRange(name: string, value: number, low: number, high: number): number {
  if (value >= low && value <= high) return value;
  throw new UserError('invalidOption', `${name} is ${value}.`, `Give a number from ${low} to ${high}.`);
}

function wholeInRange(name: string, value: number, low: number, high: number): number {
  if (Number.isInteger(value) && value >= low && value <= high) return value;
  throw new UserError('invalidOption', `${name} is ${value}.`, `Give a whole number from ${low} to ${high}.`);
}
