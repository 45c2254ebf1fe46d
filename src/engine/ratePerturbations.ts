import PQueue from 'p-queue';
import type { PerturbationSet, PerturbationStrength, RatedPerturbation } from '../contracts/perturbationSet';
import { isUserError } from '../contracts/userError';
import { judgeCase } from '../judge/judgeCase';
import { ASK_AGAIN, judgePrompt, VERDICT_SCHEMA, type JudgeCase } from '../judge/judgePrompt';
import { parseVerdict, type Verdict } from '../judge/parseVerdict';
import { medianLevel } from '../perturb/relabel';
import { bindVariables } from '../prompts/variables';
import { createRng, mixSeed } from '../stats/rng';
import { createCircuit } from './circuit';
import type { Message, Model, Reply } from './ports';

/** Ratings of each perturbation (methods.md section 3). */
const DEFAULT_RATINGS = 3;
/** A justification of a few sentences; reasoning models spend their thinking from it too. */
const VERDICT_TOKENS = 800;
/** What is shown to the judge of its own unreadable reply. */
const MAX_SHOWN_REPLY_CHARS = 2_000;

export interface RatingRequest {
  set: Pick<PerturbationSet, 'prompt' | 'reasoning' | 'seed' | 'perturbations'>;
  /** Values of the prompt's variables, so that the judge reads what the model under test reads. */
  variables: Record<string, string>;
  /** Ratings of each perturbation, 1 or more; 3 by default. */
  ratings?: number;
}

export type RatingEvent =
  | { type: 'progress'; done: number; total: number }
  /** After each rating of a perturbation is in, or will not come. */
  | { type: 'rated'; perturbation: RatedPerturbation }
  | { type: 'warning'; message: string };

export interface RatingHooks {
  /** Stops asking; what was rated until then is kept. */
  signal: AbortSignal;
  onEvent?: (event: RatingEvent) => void;
}

export interface RatingResult {
  /** In the order given; those that are not used come back as they were. */
  perturbations: RatedPerturbation[];
  calls: number;
  /** Why the rating ended early; null when it did not. */
  stopped: { reason: 'cancelled' | 'failed'; error: unknown } | null;
}

/** Calls of the judge: `least` when every reply can be read, `most` when each is asked for again. */
export function judgeCalls(
  perturbations: readonly RatedPerturbation[],
  ratings = DEFAULT_RATINGS,
): { least: number; most: number } {
  const least = perturbations.filter(({ use }) => use).length * ratings;
  return { least, most: 2 * least };
}

/**
 * Has a judge rate the strength of every perturbation in use, at temperature 0. As a model at temperature 0 repeats
 * itself, each rating of a perturbation shows scale and examples in another order (`judgePrompt`). The level is the
 * median; the agreement the share of the ratings that equal it. A reply that cannot be read is asked for once more.
 * A perturbation without a majority of readable ratings is `unrated`, never 0. A person's label stays the level; the
 * judge's then goes to `judged`. The same seed gives the same requests.
 * Never rejects for a failing judge: what was rated is returned with the reason.
 * @throws RangeError if `ratings` is not a whole number of 1 or more; UserError if the judge cannot be opened
 */
