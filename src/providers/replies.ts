/** From what a server streamed to a Reply: thinking apart, and the outcome as data. */
import { splitThinking } from '../answers/thinking';
import type { Outcome, TokenProbability } from '../contracts/runRecord';
import type { Message, Reply } from '../engine/ports';
import { malformed, type Fault } from './serverFault';

/** A reply while it arrives. Providers write into it, so that a break or a cancel keeps what there is. */
export interface Draft {
  text: string;
  thinking: string;
  finishReason: string | null;
  promptTokens: number | null;
  completionTokens: number | null;
  firstToken?: TokenProbability[];
  /** The server or the model marked it as a refusal. */
  refused: boolean;
  /** What the server says it ran. */
  fingerprint?: string;
}

export const emptyDraft = (): Draft => ({
  text: '',
  thinking: '',
  finishReason: null,
  promptTokens: null,
  completionTokens: null,
  refused: false,
});

/** The server said how it ended. */
export const isComplete = ({ finishReason }: Draft): boolean => finishReason !== null;

/**
 * Of a request for several answers, servers count only the tokens of all together (in the first draft here): they are
 * shared out by length, so that their sum stays what the server counted.
 */
export function shareTokens(drafts: readonly [Draft, ...Draft[]]): void {
  const total = drafts[0].completionTokens;
  if (drafts.length === 1 || total === null) return;
  const characters = drafts.map(({ text, thinking }) => text.length + thinking.length + 1);
  const all = characters.reduce((sum, one) => sum + one, 0);
  let seen = 0;
  let given = 0;
  drafts.forEach((draft, i) => {
    seen += characters[i]!;
    const upTo = Math.round((total * seen) / all);
    draft.completionTokens = upTo - given;
    given = upTo;
  });
}

/** Ten times what 4,096 tokens of English need. */
const LONGEST_REPLY_CHARACTERS = 262_144;

/** Throws a ServerFault `malformed` when the server goes on and on: it does not keep to the limit it was given. */
export function refuseEndless({ text, thinking }: Draft): void {
  if (text.length + thinking.length > LONGEST_REPLY_CHARACTERS)
    throw malformed('replyTooLong', 'The reply does not end: the server ignores the limit of answer tokens.');
}

/** What a server counted; null for anything that is no count. */
export const asCount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** Text of a server's JSON; null for anything else. */
export const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * A reply that ends because of `maxTokens` is `ok` with finishReason `length`: whether the whole answer was wanted is
 * the engine's to say. One that ends by `length` before that ran out of context, which nobody asked for: `truncated`.
 * `maxTokens` 0: the count is not exact enough to tell.
 */
function outcomeOf(draft: Draft, text: string, thinking: string, maxTokens: number): Outcome {
  if (draft.refused) return 'refused';
  if (text.trim() === '') return thinking === '' ? 'empty' : 'thinkingOnly';
  const outOfContext =
    draft.finishReason === 'length' && draft.completionTokens !== null && draft.completionTokens < maxTokens;
  return outOfContext ? 'truncated' : 'ok';
}

export function replyOf(
  draft: Draft,
  facts: {
    seed: number;
    startedAtMs: number;
    latencyMs: number;
    maxTokens: number;
    fault: Fault | null;
    drawn?: Reply['drawn'];
  },
): Reply {
  const { text, thinking: inText } = splitThinking(draft.text);
  const thinking = [draft.thinking.trim(), inText].filter((part) => part !== '').join('\n');
  const { fault, drawn } = facts;
  return {
    seed: facts.seed,
    outcome: fault ? fault.outcome : outcomeOf(draft, text, thinking, drawn ? 0 : facts.maxTokens),
    text,
    ...(thinking === '' ? {} : { thinking }),
    finishReason: draft.finishReason,
    promptTokens: draft.promptTokens,
    completionTokens: draft.completionTokens,
    latencyMs: facts.latencyMs,
    startedAtMs: facts.startedAtMs,
    ...(draft.firstToken ? { firstToken: draft.firstToken } : {}),
    ...(draft.fingerprint === undefined ? {} : { fingerprint: draft.fingerprint }),
    ...(drawn ? { drawn } : {}),
    ...(fault
      ? { error: { code: fault.code, message: fault.message, ...(fault.fatal ? { fatal: true } : {}) } }
      : {}),
  };
}

/** Natural-log probabilities, as servers send them, most likely first. */
export function tokenProbabilities(
  top: readonly { token: string; logprob: number }[] | null | undefined,
): TokenProbability[] | undefined {
  if (!top || top.length === 0) return undefined;
  return top
    .filter(({ token, logprob }) => typeof token === 'string' && Number.isFinite(logprob))
    .map(({ token, logprob }) => ({ token, probability: Math.min(1, Math.exp(logprob)) }))
    .sort((a, b) => b.probability - a.probability);
}

/**
 * Throws a ServerFault `malformed` when the server counted far fewer tokens than the prompt has words: no tokenizer needs
 * so few, so it has silently cut the prompt and answered another one.
 */
export function refuseCutPrompt(messages: readonly Message[], { promptTokens }: Draft): void {
  const words = messages.reduce(
    (sum, { content }) => sum + (content.match(/[\p{L}\p{N}]+/gu)?.length ?? 0),
    0,
  );
  if (promptTokens !== null && promptTokens < 0.8 * words)
    throw malformed(
      'promptCut',
      `The server read ${promptTokens} tokens of a prompt of ${words} words: it cut the prompt.`,
    );
}
