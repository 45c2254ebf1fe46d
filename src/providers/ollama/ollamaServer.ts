import { Ollama } from 'ollama';
import { UserError } from '../../contracts/userError';
import { endless, guardedFetch, LONGEST_LINE_BYTES, type Fetch } from '../guardedFetch';
import { openError } from '../openError';
import { asCount, asText } from '../replies';
import { serverAddresses } from '../serverAddress';
import { ServerFault, fault, faultOf, malformed, quoteServer, readServerError } from '../serverFault';
import { SERVER_LIMITS } from '../serverLimits';

/**
 * Lets only whole JSON lines through and demands a last one with `done`. The `ollama` package prints lines that it
 * cannot parse to the console and goes on: replies would be lost silently and appear in logs.
 */
function wholeLines(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  let done = false;
  const check = (line: string): string => {
    const value = JSON.parse(line) as { done?: unknown; error?: unknown };
    if (value.error !== undefined)
      throw new ServerFault(
        fault(
          'unavailable',
          'serverError',
          `The server failed: ${quoteServer(readServerError(value).message)}`,
          { retry: true },
        ),
      );
    done ||= value.done === true;
    return `${line}\n`;
  };
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > LONGEST_LINE_BYTES) throw endless();
      for (const line of lines) if (line.trim() !== '') controller.enqueue(encoder.encode(check(line)));
    },
    flush(controller) {
      const last = rest + decoder.decode();
      if (last.trim() !== '') controller.enqueue(encoder.encode(check(last)));
      if (!done) throw malformed('cutReply', 'The reply ended before it was complete.');
    },
  });
}

/** A client of the `ollama` package for one request. `address` comes from serverAddresses. */
export function ollamaClient(options: {
  address: string;
  fetch: Fetch;
  signal: AbortSignal;
  nowMs: () => number;
}): Ollama {
  const guarded = guardedFetch({ ...options, origin: new URL(options.address).origin, apiKey: null });
  return new Ollama({
    host: options.address,
    fetch: async (input, init) => {
      const response = await guarded(input, init);
      const streams = String(input).endsWith('/api/chat');
      if (!streams || !response.body) return response;
      return new Response(response.body.pipeThrough(wholeLines()), { headers: response.headers });
    },
  });
}

interface OllamaServer {
  /** The address that answered. */
  address: string;
  version: string;
}

const START_HINT =
  'Start it with `ollama serve` (or the Ollama app), or set the address of the machine where it runs.';

const storyOf = (tried: readonly string[]) => ({
  server: 'Ollama',
  tried,
  startHint: START_HINT,
  keyHint: 'Evenkeel sends no key to Ollama: use an OpenAI-compatible endpoint for servers that want one.',
  hasKey: false,
});

/** Asks the server something small; every failure becomes a UserError with what was tried and the next step. */
export async function askOllama<T>(
  server: {
    address: string;
    fetch: Fetch;
    signal: AbortSignal;
    nowMs: () => number;
    probeMs: number;
    tried?: readonly string[];
  },
  ask: (client: Ollama) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.any([server.signal, AbortSignal.timeout(server.probeMs)]);
  try {
    return await ask(ollamaClient({ ...server, signal }));
  } catch (error) {
    throw openError(error, server.signal, storyOf(server.tried ?? [server.address]));
  }
}

/** The first of the addresses of `baseUrl` that answers, with its version. Throws UserError serverUnreachable. */
export async function findOllama(options: {
  baseUrl: string;
  fetch: Fetch;
  signal: AbortSignal;
  nowMs: () => number;
  probeMs: number;
}): Promise<OllamaServer> {
  const addresses = serverAddresses(options.baseUrl);
  let last: unknown;
  for (const address of addresses) {
    try {
      const { version } = await askOllama({ ...options, address, tried: addresses }, (client) =>
        client.version(),
      );
      if (typeof version !== 'string')
        throw new UserError(
          'malformedReply',
          `What answers at ${address} is not Ollama.`,
          'Check the address; servers with an OpenAI-compatible API are endpoints of their own.',
        );
      return { address, version };
    } catch (error) {
      last = error;
      if (faultOf(error).code !== 'unreachable') break;
    }
  }
  throw last;
}

interface OllamaListing {
  name: string;
  sizeBytes: number;
  digest: string | null;
  quantization: string | null;
}

/** Models on the server, as it lists them. Throws UserError (serverUnreachable, timeout, malformedReply). */
export async function listOllamaModels(options: {
  baseUrl: string;
  signal: AbortSignal;
  fetch?: Fetch;
}): Promise<OllamaListing[]> {
  const { probeMs } = SERVER_LIMITS;
  const reach = { fetch: globalThis.fetch, nowMs: Date.now, probeMs, ...options };
  const { address } = await findOllama(reach);
  return listAt({ ...reach, address });
}

export async function listAt(server: Parameters<typeof askOllama>[0]): Promise<OllamaListing[]> {
  const { models } = await askOllama(server, (client) => client.list());
  const listed = Array.isArray(models) ? models : [];
  return listed.flatMap(({ name, size, digest, details }) =>
    typeof name === 'string'
      ? {
          name,
          sizeBytes: asCount(size) ?? 0,
          digest: asText(digest),
          quantization: asText(details?.quantization_level) || null,
        }
      : [],
  );
}
