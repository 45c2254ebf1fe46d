/** The calls of OpenAI's Batch API, each asked again where its fault may pass. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type OpenAI from 'openai';
import { serverIdSchema } from '../../contracts/batchNote';
import { retryWaitMs } from '../retryWait';
import { faultOf, malformed, quoteServer } from '../serverFault';
import type { ServerLimits } from '../serverLimits';
import { linesOf } from './batchFile';
import { openAiClient, type OpenAiServer } from './openAiServer';
import { openError, type ServerStory } from '../openError';
import { UserError, isUserError } from '../../contracts/userError';

/** A file of 50,000 replies of 4,096 tokens each is smaller. */
const LONGEST_FILE_BYTES = 2 * 1024 * 1024 * 1024;
/** Batches that are looked through for one that was begun by a process that died. */
const MOST_LISTED = 500;
const PAGE = 100;
/** Of a question that may be asked for hours: together about five. */
const PATIENT_RETRIES = 64;
const PATIENT_WAIT_MS = 300_000;

export interface BatchState {
  id: string;
  /** `ended`: no more will come. */
  ended: boolean;
  status: string;
  done: number;
  total: number;
  createdAtMs: number | null;
  /** Files of replies and of failures. */
  files: string[];
  /** Why it was not begun at all. */
  errors: { code: string; message: string }[];
}

const ENDED = new Set(['completed', 'expired', 'cancelled', 'failed']);

const PASSING = new Set(['hostUnknown', 'connectionTimeout']);

/** Of no consequence to any answer: it only spreads calls that are made again. */
const chance = () => randomInt(2 ** 32) / 2 ** 32;

export type BatchServer = ReturnType<typeof createBatchServer>;

/** Calls that only ask how things stand, or read what is there, are repeated for hours. */
export function createBatchServer(deps: { server: OpenAiServer; limits: ServerLimits }) {
  const { server, limits } = deps;
  const patience = {
    ...limits,
    retries: PATIENT_RETRIES,
    rateLimitRetries: PATIENT_RETRIES,
    longestWaitMs: PATIENT_WAIT_MS,
  };

  async function again<T>(
    work: (client: OpenAI, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
    { patience: how = limits, file = false }: { patience?: ServerLimits; file?: boolean } = {},
  ): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      const both = AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)]);
      try {
        return await work(
          openAiClient(server, both, file ? { longestFileBytes: LONGEST_FILE_BYTES } : {}),
          both,
        );
      } catch (error) {
        const fault = faultOf(error);
        // A machine that sleeps or is off the network for hours has not lost its batch.
        const retry = fault.retry || (how === patience && PASSING.has(fault.code));
        const waitMs = signal.aborted ? null : retryWaitMs({ ...fault, retry }, attempt, how, chance());
        if (waitMs === null) throw error;
        await sleep(waitMs, undefined, { signal });
      }
    }
  }

  async function find(inputFileId: string, signal: AbortSignal): Promise<BatchState | null> {
    return again(async (client) => {
      let seen = 0;
      for await (const batch of client.batches.list({ limit: PAGE }, { signal })) {
        if (batch?.input_file_id === inputFileId) return stateOf(batch);
        if ((seen += 1) >= MOST_LISTED) break;
      }
      return null;
    }, signal);
  }

  return {
    /** The id of the file. */
    upload: (lines: string[], signal: AbortSignal): Promise<string> =>
      again(async (client) => {
        const file = new File(lines, 'evenkeel.jsonl', { type: 'application/jsonl' });
        return idOf((await client.files.create({ file, purpose: 'batch' }, { signal })).id);
      }, signal),

    /** The batch of a file: one that was begun already, or a new one. Never two of them. */
    async begin(inputFileId: string, signal: AbortSignal, { mayExist }: { mayExist: boolean }) {
      let look = mayExist;
      return again(async (client) => {
        const found = look ? await find(inputFileId, signal) : null;
        // Whatever becomes of the next call, the server may have begun it.
        look = true;
        return found ?? stateOf(await client.batches.create(paramsOf(inputFileId), { signal }));
      }, signal);
    },

    state: (id: string, signal: AbortSignal): Promise<BatchState> =>
      again(async (client) => stateOf(await client.batches.retrieve(id, { signal })), signal, { patience }),

    cancel: (id: string, signal: AbortSignal): Promise<unknown> =>
      again((client) => client.batches.cancel(id, { signal }), signal),

    /** Every line of a file; after a break from its beginning again. */
    read: (id: string, take: (line: string) => void, signal: AbortSignal): Promise<void> =>
      again(
        async (client, both) => {
          const { body } = await client.files.content(id, { signal: both });
          if (body === null) return;
          for await (const line of linesOf(body as unknown as AsyncIterable<Uint8Array>)) take(line);
        },
        signal,
        { patience, file: true },
      ),
  };
}

const paramsOf = (input_file_id: string) =>
  ({ input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' }) as const;

const idOf = (value: unknown): string => {
  const id = serverIdSchema.safeParse(value);
  if (!id.success) throw malformed('noId', 'The server names no file or batch (its id is missing or odd).');
  return id.data;
};

/** What a server says of a batch; nothing in it is certain. */
function stateOf(batch: Partial<OpenAI.Batches.Batch> | null): BatchState {
  const { status, request_counts: counts, created_at: created } = batch ?? {};
  const count = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : 0);
  const errors = Array.isArray(batch?.errors?.data) ? batch.errors.data : [];
  return {
    id: idOf(batch?.id),
    status: String(status),
    ended: ENDED.has(String(status)),
    done: count(counts?.completed) + count(counts?.failed),
    total: count(counts?.total),
    createdAtMs: typeof created === 'number' && created > 0 ? created * 1000 : null,
    files: [batch?.output_file_id, batch?.error_file_id].filter(
      (id): id is string => serverIdSchema.safeParse(id).success,
    ),
    errors: errors.map((error) => ({
      code: String(error?.code ?? ''),
      message: quoteServer(String(error?.message ?? 'no explanation')),
    })),
  };
}

/** What a person reads when batches cannot go on. */
export function batchError(error: unknown, signal: AbortSignal, story: ServerStory): UserError {
  if (isUserError(error)) return error;
  if (faultOf(error).code === 'notFound')
    return new UserError(
      'serverRefused',
      `${story.server} takes no batches: it does not know their addresses (/files, /batches).`,
      'Leave --execution batch out, or choose a server that has the Batch API.',
      { cause: error },
    );
  const { code, message, hint } = openError(error, signal, story);
  return new UserError(
    code,
    message,
    `${hint} Batches that were handed over go on: evenkeel resume takes them up.`,
    {
      cause: error,
    },
  );
}
