import OpenAI from 'openai';
import { guardedFetch, type Fetch } from '../guardedFetch';
import { openError } from '../openError';
import { asText } from '../replies';
import { serverAddresses } from '../serverAddress';
import { SERVER_LIMITS } from '../serverLimits';
import { faultOf, malformed } from '../serverFault';

/** What it takes to speak to one OpenAI-compatible server. */
export interface OpenAiServer {
  /** With its path, e.g. `http://127.0.0.1:8000/v1`. */
  address: string;
  /** Null for keyless servers. Sent to the origin of `address` only. */
  apiKey: string | null;
  /** The person allows it over plain http to another machine. */
  keyOverHttp?: boolean;
  fetch: Fetch;
  nowMs: () => number;
}

/** A client of the `openai` package for one request: its retries, logs and environment variables are off. */
export function openAiClient(
  { address, apiKey, keyOverHttp, fetch, nowMs }: OpenAiServer,
  signal: AbortSignal,
  { longestFileBytes }: { longestFileBytes?: number } = {},
): OpenAI {
  return new OpenAI({
    baseURL: address,
    // The package insists on a key, and quotes one that is no valid header in its errors: it never sees the real one.
    apiKey: 'set by guardedFetch',
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    timeout: 2 ** 31 - 1,
    fetch: guardedFetch({
      ...{ fetch, origin: new URL(address).origin, apiKey, keyOverHttp, signal, nowMs },
      ...(longestFileBytes === undefined ? {} : { longestFileBytes }),
    }),
  });
}

/**
 * Base URLs to try. `localhost` and 127.0.0.1 are two origins: with a key only the one that the person named.
 */
const openAiAddresses = (baseUrl: string, apiKey: string | null): readonly string[] => {
  const addresses = serverAddresses(baseUrl);
  return apiKey === null ? addresses : addresses.slice(0, 1);
};

interface ListedModel {
  name: string;
  /** `vllm`, `llamacpp`, `openai`, …: the kind of server, where it says so. */
  ownedBy: string | null;
}

/** The first address that answers, and its models. Throws what the request threw. */
export async function findOpenAi(options: {
  baseUrl: string;
  apiKey: string | null;
  /** The person allows it over plain http to another machine. */
  keyOverHttp?: boolean;
  fetch: Fetch;
  nowMs: () => number;
  signal: AbortSignal;
  probeMs: number;
}): Promise<{ server: OpenAiServer; models: ListedModel[] }> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.probeMs)]);
  let last: unknown;
  for (const address of openAiAddresses(options.baseUrl, options.apiKey)) {
    const { apiKey, keyOverHttp, fetch, nowMs } = options;
    const server = { address, apiKey, keyOverHttp, fetch, nowMs };
    try {
      const { data } = await openAiClient(server, signal).models.list();
      // `data` is null where there are no models, and anything at all where the server is not what we think.
      if (data !== null && !Array.isArray(data))
        throw malformed('noModels', 'Its list of models is not one that an OpenAI-compatible server sends.');
      const models = (data ?? []).filter(({ id }) => typeof id === 'string');
      return { server, models: models.map(({ id, owned_by }) => ({ name: id, ownedBy: asText(owned_by) })) };
    } catch (error) {
      last = error;
      if (faultOf(error).code !== 'unreachable') break;
    }
  }
  throw last;
}

export const openAiStory = (name: string, baseUrl: string, apiKey: string | null, keyHint?: string) => ({
  server: name,
  tried: openAiAddresses(baseUrl, apiKey),
  startHint: 'Start the server, or correct its address (it usually ends in /v1).',
  keyHint: keyHint ?? 'Set OPENAI_API_KEY, or run `Evenkeel: Set or Clear API Key` in the editor.',
  hasKey: apiKey !== null,
});

/** Names of the models that the server lists. Throws UserError (serverUnreachable, keyMissing, serverRefused, …). */
export async function listOpenAiModels(options: {
  baseUrl: string;
  apiKey: string | null;
  keyOverHttp?: boolean;
  signal: AbortSignal;
  fetch?: Fetch;
  keyHint?: string;
}): Promise<{ name: string }[]> {
  const { baseUrl, apiKey, keyOverHttp, signal, keyHint } = options;
  const fetch: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  try {
    const found = await findOpenAi({
      baseUrl,
      apiKey,
      keyOverHttp,
      fetch,
      signal,
      nowMs: Date.now,
      probeMs: SERVER_LIMITS.probeMs,
    });
    return found.models.map(({ name }) => ({ name }));
  } catch (error) {
    throw openError(error, signal, openAiStory('The server', baseUrl, apiKey, keyHint));
  }
}
