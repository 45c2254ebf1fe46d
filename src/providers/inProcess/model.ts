/** The `Model` port over a child process that runs llama.cpp. */
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { ModelIdentity } from '../../contracts/runRecord';
import { UserError, isUserError } from '../../contracts/userError';
import type { Clock, Message, Model, Reply, SampleRequest } from '../../engine/ports';
import { ChildGone, startChild, type ChildHandle } from './childHandle';
import type { OpenResult, RawReply } from './childProtocol';
import { checkRequest } from './checkRequest';
import { outcomeOf, STOPPED } from './replyOutcome';

export interface InProcessModelOptions {
  /** `local:qwen2.5-coder-0.5b`, or `local:` and a path. */
  id: string;
  modelPath: string;
  /** SHA-256 of the weights, hexadecimal. */
  digest: string | null;
  /** The built child, dist/inProcessChild.cjs. */
  childPath: string;
  env?: NodeJS.ProcessEnv;
  clock: Clock;
  /** Default: as many as other processes leave free. */
  threads?: number;
  /** Sequences decoded in lockstep at most; also `batch`. */
  parallel?: number;
  /** The child ends after this time without work and is started again when needed. */
  idleUnloadMs?: number;
  /** How long an aborted child may take to stop before it is killed. */
  abortGraceMs?: number;
}

/** Sequences decoded in lockstep, unless said otherwise. */
export const SIDE_BY_SIDE = 20;

/** Crashes in a row after which the model is given up. */
const MAX_CRASHES = 3;

const cancelledError = () =>
  new UserError('cancelled', 'Cancelled before the model was ready.', 'Run again when you like.');

/**
 * One child, started at first use, one request at a time. A sample() call evaluates its prompt once and decodes
 * its seeds in lockstep (up to `parallel` side by side), reusing what the prompt shares with the one before.
 * Equal seeds, options and prompt give equal replies whatever ran before (same weights, machine and number of seeds).
 */
