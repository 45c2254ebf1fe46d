/**
 * One request per seed, for servers: queue, time limits, the only layer that retries, and the circuit that stops
 * a call whose server has failed for good.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import pRetry from 'p-retry';
import { UserError, isUserError } from '../contracts/userError';
import type { Clock, Reply, SampleRequest } from '../engine/ports';
import { emptyDraft, replyOf, type Draft } from './replies';
import { ServerFault, fault, faultOf, type Fault } from './serverFault';

export interface ServerLimits {
  /** From dispatch to the first sign of a reply; the load of a model counts, waiting in our queue does not. */
  firstTokenMs: number;
  /** From dispatch to the last token. */
  totalMs: number;
  /** For questions about the server itself: version, models. */
  probeMs: number;
  /** Requests after the first one, for faults that may pass. */
  retries: number;
  /** First wait; doubles, with jitter. */
  retryDelayMs: number;
  /** A server that wants us to wait longer than this is given up. */
  longestWaitMs: number;
}

export const SERVER_LIMITS: ServerLimits = {
  firstTokenMs: 240_000,
  totalMs: 900_000,
  probeMs: 10_000,
  retries: 3,
  retryDelayMs: 500,
  longestWaitMs: 60_000,
};

/** Failed seeds in a row after which nothing more is sent in this call. */
const FAILURES_TO_STOP = 3;

/**
 * Asks the server once. Writes what arrives into `draft`, calls `heard` at the first sign of a reply, and resolves only
 * when the reply is complete. A UserError means that nothing can go on; anything else is this seed's fault.
 */
export type Ask = (call: {
  seed: number;
  draft: Draft;
  signal: AbortSignal;
  heard: () => void;
}) => Promise<void>;

const CANCELLED = fault('cancelled', 'cancelled', 'Stopped before the reply was complete.');

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

export function createSeedSampler(deps: { clock: Clock; concurrency: number; limits: ServerLimits }) {
  const { clock, limits } = deps;
  const queue = new PQueue({ concurrency: deps.concurrency });
  /** Lives on between calls: a server that is still down is given up after one more failure. */
  let failuresInARow = 0;

  async function askOnce(ask: Ask, seed: number, maxTokens: number, signal: AbortSignal) {
    const draft = emptyDraft();
    const limit = new AbortController();
    let expired: Fault | null = null;
    const arm = (ms: number, code: string, what: string) =>
      setTimeout(() => {
        expired = fault('timeout', code, `${what} within ${ms / 1000} s.`);
        limit.abort();
      }, ms);
    const startedAtMs = clock.nowMs();
    const first = arm(limits.firstTokenMs, 'firstTokenTimeout', 'No reply began');
    const total = arm(limits.totalMs, 'totalTimeout', 'The reply did not end');
    let failed: Fault | null = null;
    try {
      const both = AbortSignal.any([signal, limit.signal]);
      await ask({ seed, draft, signal: both, heard: () => clearTimeout(first) });
    } catch (error) {
      if (isUserError(error)) throw error;
      failed = signal.aborted ? CANCELLED : (expired ?? faultOf(error));
    } finally {
      clearTimeout(first);
      clearTimeout(total);
    }
    const facts = { seed, startedAtMs, endedAtMs: clock.nowMs(), maxTokens, fault: failed };
    return { reply: replyOf(draft, facts), fault: failed };
  }

  async function askWithRetries(ask: Ask, seed: number, maxTokens: number, signal: AbortSignal) {
    let last: Awaited<ReturnType<typeof askOnce>> | null = null;
    const mayPass = (error: Error) =>
      error instanceof ServerFault &&
      error.fault.retry &&
      (error.fault.retryAfterMs ?? 0) <= limits.longestWaitMs;
    try {
      await pRetry(
        async () => {
          last = await askOnce(ask, seed, maxTokens, signal);
          if (last.fault) throw new ServerFault(last.fault);
        },
        {
          retries: limits.retries,
          minTimeout: limits.retryDelayMs,
          maxTimeout: 10_000,
          factor: 2,
          randomize: true,
          signal,
          shouldRetry: ({ error }) => mayPass(error),
          onFailedAttempt: async ({ error, retriesLeft }) => {
            const waitMs = error instanceof ServerFault ? error.fault.retryAfterMs : null;
            if (waitMs !== null && retriesLeft > 0 && mayPass(error))
              await sleep(waitMs, undefined, { signal });
          },
        },
      );
    } catch (error) {
      if (isUserError(error)) throw error;
    }
    return last as Awaited<ReturnType<typeof askOnce>> | null;
  }

  return {
    /** Model.sample for servers; see the port. `prepare` contacts the server before the first seed is sent. */
    async sample(request: SampleRequest, prepare: () => Promise<Ask>): Promise<void> {
      checkRequest(request);
      const ask = await prepare().catch((error: unknown) => {
        if (request.signal.aborted) return null;
        throw error;
      });
      const { seeds, onReply } = request;
      const { maxTokens } = request.options;
      const halt = new AbortController();
      const signal = AbortSignal.any([request.signal, halt.signal]);
      let stopped: Fault | null = null;
      const unsent = (seed: number, why: Fault): Reply => {
        const nowMs = clock.nowMs();
        return replyOf(emptyDraft(), { seed, startedAtMs: nowMs, endedAtMs: nowMs, maxTokens, fault: why });
      };

      async function replyTo(seed: number): Promise<Reply> {
        if (signal.aborted || !ask) return unsent(seed, CANCELLED);
        if (stopped)
          return unsent(
            seed,
            fault('unavailable', 'notSent', `Not sent after an earlier failure. ${stopped.message}`),
          );
        const answer = await askWithRetries(ask, seed, maxTokens, signal);
        // Cancelled before the first request or while waiting to ask again.
        if (!answer || (answer.fault && signal.aborted)) {
          const kept = answer?.reply ?? unsent(seed, CANCELLED);
          return {
            ...kept,
            outcome: 'cancelled',
            error: { code: CANCELLED.code, message: CANCELLED.message },
          };
        }
        failuresInARow = answer.fault && answer.fault.outcome !== 'refused' ? failuresInARow + 1 : 0;
        if (answer.fault && (answer.fault.fatal || failuresInARow >= FAILURES_TO_STOP))
          stopped = answer.fault;
        return answer.reply;
      }

      const tasks = seeds.map((seed, indexInSeeds) =>
        queue.add(async () => {
          if (halt.signal.aborted) return;
          try {
            const reply = await replyTo(seed);
            if (!halt.signal.aborted) onReply(reply, indexInSeeds);
          } catch (error) {
            halt.abort();
            throw error;
          }
        }),
      );
      const results = await Promise.allSettled(tasks);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    },
  };
}
