/**
 * One request per seed (or per few of them), for servers: time limits, the only layer that retries, and the end of a
 * call whose server has failed for good.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../contracts/userError';
import type { Clock, SampleRequest } from '../engine/ports';
import { CANCELLED, createAskOnce, signOf, type Ask, type Attempt } from './askOnce';
import { emptyDraft, isComplete, replyOf } from './replies';
import { createRequestQueue } from './requestQueue';
import { retryWaitMs } from './retryWait';
import { fault, type Fault } from './serverFault';
import type { ServerLimits } from './serverLimits';

/** Failed seeds in a row after which nothing more is sent in this call. */
const FAILURES_TO_STOP = 3;

const notSent = (why: Fault) =>
  fault('unavailable', 'notSent', `Not sent after an earlier failure. ${why.message}`, { fatal: true });

function checkRequest({ messages, options, seeds }: SampleRequest): void {
  const wrong = (message: string) => new UserError('invalidOption', message, 'Correct the sampling options.');
  if (messages.every(({ content }) => content.trim() === ''))
    throw new UserError('emptyPrompt', 'There is no prompt to send.', 'Write a prompt or select one.');
  // 0 means "without limit" to Ollama and is refused by others.
  if (!Number.isInteger(options.maxTokens) || options.maxTokens < 1)
    throw wrong('The number of answer tokens must be a whole number of at least 1.');
  if (!(options.temperature >= 0)) throw wrong('The temperature must be 0 or more.');
  if (!(options.topP > 0 && options.topP <= 1)) throw wrong('topP must be above 0 and at most 1.');
  if (seeds.some((seed) => !Number.isSafeInteger(seed) || seed < 0))
    throw wrong('Seeds must be whole numbers of at least 0.');
}

/** Of no consequence to any answer: it only spreads requests that are sent again. */
const chance = () => randomInt(2 ** 32) / 2 ** 32;

interface Place {
  seed: number;
  indexInSeeds: number;
}
/**
 * @param deps.concurrency requests side by side at most; how many there are is measured
 * @param deps.random uniform in [0, 1): the jitter of retries
 */
export function createSeedSampler(deps: {
  clock: Clock;
  concurrency: number;
  limits: ServerLimits;
  random?: () => number;
}) {
  const { clock, limits, random = chance } = deps;
  const queue = createRequestQueue(deps.concurrency);
  /** Lives on between calls: a server that is still down is given up after one more failure. */
  let failuresInARow = 0;
  const askOnce = createAskOnce({ clock, limits });

  return {
    settledConcurrency: queue.settled,
    beginAt: queue.beginAt,

    /**
     * Model.sample for servers; see the port. `prepare` contacts the server before the first seed is sent, and says how
     * many answers one request may ask for.
     */
    async sample(
      request: SampleRequest,
      prepare: () => Promise<{ ask: Ask; together?: number }>,
    ): Promise<void> {
      checkRequest(request);
      const prepared = await prepare().catch((error: unknown) => {
        if (request.signal.aborted) return null;
        throw error;
      });
      const { seeds, onReply } = request;
      const halt = new AbortController();
      const signal = AbortSignal.any([request.signal, halt.signal]);
      let stopped: Fault | null = null;

      const deliver = (place: Place, attempt: Attempt | null, choice: number, why: Fault | null) => {
        if (halt.signal.aborted) return;
        const several = (attempt?.drafts.length ?? 1) > 1;
        const reply = replyOf(attempt?.drafts[choice] ?? emptyDraft(), {
          seed: place.seed,
          startedAtMs: attempt?.startedAtMs ?? clock.nowMs(),
          latencyMs: attempt?.latencyMs ?? 0,
          maxTokens: request.options.maxTokens,
          fault: why,
          ...(attempt && several ? { drawn: { seed: attempt.seed, choice } } : {}),
        });
        onReply(reply, place.indexInSeeds);
      };
      const deliverAll = (places: Place[], attempt: Attempt | null, why: Fault | null) =>
        places.forEach((place, choice) => deliver(place, attempt, choice, why));

      /** Takes note of a failure; milliseconds until the request is sent again, null: never. */
      const waitAfter = (failed: Fault, attempt: number): number | null => {
        if (signal.aborted) return null;
        const waitMs = retryWaitMs(failed, attempt, limits, random());
        if (waitMs === null) {
          failuresInARow = failed.outcome === 'refused' ? 0 : failuresInARow + 1;
          if (failed.fatal || failuresInARow >= FAILURES_TO_STOP) stopped = failed;
        } else if (failed.retryAfterMs !== null || failed.code === 'unreachable') queue.holdBack(waitMs);
        return waitMs;
      };

      /** Asks for these answers, as often as it takes. */
      async function answer(places: Place[], ask: Ask): Promise<void> {
        for (let attempt = 0; ; attempt += 1) {
          // What a failure means is settled before the next request in the queue is sent.
          const send = async () => {
            if (stopped) return null;
            const got = await askOnce(ask, { seed: places[0]!.seed, answers: places.length }, signal);
            if (got.fault === null) failuresInARow = 0;
            const waitMs = got.fault === null ? null : waitAfter(got.fault, attempt);
            return { ...got, waitMs };
          };
          const got = await queue.run(send, signOf, { signal, again: attempt > 0 });
          // Stopped or cancelled while it waited for its turn.
          if (got === null)
            return deliverAll(places, null, signal.aborted || !stopped ? CANCELLED : notSent(stopped));
          if (places.length > 1 && (got.fault === null || got.drafts.some(isComplete)))
            return answerRest(places, got, ask);
          if (got.fault !== null && signal.aborted) return deliverAll(places, got, CANCELLED);
          if (got.waitMs === null) return deliverAll(places, got, got.fault);
          await sleep(got.waitMs, undefined, { signal }).catch(() => undefined);
          if (signal.aborted) return deliverAll(places, got, CANCELLED);
        }
      }

      /** Of several answers in one request those that are complete are kept; the others are asked for one by one. */
      async function answerRest(places: Place[], got: Attempt, ask: Ask): Promise<void> {
        const rest: Place[] = [];
        places.forEach((place, choice) => {
          if (isComplete(got.drafts[choice]!)) deliver(place, got, choice, null);
          else rest.push(place);
        });
        if (signal.aborted) return deliverAll(rest, null, CANCELLED);
        await Promise.all(rest.map((place) => answer([place], ask)));
      }

      const all = seeds.map((seed, indexInSeeds) => ({ seed, indexInSeeds }));
      if (!prepared) return deliverAll(all, null, CANCELLED);
      const { ask, together = 1 } = prepared;
      const results = await Promise.allSettled(
        chunks(all, together).map((places) =>
          answer(places, ask).catch((error: unknown) => {
            halt.abort();
            throw error;
          }),
        ),
      );
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    },
  };
}

function chunks<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}