export function createInProcessModel({
  id,
  modelPath,
  digest,
  childPath,
  env,
  clock,
  threads,
  parallel = SIDE_BY_SIDE,
  idleUnloadMs = 5 * 60_000,
  abortGraceMs = 5_000,
}: InProcessModelOptions): Model {
  let current: { child: ChildHandle; identity: ModelIdentity } | null = null;
  let starting: ChildHandle | null = null;
  let crashes = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  /** Requests take turns, because the child's context is shared. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(idleTimer);
    const result = queue.then(work, work).finally(() => {
      clearTimeout(idleTimer);
      idleTimer = setTimeout(() => void unload(), idleUnloadMs).unref();
    });
    queue = result.catch(() => undefined);
    return result;
  }

  async function unload(): Promise<void> {
    clearTimeout(idleTimer);
    const children = [starting, current?.child];
    current = null;
    await Promise.all(children.map((child) => child?.kill()));
  }

  function crashed(gone: ChildGone): UserError {
    crashes++;
    const detail = gone.stderrTail === '' ? '' : ` It said: ${excerpt(gone.stderrTail)}`;
    return new UserError(
      'modelCrashed',
      `The in-process model stopped by itself (${gone.message}).${detail}`,
      'Free memory and run again, or choose another model.',
      { cause: gone },
    );
  }

  async function ensureOpen(signal: AbortSignal): Promise<{ child: ChildHandle; identity: ModelIdentity }> {
    if (signal.aborted) throw cancelledError();
    if (current?.child.alive()) return current;
    if (crashes >= MAX_CRASHES) {
      throw new UserError(
        'modelCrashed',
        `The in-process model stopped by itself ${crashes} times in a row and is not started again.`,
        'Run `evenkeel doctor`, or choose another model.',
      );
    }
    const child = startChild(childPath, env);
    starting = child;
    const onAbort = () => void child.kill();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const params = { modelPath, stateDir: child.stateDir, parallel, threads: threads ?? null };
      const result = (await child.request({ type: 'open', params })) as OpenResult;
      current = { child, identity: identityOf(result) };
      return current;
    } catch (error) {
      await child.kill();
      if (signal.aborted) throw cancelledError();
      if (error instanceof ChildGone) throw crashed(error);
      throw withCause(error, child.stderrTail());
    } finally {
      starting = null;
      signal.removeEventListener('abort', onAbort);
    }
  }

  function identityOf(result: OpenResult): ModelIdentity {
    return {
      id,
      provider: 'local',
      resolved: path.basename(modelPath),
      digest,
      baseUrl: null,
      parameterSize: result.parameterSize,
      quantization: result.quantization,
      contextLength: result.contextLength,
      runtime: result.runtime,
    };
  }

  async function sampleNow(request: SampleRequest): Promise<void> {
    const { signal, seeds } = request;
    const startedAtMs = clock.nowMs();
    const missing = new Set(seeds.keys());
    const deliver = (index: number, raw: RawReply | null, rest: Partial<Reply>) => {
      missing.delete(index);
      request.onReply(
        {
          seed: seeds[index]!,
          outcome: 'unavailable',
          text: '',
          finishReason: null,
          promptTokens: raw?.promptTokens ?? null,
          completionTokens: raw?.completionTokens ?? null,
          latencyMs: Math.max(0, clock.nowMs() - startedAtMs),
          startedAtMs,
          firstToken: raw?.firstToken,
          ...rest,
        },
        index,
      );
    };
    const deliverMissing = (rest: Partial<Reply>) => {
      for (const index of [...missing]) deliver(index, null, rest);
    };

    let child: ChildHandle;
    try {
      child = (await ensureOpen(signal)).child;
    } catch (error) {
      if (!signal.aborted) throw error;
      deliverMissing({ outcome: 'cancelled', error: STOPPED });
      return;
    }
    let requestId = -1;
    let killTimer: NodeJS.Timeout | undefined;
    const onAbort = () => {
      child.abort(requestId);
      killTimer = setTimeout(() => void child.kill(), abortGraceMs);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await child.request(
        { type: 'sample', params: { messages: request.messages, options: request.options, seeds } },
        (raw) =>
          deliver(raw.index, raw, {
            ...outcomeOf(raw.text, raw.finishReason),
            finishReason: raw.finishReason,
          }),
        (newId) => {
          requestId = newId;
        },
      );
      crashes = 0;
      deliverMissing({ outcome: 'cancelled', error: STOPPED });
    } catch (error) {
      if (!(error instanceof ChildGone)) throw error;
      if (signal.aborted || current?.child !== child) {
        deliverMissing({ outcome: 'cancelled', error: STOPPED });
        return;
      }
      const { code, message } = crashed(error);
      deliverMissing({ outcome: 'unavailable', error: { code, message } });
    } finally {
      clearTimeout(killTimer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    id,
    ...(digest === null ? {} : { weights: digest }),
    batch: parallel,
    concurrency: 1,
    open: (signal) => inTurn(async () => (await ensureOpen(signal)).identity),
    countTokens: (messages: Message[], signal) =>
      inTurn(async () => {
        const { child } = await ensureOpen(signal);
        return child.request({ type: 'count', params: { messages } }).catch((error: unknown) => {
          throw error instanceof ChildGone ? crashed(error) : error;
        }) as Promise<number>;
      }),
    sample: async (request) => {
      checkRequest(request);
      if (request.seeds.length > 0) await inTurn(() => sampleNow(request));
    },
    close: async () => {
      await unload();
      await queue;
      clearTimeout(idleTimer);
      crashes = 0;
    },
  };
}

/** The beginning: what follows is mostly a native stack trace. */
const excerpt = (stderr: string) => stripVTControlCharacters(stderr).slice(0, 500);

/** The library tells why its native part did not load only on stderr. */
function withCause(error: unknown, stderrTail: string): unknown {
  if (!isUserError(error) || error.code !== 'nativePartMissing' || stderrTail === '') return error;
  return new UserError(error.code, `${error.message} ${excerpt(stderrTail)}`, error.hint, { cause: error });
}
