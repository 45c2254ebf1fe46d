import type OpenAI from 'openai';
import { Stream } from 'openai/streaming';
import { asCount, refuseEndless, tokenProbabilities, type Draft } from '../replies';
import { malformed } from '../serverFault';

interface Words {
  content?: unknown;
  refusal?: unknown;
  /** Where servers put thinking that they part from the text: DeepSeek and older vLLM; newer vLLM and Ollama. */
  reasoning_content?: unknown;
  reasoning?: unknown;
}

interface Choice {
  index?: number;
  delta?: Words | null;
  message?: Words | null;
  finish_reason?: unknown;
  logprobs?: { content?: { top_logprobs?: { token: string; logprob: number }[] }[] | null } | null;
}

/** A chunk of a stream or a whole completion; nothing in it is certain. */
interface Part {
  model?: unknown;
  system_fingerprint?: unknown;
  choices?: Choice[] | null;
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown } | null;
}

/** A server's word, kept with every answer. */
const LONGEST_FINGERPRINT = 128;

interface ServedBy {
  model: string | null;
  fingerprint: string | null;
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value
    .map((part: { text?: unknown } | null) => (typeof part?.text === 'string' ? part.text : ''))
    .join('');
}

/** Adds one part to the drafts, by the index of each choice. True when it held one of them. */
function take(part: Part, drafts: readonly [Draft, ...Draft[]], servedBy: ServedBy): boolean {
  if (typeof part.model === 'string' && part.model !== '') servedBy.model = part.model;
  if (typeof part.system_fingerprint === 'string') {
    servedBy.fingerprint = part.system_fingerprint.slice(0, LONGEST_FINGERPRINT);
    for (const draft of drafts) draft.fingerprint = servedBy.fingerprint;
  }
  if (part.usage) {
    const promptTokens = asCount(part.usage.prompt_tokens);
    for (const draft of drafts) draft.promptTokens = promptTokens ?? draft.promptTokens;
    drafts[0].completionTokens = asCount(part.usage.completion_tokens) ?? drafts[0].completionTokens;
  }
  const choices = Array.isArray(part.choices) ? part.choices : [];
  // More choices than were asked for do not get mixed in; of one index twice in a whole reply, the first counts.
  const seen = new Set<Draft>();
  for (const choice of choices) {
    if (typeof choice !== 'object' || choice === null) continue;
    const { index = 0 } = choice;
    // Anything else than a number would name a property of the list.
    const draft = typeof index === 'number' ? drafts[index] : undefined;
    if (!draft || seen.has(draft)) continue;
    seen.add(draft);
    takeChoice(choice, draft);
  }
  return seen.size > 0;
}

function takeChoice(choice: Choice, draft: Draft): void {
  const words = choice.delta ?? choice.message ?? {};
  draft.text += wordsOf(words.content);
  draft.thinking += wordsOf(words.reasoning_content) || wordsOf(words.reasoning);
  const refusal = wordsOf(words.refusal);
  if (refusal !== '') {
    draft.refused = true;
    draft.text += refusal;
  }
  if (typeof choice.finish_reason === 'string') {
    draft.finishReason = choice.finish_reason;
    if (choice.finish_reason === 'content_filter') draft.refused = true;
  }
  if (!draft.firstToken) {
    const firstToken = tokenProbabilities(choice.logprobs?.content?.[0]?.top_logprobs);
    if (firstToken) draft.firstToken = firstToken;
  }
}

/** A completion that came in one piece. Throws a ServerFault `malformed` for anything else. */
export function readWhole(parsed: unknown, drafts: readonly [Draft, ...Draft[]]): ServedBy {
  const servedBy: ServedBy = { model: null, fingerprint: null };
  const part = (typeof parsed === 'object' ? parsed : null) as Part | null;
  if (!take(part ?? {}, drafts, servedBy))
    throw malformed('noChoices', 'The reply holds no answer (`choices` is missing).');
  drafts.forEach(refuseEndless);
  return servedBy;
}

/**
 * Reads a chat completion into the drafts (one per answer that was asked for), streamed or (from servers that ignore `stream`) whole.
 * Resolves only when it is complete; throws a ServerFault `malformed` otherwise.
 */
export async function readCompletion(
  response: Response,
  client: OpenAI,
  drafts: readonly [Draft, ...Draft[]],
  heard: () => void,
): Promise<ServedBy> {
  if (/\bjson\b/i.test(response.headers.get('content-type') ?? '')) {
    const text = await response.text();
    if (text.trim() === '') throw malformed('emptyReply', 'The reply is empty.');
    const parsed: unknown = JSON.parse(text);
    heard();
    return readWhole(parsed, drafts);
  }
  if (!response.body) throw malformed('emptyReply', 'The reply is empty.');
  const servedBy: ServedBy = { model: null, fingerprint: null };
  let anything = false;
  let choices = false;
  for await (const part of Stream.fromSSEResponse<Part | null>(response, new AbortController(), client)) {
    heard();
    anything = true;
    choices = take(part ?? {}, drafts, servedBy) || choices;
    drafts.forEach(refuseEndless);
  }
  if (!anything) throw malformed('emptyReply', 'The reply is empty.');
  if (!choices) throw malformed('noChoices', 'The reply holds no answer (`choices` is missing).');
  // Some servers never name a finish reason; then the token counts, which come last, prove that the end was reached.
  if (drafts.every(({ finishReason }) => finishReason === null) && drafts[0].completionTokens === null)
    throw malformed('cutReply', 'The reply ended before it was complete.');
  return servedBy;
}
