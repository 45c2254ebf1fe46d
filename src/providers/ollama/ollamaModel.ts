import type { ChatRequest } from 'ollama';
import type { ModelIdentity } from '../../contracts/runRecord';
import { UserError } from '../../contracts/userError';
import type { Clock, Message, Model, SampleRequest } from '../../engine/ports';
import type { Fetch } from '../guardedFetch';
import { nearestNames } from '../../contracts/nearestNames';
import {
  asCount,
  asText,
  emptyDraft,
  refuseCutPrompt,
  refuseEndless,
  tokenProbabilities,
  type Draft,
} from '../replies';
import { ServerFault, faultOf, type Fault } from '../serverFault';
import type { Ask } from '../askOnce';
import { createSeedSampler } from '../seedSampler';
import { SERVER_LIMITS, type ServerLimits } from '../serverLimits';
import { askOllama, findOllama, listAt, ollamaClient } from './ollamaServer';

/** Fields of /api/chat that the package's types lack. */
type FullChatRequest = ChatRequest & {
  stream: true;
  /** false: a prompt that does not fit is refused (400) instead of losing its beginning. */
  truncate: false;
  /** false: a full context ends the reply (`length`) instead of dropping the prompt in mid-answer. */
  shift: false;
};

/** Smallest context asked for; growing it reloads the model, so it starts where most prompts fit. */
const SMALLEST_CONTEXT = 4096;
/** For models that do not say what they read. */
const ASSUMED_CONTEXT = 32_768;
const MOST_ALTERNATIVES = 20;

/** Rarely too low: 3 bytes a token, and the template's own tokens. */
function estimateTokens(messages: readonly Message[]): number {
  const bytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  return Math.ceil(bytes / 3) + 16 * messages.length + 64;
}

const isOverflow = ({ status, message }: Fault): boolean =>
  status === 400 && /exceeds? the (available )?context|context length/i.test(message);

interface OpenServer {
  address: string;
  identity: ModelIdentity;
  thinks: boolean;
}

/**
 * A model of an Ollama server, over its native API (its OpenAI-compatible one ignores num_ctx and think).
 * Thinking is switched off where the model lets one, unless `think` is true: it would use up the answer window.
 * Repeats a seed exactly only while the server runs one request at a time (OLLAMA_NUM_PARALLEL=1).
 */
