import { extractAnswer } from '../answers/extractor';
import { optionProbabilities } from '../answers/optionProbabilities';
import type {
  FlipsAnswer,
  FlipsCondition,
  FlipsPlan,
  FlipsQuestion,
  FlipsRecord,
} from '../contracts/flipsRecord';
import type { Condition, ModelIdentity, Sample } from '../contracts/runRecord';
import { toUserError, UserError } from '../contracts/userError';
import { isServerFailure } from './circuit';
import { collectSamples, messagesFor, requestOf, stateOf, type Collected } from './collect';
import { DEFAULT_OPTIONS } from './defaults';
import type { FlipsHooks } from './events';
import { flipsFindings } from './flipsFindings';
import { reasonAboutQuestions, withReasoning } from './flipsReasoning';
import type { BegunFlips, Clock, FlipsStore, Model } from './ports';
import { sampleSeed, type Job } from './schedule';

/** Enough that every spelling of an option is among them; servers give what they have, at most 20. */
const ALTERNATIVES = 1_000;

export interface FlipsDeps {
  model: Model;
  store: FlipsStore;
  clock: Clock;
}

/**
 * Asks every original and every perturbation once and records what flipped (methods.md section 3). Answers are the
 * argmax over first-token option probabilities where temperature is 0, the questions have options and the provider
 * gives them; else they are decoded and parsed. Above temperature 0 every original is asked twice.
 *
 * Each answer is on disk before it counts. A plan that was begun before goes on where it stopped and ends in the same
 * figures. A cancelled or broken run resolves too, with what there is.
 * @throws UserError when not one answer was received, or when a run is taken up with other weights
 */
export async function runFlips(
  deps: FlipsDeps,
  plan: FlipsPlan,
  versions: Record<string, string>,
  hooks: FlipsHooks,
): Promise<FlipsRecord> {
  const startedMs = deps.clock.nowMs();
  hooks.onEvent?.({ type: 'phase', phase: 'loading' });
  const model = await deps.model.open(hooks.signal);
  try {
    return await askAll(deps, plan, { model, versions, startedMs }, hooks);
  } finally {
    await deps.store.close(plan.id);
  }
}

async function askAll(
  deps: FlipsDeps,
  asked: FlipsPlan,
  session: { model: ModelIdentity; versions: Record<string, string>; startedMs: number },
  hooks: FlipsHooks,
): Promise<FlipsRecord> {
  const { model, versions, startedMs } = session;
  const begun = await deps.store.begin(asked, model);
  refuseOtherWeights(begun.model, model);
  const unreasoned = await reasonFor(deps, begun, hooks);
  // As first begun: what was kept answers to that.
  const plan = withReasoning(begun.plan, begun.reasoned);
  // What failed at the server is asked again.
  const kept = begun.answers.filter((answer) => !isServerFailure(answer.outcome));

  hooks.onEvent?.({ type: 'phase', phase: 'sampling' });
  const decoding =
    unreasoned !== null && kept.length === 0
      ? 'text'
      : await chooseDecoding(deps.model, plan, kept, hooks.signal);
  const jobs = unreasoned === null ? jobsOf(plan, kept) : [];
  const readAnswer = answerReader(plan, decoding);
  const answers = [...kept];
  const collected: Collected = await collectSamples(
    {
      ...deps,
      store: {
        appendSample: async (runId, sample) => {
          const answer = readAnswer(sample);
          await deps.store.append(runId, answer);
          answers.push(answer);
        },
      },
    },
    { id: plan.id, jobs, ...askedAs(plan, decoding) },
    hooks,
  );
  const stopped = unreasoned ?? collected.stopped;
  if (answers.length === 0 && stopped?.reason === 'failed') throw toUserError(stopped.error);

  const inOrder = sortedAnswers(plan, answers);
  const record: FlipsRecord = {
    ...plan,
    state: stateOf(stopped),
    finishedAt: new Date(deps.clock.nowMs()).toISOString(),
    versions,
    model,
    decoding,
    answers: inOrder,
    ...flipsFindings(plan, inOrder, {
      stopped: stopped === null || stopped.reason === 'budget' ? null : stopped.reason,
    }),
    actual: { calls: inOrder.length, seconds: (deps.clock.nowMs() - startedMs) / 1000 },
    error: stopped?.reason === 'failed' ? errorOf(stopped.error) : null,
  };
  await deps.store.finish(record);
  return record;
}

/** Null when every reasoning is there; else why it is not. Nothing is asked for answers before. */
async function reasonFor(
  deps: FlipsDeps,
  begun: BegunFlips,
  hooks: FlipsHooks,
): Promise<Collected['stopped']> {
  const { plan, reasoned } = begun;
  try {
    const keep = (entry: (typeof reasoned)[number]) => deps.store.appendReasoned(plan.id, entry);
    await reasonAboutQuestions({ model: deps.model, keep }, plan, reasoned, hooks);
    return null;
  } catch (error) {
    return { reason: hooks.signal.aborted ? 'cancelled' : 'failed', error };
  }
}

function refuseOtherWeights(before: ModelIdentity, now: ModelIdentity): void {
  const [a, b] = [before.digest, now.digest];
  if (a === null || b === null || a === b) return;
  throw new UserError(
    'invalidOption',
    `This run was begun with other weights of ${now.id} than are there now; its answers would not compare.`,
    'Begin a new run.',
  );
}

