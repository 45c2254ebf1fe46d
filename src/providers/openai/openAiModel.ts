import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { ModelIdentity } from '../../contracts/runRecord';
import { UserError } from '../../contracts/userError';
import type { Clock, Model, SampleRequest } from '../../engine/ports';
import type { Fetch } from '../guardedFetch';
import { nearestNames } from '../../contracts/nearestNames';
import { openError } from '../openError';
import { refuseCutPrompt } from '../replies';
import { briefMemory, type ServerMemory } from '../serverMemory';
import { faultOf, type Fault } from '../serverFault';
import type { Ask } from '../askOnce';
import { createSeedSampler } from '../seedSampler';
import { SERVER_LIMITS, type ServerLimits } from '../serverLimits';
import { BATCH_POLLS, createBatchSampler, type BatchPolls } from './batchSampler';
import { batchError, createBatchServer } from './batchServer';
import { findOpenAi, openAiClient, openAiStory, type OpenAiServer } from './openAiServer';
import { readCompletion, readWhole } from './readCompletion';
import { givesSeveralAnswers, VARIED } from './severalAnswers';

const MOST_ALTERNATIVES = 20;
/** Side by side where nobody says otherwise. */
const MOST_REQUESTS = 16;

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
  'n',
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
 * known after the first reply. One request per answer, each with its own seed, unless `answersPerRequest` says otherwise
 * and the server was seen to take it.
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
  /** The person allows the key to go over plain http to another machine. */
  keyOverHttp?: boolean;
  /** Requests side by side at most; how many suit the server is measured. */
  concurrency?: number;
  /** Answers that one request asks for (`n`), where the server is seen to give them. Their seeds are not their own then. */
  answersPerRequest?: number;
  memory?: ServerMemory;
  limits?: Partial<ServerLimits>;
  /** How often a batch is looked at. */
  polls?: BatchPolls;
}): Model {
  const { id, model, baseUrl, apiKey, clock, keyOverHttp = false } = deps;
  // Where a person limits the wait for the first token, that holds from the first request on.
  const loadMs = deps.limits?.firstTokenMs ?? SERVER_LIMITS.loadMs;
  const limits = { ...SERVER_LIMITS, loadMs, ...deps.limits };
  const concurrency = deps.concurrency ?? MOST_REQUESTS;
  const memory = deps.memory ?? briefMemory();
  const wanted = deps.answersPerRequest ?? 1;
  const fetch: Fetch = deps.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const sampler = createSeedSampler({
    clock,
    concurrency,
    limits,
  });
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
  let several: boolean | null = null;

  async function open(signal: AbortSignal) {
    if (opened) return opened;
    let server: OpenAiServer = {
      address: story.tried[0]!,
      apiKey,
      keyOverHttp,
      fetch,
      nowMs: () => clock.nowMs(),
    };
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
    const extra = pureSampling(ownedBy);
    const facts = await memory.recall();
    sampler.beginAt(facts.concurrency);
    several = facts.severalAnswers;
    opened = {
      server,
      extra,
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
    if (several === null && wanted > 1)
      several = await givesSeveralAnswers(askWith(server, extra, VARIED), signal);
    return opened;
  }

  function paramsFor(
    { messages, options }: Pick<SampleRequest, 'messages' | 'options'>,
    draw: { seed: number; answers: number },
    extra: Record<string, number>,
  ) {
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
      seed: draw.seed,
      ...(draw.answers > 1 ? { n: draw.answers } : {}),
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
    if (!['max_tokens', 'stream_options', 'n'].includes(blamed))
      onWarning?.(
        `${model} does not take the option ${blamed}: it was left out, and the server's own default holds.`,
      );
    return true;
  }

  function noteServedBy(
    servedBy: { model: string | null; fingerprint: string | null },
    changed?: (what: string) => void,
  ) {
    if (!opened) return;
    const { identity } = opened;
    const resolved = servedBy.model ?? identity.resolved;
    const digest = servedBy.fingerprint ?? identity.digest;
    if (heardFromServer && (resolved !== identity.resolved || digest !== identity.digest))
      changed?.(
        `The server changed in mid-run: ${identity.resolved} (${identity.digest ?? 'no fingerprint'}) became ${resolved} (${digest ?? 'no fingerprint'}).`,
      );
    heardFromServer = true;
    opened.identity = { ...identity, resolved, digest };
  }

  function askWith(
    server: OpenAiServer,
    extra: Record<string, number>,
    request: Pick<SampleRequest, 'messages' | 'options' | 'onWarning' | 'onModelChanged'>,
  ): Ask {
    return async ({ seed, drafts, signal, heard }) => {
      for (;;) {
        const sentWithout = new Set(dropped);
        const client = openAiClient(server, signal);
        let response: Response;
        try {
          response = await client.chat.completions
            .create(paramsFor(request, { seed, answers: drafts.length }, extra), { signal })
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
        noteServedBy(await readCompletion(response, client, drafts, heard), request.onModelChanged);
        refuseCutPrompt(request.messages, drafts[0]);
        return;
      }
    };
  }

  function batchSampler({ server, extra }: NonNullable<typeof opened>) {
    const sentWithout = new Map<SampleRequest, ReadonlySet<string>>();
    return createBatchSampler({
      server: createBatchServer({ server, limits }),
      address: server.address,
      polls: deps.polls ?? BATCH_POLLS,
      name: story.server,
      ...{ model, clock, apiKey },
      bodyOf: ({ request, seed }) => {
        sentWithout.set(request, new Set(dropped));
        const { stream: _, stream_options: __, ...body } = paramsFor(request, { seed, answers: 1 }, extra);
        return body;
      },
      read: (body, draft, { onModelChanged }) => noteServedBy(readWhole(body, [draft]), onModelChanged),
      giveWay: (fault, request) =>
        dropBlamed(fault, sentWithout.get(request) ?? new Set(), request.onWarning),
    });
  }

  return {
    id,
    get batch() {
      return several === true ? wanted : 1;
    },
    concurrency,
    open: async (signal) => (await open(signal)).identity,
    // The protocol has no tokenizer.
    countTokens: () => Promise.resolve(null),
    sample: (request) =>
      sampler.sample(request, async () => {
        const { server, extra } = await open(request.signal);
        // Without chance all answers are one.
        const together = several === true && request.options.temperature > 0 ? wanted : 1;
        return { ask: askWith(server, extra, request), together };
      }),
    sampleBatch: async (requests, work) => {
      await open(work.signal);
      await batchSampler(opened!)(requests, work).catch((error: unknown) => {
        throw batchError(error, work.signal, story);
      });
    },
    close: async () => {
      if (opened) await memory.learn({ concurrency: sampler.settledConcurrency(), severalAnswers: several });
    },
  };
}
