import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ModelIdentity } from '../../contracts/runRecord';
import { UserError } from '../../contracts/userError';
import type { Clock, Model, SampleRequest } from '../../engine/ports';
import type { Fetch } from '../guardedFetch';
import { nearestNames } from '../../contracts/nearestNames';
import { openError } from '../openError';
import { refuseCutPrompt } from '../replies';
import { faultOf, type Fault } from '../serverFault';
import { SERVER_LIMITS, createSeedSampler, type Ask, type ServerLimits } from '../seedSampler';
import { findOpenAi, openAiClient, openAiStory, type OpenAiServer } from './openAiServer';
import { readCompletion } from './readCompletion';

const MOST_ALTERNATIVES = 20;

/** Options that a server may refuse and a reply can do without. */
const OPTIONAL = [
  'temperature',
  'top_p',
  'seed',
  'stop',
  'logprobs',
  'top_logprobs',
  'response_format',
  'stream_options',
  'top_k',
  'min_p',
  'repetition_penalty',
];
const NOT_TAKEN =
  /unsupported|not (?:yet )?support|unrecognized|unknown|extra (?:inputs|fields)|not permitted|not allowed|not accept|deprecated|only the default/i;

/** The request field that the server does not take, if that is what it says. */
function blamedOption({ status, serverCode, param, message }: Fault): string | null {
  if (status !== 400 && status !== 422) return null;
  if (!/unsupported|unknown_parameter/.test(serverCode ?? '') && !NOT_TAKEN.test(message)) return null;
  const names = ['max_tokens', ...OPTIONAL];
  if (param !== null && names.includes(param)) return param;
  return names.find((name) => new RegExp(`\\b${name}\\b`).test(message)) ?? null;
}

/** Local servers take their own sampling defaults for what is not said, which would bend the distribution under test. */
function pureSampling(ownedBy: string | null): Record<string, number> {
  if (ownedBy === 'vllm') return { top_k: -1, min_p: 0, repetition_penalty: 1 };
  if (ownedBy === 'llamacpp') return { top_k: 0, min_p: 0 };
  return {};
}

/**
 * A model of any server that speaks OpenAI's chat completions. What the server says it ran (`resolved`, `digest`) is
 * known after the first reply. One request per sample: `n` is ignored by many servers.
 */
