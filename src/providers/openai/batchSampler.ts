/**
 * Many requests as batches of the server (OpenAI's Batch API): handed over, noted down, waited for and collected; what
 * failed for now is asked again in a further batch, a few times.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchNote } from '../../contracts/batchNote';
import { UserError } from '../../contracts/userError';
import type { BatchWork, Clock, SampleRequest } from '../../engine/ports';
import { CANCELLED } from '../askOnce';
import { emptyDraft, refuseCutPrompt, replyOf, type Draft } from '../replies';
import { fault, faultFromStatus, faultOf, quoteServer, type Fault } from '../serverFault';
import { askedOf, filesOf, readReply, type Asked, type BatchReply } from './batchFile';
import type { BatchServer, BatchState } from './batchServer';

/** Batches for one request at most, not counting one that an earlier process left. */
const ROUNDS = 3;
/** A batch is done or expires within 24 hours. */
const LONGEST_WAIT_MS = 26 * 3_600_000;
const POLL_GROWTH = 1.5;
const CANCEL_MS = 5_000;

export interface BatchPolls {
  /** First wait between two questions how things stand; grows by half each time. */
  firstPollMs: number;
  longestPollMs: number;
}

export const BATCH_POLLS: BatchPolls = { firstPollMs: 1_000, longestPollMs: 60_000 };

const again = (outcome: 'timeout' | 'unavailable' | 'rateLimited', code: string, message: string): Fault =>
  fault(outcome, code, message, { retry: true });

/** Why the requests of a batch that ended have no answer. */
function unanswered({ status }: BatchState, left: boolean): Fault {
  if (status === 'expired')
    return again('timeout', 'batchExpired', 'The batch expired before this request was answered.');
  if (status === 'cancelled' && !left)
    return fault('unavailable', 'batchCancelled', 'The batch was cancelled at the server.', { fatal: true });
  return again('unavailable', 'noReply', 'The batch ended without a reply to this request.');
}

/**
 * Model.sampleBatch; see the port.
 * @param deps.bodyOf what is sent for one answer
 * @param deps.read a whole completion into a draft; throws a ServerFault for what is none
 * @param deps.giveWay takes note of an option that the server refuses; true when the request may go without it
 */