/** Whether the provider gives first-token probabilities is only known from a reply: one extra call tells. */
async function chooseDecoding(
  model: Model,
  plan: FlipsPlan,
  kept: FlipsAnswer[],
  signal: AbortSignal,
): Promise<FlipsRecord['decoding']> {
  const { options } = plan;
  const possible =
    options.temperature === 0 &&
    !options.asText &&
    plan.questions.every((question) => optionsOf(question) !== null);
  if (!possible || plan.conditions.length === 0) return 'text';
  if (kept[0] !== undefined) return kept[0].probabilities === null ? 'text' : 'probabilities';
  let given = false;
  await model.sample({
    messages: messagesFor(plan.conditions[0]!.prompt, options.system),
    options: { temperature: 0, topP: 1, maxTokens: 1, firstTokenTop: ALTERNATIVES },
    seeds: [0],
    signal,
    onReply: (reply) => {
      given = (reply.firstToken?.length ?? 0) > 0;
      // A server that is down gives no evidence; the run itself will say what is wrong with it.
      if (isServerFailure(reply.outcome)) given = true;
    },
  });
  return given ? 'probabilities' : 'text';
}

const askedAs = ({ options }: FlipsPlan, decoding: FlipsRecord['decoding']) => ({
  options: {
    ...DEFAULT_OPTIONS,
    samples: 2,
    temperature: options.temperature,
    answerTokens: decoding === 'probabilities' ? 1 : options.answerTokens,
    system: options.system,
  },
  firstTokenTop: decoding === 'probabilities' ? ALTERNATIVES : 0,
});

/** What a run of this plan asks, without what it makes of the model's own reasoning. */
export function flipsRequests(plan: FlipsPlan, decoding: FlipsRecord['decoding']) {
  const { options, firstTokenTop } = askedAs(plan, decoding);
  return jobsOf(plan, []).map((job) => requestOf(job, options, firstTokenTop));
}

/** In the plan's order, so that what stands side by side shares the beginning of its prompt. */
function jobsOf(plan: FlipsPlan, kept: FlipsAnswer[]): Job[] {
  const done = new Set(kept.map(({ conditionId, index }) => `${conditionId}#${index}`));
  return plan.conditions.flatMap((condition) =>
    indicesOf(plan, condition)
      .filter((index) => !done.has(`${condition.id}#${index}`))
      .map((index) => ({
        condition: asCondition(condition),
        firstIndex: index,
        // One seed a job: a batch of another shape might decode otherwise after a resumed run.
        seeds: [sampleSeed(plan.seed, condition.id, index)],
      })),
  );
}

/** The original twice under stochastic decoding: how often does it differ from itself? */
const indicesOf = (plan: FlipsPlan, condition: FlipsCondition): number[] =>
  condition.perturbation === null && plan.options.temperature > 0 ? [0, 1] : [0];

const asCondition = (condition: FlipsCondition): Condition => ({
  id: condition.id,
  role: condition.perturbation === null ? 'baseline' : 'perturbation',
  perturbationId: condition.perturbation?.id ?? null,
  rendered: condition.prompt,
  ...(condition.systemLine === undefined ? {} : { systemLine: condition.systemLine }),
});

function answerReader(plan: FlipsPlan, decoding: FlipsRecord['decoding']) {
  const questions = new Map(plan.questions.map((question) => [question.id, question]));
  const questionOf = new Map(
    plan.conditions.map((condition) => [condition.id, questions.get(condition.question)!]),
  );
  return (sample: Sample): FlipsAnswer => {
    const question = questionOf.get(sample.conditionId)!;
    const read =
      decoding === 'probabilities' ? readProbabilities(sample, question) : readText(sample, question);
    return {
      conditionId: sample.conditionId,
      index: sample.index,
      seed: sample.seed,
      ...read,
      text: sample.text,
      promptTokens: sample.promptTokens,
      completionTokens: sample.completionTokens,
      latencyMs: sample.latencyMs,
      startedAtMs: sample.startedAtMs,
      ...(sample.error === undefined ? {} : { error: sample.error }),
    };
  };
}

type ReadAnswer = Pick<FlipsAnswer, 'outcome' | 'answer' | 'probabilities' | 'outside'>;

const optionsOf = ({ extractor }: FlipsQuestion): string[] | null =>
  extractor.kind === 'yesNo' || extractor.kind === 'options' ? extractor.options : null;

function readProbabilities(sample: Sample, question: FlipsQuestion): ReadAnswer {
  if (sample.firstToken === undefined || sample.firstToken.length === 0) {
    return { outcome: sample.outcome, answer: null, probabilities: null, outside: null };
  }
  const { options, outside, answer } = optionProbabilities(sample.firstToken, optionsOf(question) ?? []);
  // The one token that came with them may well be empty or the start of a refusal: it was not the question.
  return { outcome: 'ok', answer, probabilities: options, outside };
}

function readText(sample: Sample, { extractor }: FlipsQuestion): ReadAnswer {
  const answer = sample.outcome === 'ok' ? extractAnswer(sample.text, extractor) : null;
  return { outcome: sample.outcome, answer, probabilities: null, outside: null };
}

/** By condition and not by arrival; of an answer that was asked again, the last. */
function sortedAnswers(plan: FlipsPlan, answers: FlipsAnswer[]): FlipsAnswer[] {
  const last = new Map(answers.map((answer) => [`${answer.conditionId}#${answer.index}`, answer]));
  return plan.conditions.flatMap((condition) =>
    indicesOf(plan, condition).flatMap((index) => last.get(`${condition.id}#${index}`) ?? []),
  );
}

function errorOf(error: unknown): FlipsRecord['error'] {
  const { code, message, hint } = toUserError(error);
  return { code, message, hint };
}