export function createOpenAiModel(deps: {
  /** What the person picked: `openai:gpt-…` or `<endpoint name>:<model>`. */
  id: string;
  /** The server's name for it. */
  model: string;
  baseUrl: string;
  /** Null for keyless servers. */
  apiKey: string | null;
  clock: Clock;
  fetch?: Fetch;
  /** Where a person gives the key of this endpoint, as a sentence. */
  keyHint?: string;
  concurrency?: number;
  limits?: Partial<ServerLimits>;
}): Model {
  const { id, model, baseUrl, apiKey, clock } = deps;
  const limits = { ...SERVER_LIMITS, ...deps.limits };
  const concurrency = deps.concurrency ?? 4;
  const fetch: Fetch = deps.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const sampler = createSeedSampler({ clock, concurrency, limits });
  const story = openAiStory(
    `The endpoint ${id.slice(0, Math.max(0, id.indexOf(':'))) || id}`,
    baseUrl,
    apiKey,
    deps.keyHint,
  );
  /** Options that this server was seen to refuse. */
  const dropped = new Set<string>();
  let opened: { server: OpenAiServer; identity: ModelIdentity; extra: Record<string, number> } | null = null;
  let heardFromServer = false;

  async function open(signal: AbortSignal) {
    if (opened) return opened;
    let server: OpenAiServer = { address: story.tried[0]!, apiKey, fetch, nowMs: () => clock.nowMs() };
    let ownedBy: string | null = null;
    try {
      const found = await findOpenAi({ ...server, baseUrl, signal, probeMs: limits.probeMs });
      ({ server } = found);
      const names = found.models.map(({ name }) => name);
      const listed = found.models.find(({ name }) => name === model || name === `${model}:latest`);
      ownedBy = listed?.ownedBy ?? null;
      // Gateways list patterns (`openai/*`) and some servers nothing: then only the first request can tell.
      if (!listed && names.length > 0 && !names.some((name) => name.includes('*')))
        throw new UserError(
          'unknownModel',
          `${story.server} has no model ${model}. Nearest: ${nearestNames(model, names).join(', ')}.`,
          'Choose one that `evenkeel models` lists.',
        );
    } catch (error) {
      // Some servers have no list of models. Without a path the address itself is the likelier mistake.
      const noList =
        ['notFound', 'badRequest'].includes(faultOf(error).code) && new URL(server.address).pathname !== '/';
      if (signal.aborted || !noList) throw openError(error, signal, story);
    }
    opened = {
      server,
      extra: pureSampling(ownedBy),
      identity: {
        id,
        provider: 'openai',
        resolved: model,
        digest: null,
        baseUrl: server.address,
        parameterSize: null,
        quantization: null,
        contextLength: null,
        runtime: ownedBy === null ? null : ownedBy,
      },
    };
    return opened;
  }

  function paramsFor({ messages, options }: SampleRequest, seed: number, extra: Record<string, number>) {
    const alternatives = Math.min(MOST_ALTERNATIVES, options.firstTokenTop ?? 0);
    const limitName = dropped.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens';
    const params: Record<string, unknown> = {
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
      [limitName]: options.maxTokens,
      temperature: options.temperature,
      top_p: options.topP,
      seed,
      ...extra,
      ...(options.stop ? { stop: options.stop } : {}),
      ...(alternatives > 0 ? { logprobs: true, top_logprobs: alternatives } : {}),
      ...(options.schema
        ? { response_format: { type: 'json_schema', json_schema: { name: 'reply', schema: options.schema } } }
        : {}),
    };
    const kept = Object.entries(params).filter(([name]) => !dropped.has(name));
    return Object.fromEntries(kept) as unknown as ChatCompletionCreateParamsStreaming;
  }

  /** Notes a refused option; false when dropping it was tried before or nothing can be dropped. */
  function dropBlamed(
    fault: Fault,
    sentWithout: ReadonlySet<string>,
    onWarning?: (message: string) => void,
  ): boolean {
    const blamed = blamedOption(fault);
    if (blamed === null || sentWithout.has(blamed)) return false;
    if (dropped.has(blamed)) return true;
    const group = /logprobs$/.test(blamed) ? ['logprobs', 'top_logprobs'] : [blamed];
    for (const name of group) dropped.add(name);
    if (blamed !== 'max_tokens' && blamed !== 'stream_options')
      onWarning?.(
        `${model} does not take the option ${blamed}: it was left out, and the server's own default holds.`,
      );
    return true;
  }

  function noteServedBy(
    servedBy: { model: string | null; fingerprint: string | null },
    warn?: (message: string) => void,
  ) {
    if (!opened) return;
    const { identity } = opened;
    const resolved = servedBy.model ?? identity.resolved;
    const digest = servedBy.fingerprint ?? identity.digest;
    if (heardFromServer && (resolved !== identity.resolved || digest !== identity.digest))
      warn?.(
        `The server changed in mid-run: ${identity.resolved} (${identity.digest ?? 'no fingerprint'}) became ${resolved} (${digest ?? 'no fingerprint'}).`,
      );
    heardFromServer = true;
    opened.identity = { ...identity, resolved, digest };
  }

  function askWith(server: OpenAiServer, extra: Record<string, number>, request: SampleRequest): Ask {
    return async ({ seed, draft, signal, heard }) => {
      for (;;) {
        const sentWithout = new Set(dropped);
        const client = openAiClient(server, signal);
        let response: Response;
        try {
          response = await client.chat.completions
            .create(paramsFor(request, seed, extra), { signal })
            .asResponse();
        } catch (error) {
          const fault = faultOf(error, [apiKey]);
          if (
            fault.serverCode === 'context_length_exceeded' ||
            /maximum context length|exceeds? the context/i.test(fault.message)
          )
            throw new UserError(
              'promptTooLong',
              `The prompt does not fit into what ${model} reads. ${fault.message}`,
              'Shorten the prompt, or choose a model with a longer context.',
              { cause: error },
            );
          if (dropBlamed(fault, sentWithout, request.onWarning)) continue;
          throw error;
        }
        noteServedBy(await readCompletion(response, client, draft, heard), request.onWarning);
        refuseCutPrompt(request.messages, draft);
        return;
      }
    };
  }

  return {
    id,
    batch: 1,
    concurrency,
    open: async (signal) => (await open(signal)).identity,
    // The protocol has no tokenizer.
    countTokens: () => Promise.resolve(null),
    sample: (request) =>
      sampler.sample(request, async () => {
        const { server, extra } = await open(request.signal);
        return askWith(server, extra, request);
      }),
    close: () => Promise.resolve(),
  };
}