export function createOllamaModel(deps: {
  /** What the person picked: `ollama:gemma3:270m`. */
  id: string;
  /** The server's name for it: `gemma3:270m`. */
  model: string;
  baseUrl: string;
  clock: Clock;
  fetch?: Fetch;
  think?: boolean;
  /** Requests side by side at most; 1 unless the person knows that the server runs more (OLLAMA_NUM_PARALLEL). */
  concurrency?: number;
  limits?: Partial<ServerLimits>;
}): Model {
  const { id, clock } = deps;
  const limits = { ...SERVER_LIMITS, ...deps.limits };
  const concurrency = deps.concurrency ?? 1;
  const fetch: Fetch = deps.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const nowMs = () => clock.nowMs();
  const sampler = createSeedSampler({
    clock,
    concurrency,
    limits,
  });
  let opened: OpenServer | null = null;
  let contextTokens = 0;
  let expectedTokens = 0;

  async function open(signal: AbortSignal): Promise<OpenServer> {
    if (opened) return opened;
    const reach = { fetch, signal, nowMs, probeMs: limits.probeMs };
    const { address, version } = await findOllama({ ...reach, baseUrl: deps.baseUrl });
    const server = { ...reach, address };
    const listed = await listAt(server);
    const wanted = deps.model;
    const found = listed.find(({ name }) => name === wanted || name === `${wanted}:latest`);
    if (!found)
      throw unknownModel(
        wanted,
        listed.map(({ name }) => name),
      );
    const shown = await askOllama(server, (client) => client.show({ model: found.name }));
    const abilities: unknown[] = Array.isArray(shown.capabilities) ? shown.capabilities : [];
    if (abilities.length > 0 && !abilities.includes('completion'))
      throw new UserError(
        'unknownModel',
        `${found.name} makes embeddings only, it writes no text.`,
        'Choose another model.',
      );
    // A plain object at run time, whatever the package's type says.
    const facts = Object.entries((shown.model_info ?? {}) as unknown as Record<string, unknown>);
    const contextLength = facts.find(([key]) => key.endsWith('.context_length'))?.[1];
    opened = {
      address,
      thinks: abilities.includes('thinking'),
      identity: {
        id,
        provider: 'ollama',
        resolved: found.name,
        digest: found.digest,
        baseUrl: address,
        parameterSize: asText(shown.details?.parameter_size) || null,
        quantization: found.quantization,
        contextLength: asCount(contextLength) || null,
        runtime: `Ollama ${version}`,
      },
    };
    return opened;
  }

  function askWith(server: OpenServer, { messages, options }: SampleRequest): Ask {
    const longest = server.identity.contextLength ?? ASSUMED_CONTEXT;
    const needed = estimateTokens(messages) + options.maxTokens;
    const growTo = (tokens: number) => {
      contextTokens = Math.min(
        longest,
        Math.max(contextTokens, SMALLEST_CONTEXT, 2 ** Math.ceil(Math.log2(tokens))),
      );
    };
    const alternatives = Math.min(MOST_ALTERNATIVES, options.firstTokenTop ?? 0);
    const requestFor = (seed: number): FullChatRequest => ({
      model: server.identity.resolved,
      messages,
      stream: true,
      truncate: false,
      shift: false,
      keep_alive: '10m',
      ...(server.thinks ? { think: deps.think ?? false } : {}),
      ...(options.schema ? { format: options.schema } : {}),
      ...(alternatives > 0 ? { logprobs: true, top_logprobs: alternatives } : {}),
      options: {
        seed,
        num_ctx: contextTokens,
        num_predict: options.maxTokens,
        temperature: options.temperature,
        top_p: options.topP,
        ...(options.stop ? { stop: options.stop } : {}),
        // The server's defaults would bend the distribution that is under test.
        top_k: 0,
        repeat_penalty: 1,
        presence_penalty: 0,
        frequency_penalty: 0,
        min_p: 0,
      },
    });

    return async ({ seed, drafts: [draft], signal, heard }) => {
      growTo(Math.max(needed, expectedTokens));
      for (;;) {
        const askedContext = contextTokens;
        const full = await chat(server.address, requestFor(seed), draft, signal, heard);
        const cutByContext =
          full ||
          (draft.finishReason === 'length' && (draft.completionTokens ?? Infinity) < options.maxTokens);
        if (!cutByContext) break;
        if (askedContext >= longest) {
          if (!full) break;
          throw new UserError(
            'promptTooLong',
            `The prompt does not fit: ${server.identity.resolved} reads ${longest} tokens.`,
            'Shorten the prompt, or choose a model with a longer context.',
          );
        }
        growTo(askedContext * 2);
        Object.assign(draft, emptyDraft());
      }
      refuseCutPrompt(messages, draft);
    };
  }

  /** One request. Resolves with true when the server refused the prompt as longer than the context. */
  async function chat(
    address: string,
    request: FullChatRequest,
    draft: Draft,
    signal: AbortSignal,
    heard: () => void,
  ): Promise<boolean> {
    try {
      const stream = await ollamaClient({ address, fetch, signal, nowMs }).chat(request);
      for await (const part of stream) {
        heard();
        draft.text += asText(part.message?.content) ?? '';
        draft.thinking += asText(part.message?.thinking) ?? '';
        refuseEndless(draft);
        if (!draft.firstToken && !part.message?.thinking) {
          const firstToken = tokenProbabilities(part.logprobs?.[0]?.top_logprobs);
          if (firstToken) draft.firstToken = firstToken;
        }
        if (!part.done) continue;
        draft.finishReason = asText(part.done_reason);
        draft.promptTokens = asCount(part.prompt_eval_count);
        draft.completionTokens = asCount(part.eval_count);
      }
      return false;
    } catch (error) {
      const fault = faultOf(error);
      if (isOverflow(fault)) return true;
      throw new ServerFault(fault, { cause: error });
    }
  }

  return {
    id,
    batch: 1,
    concurrency,
    open: async (signal) => (await open(signal)).identity,
    // A pull in mid-run puts other weights behind the same name.
    async identityNow(signal) {
      const { identity, address } = await open(signal);
      const listed = await listAt({ fetch, signal, nowMs, probeMs: limits.probeMs, address });
      const found = listed.find(({ name }) => name === identity.resolved);
      return { ...identity, digest: found?.digest ?? identity.digest };
    },
    expectLongest({ messages, options }) {
      expectedTokens = Math.max(expectedTokens, estimateTokens(messages) + options.maxTokens);
    },
    // Ollama has no tokenizer endpoint.
    countTokens: () => Promise.resolve(null),
    sample: (request) =>
      sampler.sample(request, async () => ({ ask: askWith(await open(request.signal), request) })),
    // The server keeps the model for keep_alive: others may use it.
    close: () => Promise.resolve(),
  };
}

function unknownModel(wanted: string, known: string[]): UserError {
  const near = nearestNames(wanted, known);
  return new UserError(
    'unknownModel',
    known.length === 0
      ? 'Ollama has no models yet.'
      : `Ollama has no model ${wanted}. Nearest: ${near.join(', ')}.`,
    `Run \`ollama pull ${wanted}\`, or choose one that \`evenkeel models\` lists.`,
  );
}
