import type { ModelIdentity } from '../contracts/runRecord';
import type { Model, Reply, SampleCache, SampleRequest } from './ports';

/** Raised when the meaning of a key changes, so that entries of older versions are never taken for new ones. */
const KEY_VERSION = 1;
/** A name without a digest may mean another model tomorrow: what it answered counts for a day. */
const UNDIGESTED_MS = 24 * 3_600_000;

const isAnswer = ({ outcome }: Reply): boolean =>
  outcome === 'ok' ||
  outcome === 'refused' ||
  outcome === 'empty' ||
  outcome === 'thinkingOnly' ||
  outcome === 'truncated';

export interface CacheDeps {
  cache: SampleCache;
  /** SHA-256, hexadecimal. */
  hash: (text: string) => string;
  /** Of Evenkeel: another one may bring another runtime. */
  version: string;
  nowMs: () => number;
  /** Called when the model was closed: nothing more is kept through it. */
  onClosed?: () => void;
}

/**
 * `model`, with answers of earlier runs taken from the cache, and new ones kept there before they are handed on. An answer
 * is found again only under everything that could change it: provider, address, resolved model and digest, all options,
 * messages, seed, how often this very request was made before (repeats are never folded into one), and in process the
 * runtime and the number of answers made side by side. Failures of a server are never kept. No key or header is part of it.
 * A batch of which one answer is missing is asked whole, as its answers depend on its size.
 */
export function cachedModel(model: Model, deps: CacheDeps): Model {
  const { cache } = deps;
  let identity: ModelIdentity | null = null;
  let opened = false;
  let warned = false;
  const counted = countRepeats();

  const openNow = async (signal: AbortSignal): Promise<ModelIdentity> => {
    identity = await model.open(signal);
    if (!opened) await cache.putIdentity(identityKey(model.id, deps), identity);
    opened = true;
    return identity;
  };
  const open = async (signal: AbortSignal): Promise<ModelIdentity> => {
    // Weights that are known without loading them tell what they are from the last time that they were loaded.
    if (opened || model.weights === undefined) return openNow(signal);
    identity ??= await cache.getIdentity(identityKey(model.id, deps));
    if (identity?.digest === model.weights) return identity;
    return openNow(signal);
  };

  /** Hands on what is kept; what is left of the request, with the writes that it will begin, or null where nothing is. */
  const unkept = async (
    request: SampleRequest,
    signal: AbortSignal,
  ): Promise<{ request: SampleRequest; writes: Promise<void>[] } | null> => {
    const { seeds } = request;
    const who = identity ?? (await open(signal));
    const keys = seeds.map((seed) => counted(answerKey(who, request, seed, deps)));
    const kept = signal.aborted ? seeds.map(() => null) : await keptAnswers(keys, who, deps);
    const missing = kept.flatMap((reply, i) => (reply === null ? [i] : []));
    const whole = who.provider === 'local' && missing.length > 0;
    if (!whole) kept.forEach((reply, i) => reply && request.onReply(reply, i));
    if (missing.length === 0) return null;

    const asking = whole ? [...seeds.keys()] : missing;
    const writes: Promise<void>[] = [];
    const onReply = (reply: Reply, at: number) => {
      const i = asking[at]!;
      if (!isAnswer(reply)) return request.onReply(reply, i);
      const write = cache.put(keys[i]!, reply, model.id).then((why) => {
        if (why !== null && !warned) request.onWarning?.(why);
        warned ||= why !== null;
        request.onReply(reply, i);
      });
      writes.push(write);
    };
    return { request: { ...request, seeds: asking.map((i) => seeds[i]!), onReply }, writes };
  };

  return {
    id: model.id,
    // Some models know it only once they are open.
    get batch() {
      return model.batch;
    },
    get concurrency() {
      return model.concurrency;
    },
    ...(model.weights === undefined ? {} : { weights: model.weights }),
    open,
    // Answers that are kept come from what is known; a model that was opened is asked.
    ...(model.identityNow === undefined
      ? {}
      : { identityNow: (signal: AbortSignal) => model.identityNow!(signal) }),
    ...(model.expectLongest === undefined
      ? {}
      : {
          expectLongest: (request: Pick<SampleRequest, 'messages' | 'options'>) =>
            model.expectLongest!(request),
        }),
    countTokens: (messages, signal) => model.countTokens(messages, signal),
    close: () => model.close().finally(deps.onClosed),

    async sample(request) {
      const asked = await unkept(request, request.signal);
      if (asked === null) return;
      await model.sample(asked.request);
      await Promise.all(asked.writes);
    },

    ...(model.sampleBatch === undefined
      ? {}
      : {
          async sampleBatch(requests, work) {
            const asked = [];
            for (const request of requests) {
              const one = await unkept(request, work.signal);
              if (one !== null) asked.push(one);
            }
            if (asked.length === 0) return;
            await model.sampleBatch!(
              asked.map(({ request }) => request),
              work,
            );
            for (const { writes } of asked) await Promise.all(writes);
          },
        }),
  };
}

/** How many answers of these requests earlier runs have kept. `batch`: how many answers the model makes side by side. */
export type KeptOf = (
  modelId: string,
  requestsFor: (batch: number) => Pick<SampleRequest, 'messages' | 'options' | 'seeds'>[],
) => Promise<number>;

/** How many of these requests the cache would answer, for a plan. `who`: what the model was when it was last opened. */
export async function countKept(
  who: ModelIdentity,
  requests: Pick<SampleRequest, 'messages' | 'options' | 'seeds'>[],
  deps: CacheDeps,
): Promise<number> {
  const counted = countRepeats();
  let kept = 0;
  for (const request of requests) {
    const keys = request.seeds.map((seed) => counted(answerKey(who, request, seed, deps)));
    const found = (await keptAnswers(keys, who, deps)).filter((reply) => reply !== null).length;
    kept += who.provider === 'local' && found < keys.length ? 0 : found;
  }
  return kept;
}

/** Where the identity of a model is remembered. */
export const identityKey = (
  modelId: string,
  { hash, version }: Pick<CacheDeps, 'hash' | 'version'>,
): string => hash(JSON.stringify(['identity', KEY_VERSION, version, modelId]));

function keptAnswers(
  keys: string[],
  who: ModelIdentity,
  { cache, nowMs }: CacheDeps,
): Promise<(Reply | null)[]> {
  return Promise.all(
    keys.map(async (key) => {
      const reply = await cache.get(key);
      if (reply === null) return null;
      const tooOld = who.digest === null && nowMs() - reply.startedAtMs > UNDIGESTED_MS;
      return tooOld ? null : { ...reply, cached: true };
    }),
  );
}

function answerKey(
  { provider, baseUrl, resolved, digest, runtime }: ModelIdentity,
  request: Pick<SampleRequest, 'messages' | 'options' | 'seeds'>,
  seed: number,
  { hash, version }: Pick<CacheDeps, 'hash' | 'version'>,
): string {
  // In process the same bits also take the same code.
  const local = provider === 'local' ? { runtime, version, sideBySide: request.seeds.length } : null;
  // By name, so that the order in which they were written does not matter; what is not set is left out.
  const options = Object.entries(request.options)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const messages = request.messages.map(({ role, content }) => [role, content]);
  return hash(
    JSON.stringify([KEY_VERSION, { provider, baseUrl, resolved, digest, ...local }, options, messages, seed]),
  );
}

/** The first of equal requests is number 0, the next number 1: two answers to one request stay two. */
function countRepeats(): (key: string) => string {
  const seen = new Map<string, number>();
  return (key) => {
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return `${key}#${before}`;
  };
}