export async function ratePerturbations(
  deps: { model: Model },
  request: RatingRequest,
  hooks: RatingHooks,
): Promise<RatingResult> {
  const { set, variables, ratings = DEFAULT_RATINGS } = request;
  if (!Number.isInteger(ratings) || ratings < 1) {
    throw new RangeError(`ratings must be a whole number of 1 or more, got ${ratings}`);
  }
  await deps.model.open(hooks.signal);
  const stop = new AbortController();
  const ask = createAsk(deps.model, AbortSignal.any([hooks.signal, stop.signal]), hooks.onEvent);
  let failure: unknown = null;
  const result = [...set.perturbations];
  const todo = result.flatMap((one, i) => (one.use ? [i] : []));
  let done = 0;
  const bind = (text: string) => bindVariables(text, variables).text;

  const rateOne = async (index: number) => {
    const perturbation = result[index]!;
    const item = judgeCase(perturbation, set, bind);
    const verdicts: Verdict[] = [];
    let obstacle = item === null ? 'the original reasoning is not known' : null;
    for (let variant = 0; item !== null && obstacle === null && variant < ratings; variant++) {
      if (ask.signal.aborted) break;
      const stream = `judge/${perturbation.id}/${variant}`;
      try {
        const verdict = await ask.rating(item, variant, set.seed, stream);
        if (verdict !== null) verdicts.push(verdict);
      } catch (error) {
        // One text that does not fit says nothing about the others.
        if (!isUserError(error) || error.code !== 'promptTooLong') throw error;
        obstacle = 'it does not fit into what the judge reads';
      }
    }
    // Cut off without one rating: it stays as it was.
    if (ask.signal.aborted && verdicts.length === 0) return;
    if (ask.signal.aborted) obstacle ??= 'rating was stopped';
    result[index] = { ...perturbation, strength: rated(perturbation.strength, verdicts, ratings, obstacle) };
    hooks.onEvent?.({ type: 'rated', perturbation: result[index]! });
    hooks.onEvent?.({ type: 'progress', done: ++done, total: todo.length });
  };

  const queue = new PQueue({ concurrency: Math.max(1, deps.model.concurrency) });
  await Promise.all(
    todo.map((index) =>
      queue.add(async () => {
        if (ask.signal.aborted) return;
        await rateOne(index).catch((error: unknown) => {
          failure ??= error;
          stop.abort();
        });
      }),
    ),
  );
  const stopped =
    failure !== null && !hooks.signal.aborted
      ? { reason: 'failed' as const, error: failure }
      : hooks.signal.aborted
        ? { reason: 'cancelled' as const, error: hooks.signal.reason }
        : null;
  return { perturbations: result, calls: ask.calls(), stopped };
}

/** Median and agreement of what came; `unrated` without a majority of what was asked for. */
function rated(
  before: PerturbationStrength,
  verdicts: Verdict[],
  asked: number,
  obstacle: string | null,
): PerturbationStrength {
  const ratings = verdicts.map(({ strength }) => strength);
  const enough = ratings.length * 2 > asked;
  const level = enough ? medianLevel(ratings) : null;
  const agreement =
    level === null ? null : ratings.filter((rating) => rating === level).length / ratings.length;
  const justification =
    level === null
      ? `Unrated: ${obstacle ?? `${asked - ratings.length} of ${asked} replies of the judge could not be had or read, also when asked again`}.`
      : (verdicts.find(({ strength }) => strength === level)?.justification ?? '');
  const byJudge = { ratings, agreement, justification, declared: before.declared };
  if (before.source === 'user') return { ...before, ...byJudge, judged: level };
  return { ...byJudge, level, source: level === null ? 'unrated' : 'judge', judged: null };
}

/** Asks for one rating, and once more if the reply cannot be read. Counts calls and failures in a row. */
function createAsk(model: Model, signal: AbortSignal, onEvent: RatingHooks['onEvent']) {
  let calls = 0;
  const circuit = createCircuit('The judge');

  async function reply(messages: Message[], seed: number): Promise<Reply | null> {
    let received: Reply | null = null;
    calls++;
    await model.sample({
      messages,
      options: { temperature: 0, topP: 1, maxTokens: VERDICT_TOKENS, schema: VERDICT_SCHEMA },
      seeds: [seed],
      signal,
      onReply: (one) => {
        received = one;
      },
      onWarning: (message) => onEvent?.({ type: 'warning', message }),
    });
    const got = received as Reply | null;
    if (got === null || got.outcome === 'cancelled') return null;
    const failure = circuit.note(got);
    if (failure !== null) throw failure;
    return got;
  }

  return {
    signal,
    calls: () => calls,
    async rating(item: JudgeCase, variant: number, seed: number, stream: string): Promise<Verdict | null> {
      const { system, user } = judgePrompt(item, variant, createRng(seed, stream));
      const messages: Message[] = [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ];
      const first = await reply(messages, mixSeed(seed, stream));
      if (first === null) return null;
      const verdict = parseVerdict(first.text);
      if (verdict !== null || signal.aborted) return verdict;
      const said = first.text.trim().slice(0, MAX_SHOWN_REPLY_CHARS);
      // Servers refuse an empty turn; the request is then only repeated with the reminder.
      const again: Message[] =
        said === ''
          ? [messages[0]!, { role: 'user', content: `${user}\n\n${ASK_AGAIN}` }]
          : [...messages, { role: 'assistant', content: said }, { role: 'user', content: ASK_AGAIN }];
      const second = await reply(again, mixSeed(seed, `${stream}/again`));
      return second === null ? null : parseVerdict(second.text);
    },
  };
}