export function createBatchSampler(deps: {
  server: BatchServer;
  address: string;
  model: string;
  /** As people know it. */
  name: string;
  clock: Clock;
  polls: BatchPolls;
  apiKey: string | null;
  bodyOf: (asked: Asked) => object;
  read: (body: unknown, draft: Draft, request: SampleRequest) => void;
  giveWay: (fault: Fault, request: SampleRequest) => boolean;
}): (requests: SampleRequest[], work: BatchWork) => Promise<void> {
  const { server, address, clock, polls } = deps;

  return async (requests, { signal: stop, journal, onProgress }) => {
    const halt = new AbortController();
    const signal = AbortSignal.any([stop, halt.signal]);
    const open = new Map(askedOf(requests, deps.model).map((one) => [one.id, one]));
    const running = new Map<string, BatchState>();
    const failed = new Map<string, Fault>();

    const deliver = (
      { id, request, seed, indexInSeeds }: Asked,
      draft: Draft,
      at: number,
      why: Fault | null,
    ) => {
      open.delete(id);
      const { maxTokens } = request.options;
      // How long one reply of a batch took nobody tells.
      const reply = replyOf(draft, { seed, startedAtMs: at, latencyMs: 0, maxTokens, fault: why });
      request.onReply(reply, indexInSeeds);
    };

    const progress = () => {
      const states = [...running.values()];
      const sum = (of: (state: BatchState) => number) =>
        states.reduce((total, state) => total + of(state), 0);
      onProgress?.(
        sum(({ done }) => done),
        sum(({ total }) => total),
      );
    };

    /** What one reply says: a draft, or why there is none. */
    function readOne(reply: BatchReply, { request }: Asked): { draft: Draft; why: Fault | null } {
      const draft = emptyDraft();
      const { response, error } = reply;
      try {
        if (response && response.status_code === 200) {
          deps.read(response.body, draft, request);
          refuseCutPrompt(request.messages, draft);
          return { draft, why: null };
        }
      } catch (thrown) {
        return { draft, why: faultOf(thrown) };
      }
      if (response) {
        const body = JSON.stringify(response.body ?? '');
        const why = faultFromStatus(response.status_code, body, new Headers(), clock.nowMs(), [deps.apiKey]);
        return { draft, why: deps.giveWay(why, request) ? { ...why, retry: true, fatal: false } : why };
      }
      const words = quoteServer(error?.message ?? error?.code ?? 'no explanation', [deps.apiKey]);
      return { draft, why: again('unavailable', 'failed', `The request failed: ${words}`) };
    }

    /** Reads what a batch brought. In the order in which it was asked, whatever the order of its lines. */
    async function collect(state: BatchState, asked: Asked[], left: boolean): Promise<void> {
      const of = new Map(asked.map((one) => [one.id, one]));
      const found = new Map<string, ReturnType<typeof readOne> & { startedAtMs: number | null }>();
      const take = (line: string) => {
        const reply = readReply(line);
        const one = reply === null ? undefined : of.get(reply.custom_id);
        // Of one id twice the first counts; ids that were never sent do not.
        if (reply === null || one === undefined || found.has(one.id) || isEnding(reply)) return;
        found.set(one.id, { ...readOne(reply, one), startedAtMs: startedAt(reply, state) });
      };
      for (const file of state.files) await server.read(file, take, signal).catch(unlessGone);
      for (const one of asked) {
        const { draft, why, startedAtMs } = found.get(one.id) ?? {
          draft: emptyDraft(),
          why: unanswered(state, left),
          startedAtMs: state.createdAtMs,
        };
        if (why?.retry) failed.set(one.id, why);
        else deliver(one, draft, startedAtMs ?? clock.nowMs(), why);
      }
    }

    async function finish(state: BatchState, asked: Asked[], left: boolean): Promise<void> {
      running.set(state.id, state);
      const untilMs = clock.nowMs() + LONGEST_WAIT_MS;
      let now = state;
      for (
        let waitMs = polls.firstPollMs;
        !now.ended;
        waitMs = Math.min(polls.longestPollMs, waitMs * POLL_GROWTH)
      ) {
        progress();
        await sleep(waitMs, undefined, { signal });
        now = await server.state(state.id, signal);
        running.set(state.id, now);
        if (!now.ended && clock.nowMs() > untilMs) {
          await server.cancel(state.id, signal);
          now = { ...now, ended: true, status: 'expired', files: [] };
        }
      }
      running.delete(state.id);
      if (now.status !== 'failed' || left) return collect(now, asked, left);
      const [first] = now.errors;
      if (first?.code !== 'token_limit_exceeded') throw notTaken(deps.name, first?.message);
      const why = again('rateLimited', 'batchQueueFull', `The server's queue is full: ${first.message}`);
      for (const { id } of asked) failed.set(id, why);
    }

    /** Batches of an earlier process that hold something of what is still wanted. */
    async function takeUp(): Promise<{ state: BatchState; asked: Asked[]; left: boolean }[]> {
      const notes = new Map<string, BatchNote>();
      for (const note of await journal.read()) notes.set(note.inputFileId, note);
      const found = [];
      const taken = new Set<string>();
      // The newest first: it holds what was asked again.
      for (const note of [...notes.values()].reverse()) {
        const asked = note.requests.filter((id) => open.has(id) && !taken.has(id)).map((id) => open.get(id)!);
        if (note.address !== address || asked.length === 0) continue;
        const state =
          note.batchId === null
            ? await begin(note, { mayExist: true })
            : await server.state(note.batchId, signal).catch(unlessGone);
        if (state === undefined) continue;
        asked.forEach(({ id }) => taken.add(id));
        found.push({ state, asked, left: true });
      }
      return found;
    }

    async function begin(note: BatchNote, how: { mayExist: boolean }): Promise<BatchState> {
      // Not broken off by a cancel: a batch whose id nobody knows could not be cancelled.
      const state = await server.begin(note.inputFileId, new AbortController().signal, how);
      running.set(state.id, state);
      await journal.append({ ...note, batchId: state.id });
      signal.throwIfAborted();
      return state;
    }

    async function handOver(asked: Asked[]) {
      const batches = [];
      for (const file of filesOf(asked, deps.bodyOf)) {
        const inputFileId = await server.upload(file.lines, signal);
        const note = { address, inputFileId, batchId: null, requests: file.asked.map(({ id }) => id) };
        await journal.append(note);
        batches.push({ state: await begin(note, { mayExist: false }), asked: file.asked, left: false });
      }
      return batches;
    }

    try {
      const left = await takeUp();
      const known = new Set(left.flatMap(({ asked }) => asked.map(({ id }) => id)));
      for (let round = 0; open.size > 0 && round < ROUNDS; round++) {
        const fresh = [...open.values()].filter(({ id }) => round > 0 || !known.has(id));
        const batches = [...(round === 0 ? left : []), ...(await handOver(fresh))];
        await Promise.all(batches.map(({ state, asked, left: old }) => finish(state, asked, old)));
      }
      for (const one of [...open.values()])
        deliver(one, emptyDraft(), clock.nowMs(), failed.get(one.id) ?? CANCELLED);
    } catch (error) {
      // Batches that are under way go on at the server, and are in the journal.
      halt.abort();
      if (!stop.aborted) throw error;
      await Promise.all(
        [...running.keys()].map((id) => server.cancel(id, AbortSignal.timeout(CANCEL_MS))),
      ).catch(() => undefined);
      for (const one of [...open.values()]) deliver(one, emptyDraft(), clock.nowMs(), CANCELLED);
    }
  };
}

/** Servers forget files and batches after a while. */
const unlessGone = (error: unknown): undefined => {
  if (faultOf(error).code !== 'notFound') throw error;
};

/** The server says of the request only that the batch ended before it. */
const isEnding = ({ response, error }: BatchReply): boolean =>
  !response && (!error || /^batch_(?:expired|cancelled)$/.test(error.code ?? ''));

/** When a reply was made, where the server says so and it can be. */
function startedAt(reply: BatchReply, { createdAtMs }: BatchState): number | null {
  const created = (reply.response?.body as { created?: unknown } | null | undefined)?.created;
  if (typeof created !== 'number' || !Number.isFinite(created)) return createdAtMs;
  const ms = created * 1000;
  return createdAtMs === null || (ms >= createdAtMs && ms <= createdAtMs + LONGEST_WAIT_MS)
    ? ms
    : createdAtMs;
}

const notTaken = (name: string, why = 'no explanation'): UserError =>
  new UserError(
    'serverRefused',
    `${name} does not take the batch: ${why}`,
    'Correct what it says, or leave --execution batch out.',
  );
