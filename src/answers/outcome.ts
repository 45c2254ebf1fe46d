/** What became of an answer, read from its text alone. */

/** Reasoning that a model marked as such, taken off its answer. */
interface StrippedAnswer {
  text: string;
  /** Null when the answer holds no reasoning block. */
  thinking: string | null;
}

/**
 * Takes off a leading `<think>…</think>` (or `<thinking>`). A block that is never closed is all thinking and leaves
 * an empty text. A lone `</think>` closes a block that the chat template opened. Later blocks are part of the text.
 */
export function stripThinking(answer: string): StrippedAnswer {
  const open = /^\s*<(think|thinking)>/i.exec(answer);
  const close = /<\/(?:think|thinking)>/i.exec(answer);
  if (open) {
    const from = open[0].length;
    if (!close) return { text: '', thinking: answer.slice(from).trim() };
    return { text: afterBlock(answer, close), thinking: answer.slice(from, close.index).trim() };
  }
  if (close && !/<(?:think|thinking)>/i.test(answer.slice(0, close.index))) {
    return { text: afterBlock(answer, close), thinking: answer.slice(0, close.index).trim() };
  }
  return { text: answer, thinking: null };
}

const afterBlock = (answer: string, close: RegExpExecArray) =>
  answer.slice(close.index + close[0].length).trimStart();

/** Refusals are short; a long answer that opens with an apology usually goes on to help. */
const REFUSAL_CHARACTERS = 600;
const UNABLE = String.raw`(?:can ?not|can't|could not|couldn't|won't|will not|am unable to|'m unable to|am not able to|'m not able to|am not allowed to|'m not allowed to|must decline)`;
const HELP = String.raw`(?:assist|help|provide|answer|comply|fulfil|fulfill|generate|create|engage|support|offer|give|discuss|write|continue|respond|do that|do this|participate|share|recommend|advise|diagnose|translate)`;
const REFUSALS = [
  new RegExp(
    String.raw`^(?:I'm|I am) (?:very |truly |really |so )?sorry[,.]? (?:but )?(?:as an AI[^.]{0,60}?,? )?I ?${UNABLE}\b`,
    'i',
  ),
  new RegExp(String.raw`^(?:Sorry|Apologies|My apologies|I apologi[sz]e)[,.]? (?:but )?I ?${UNABLE}\b`, 'i'),
  new RegExp(String.raw`^(?:Unfortunately,? )?I ?${UNABLE} ${HELP}\b`, 'i'),
  new RegExp(
    String.raw`^As an? (?:AI|artificial intelligence)(?: language)?(?: model| assistant)?(?: developed by \w+)?,? I ?${UNABLE}\b`,
    'i',
  ),
];

/**
 * `thinkingOnly`: a reasoning block and no answer. `empty`: nothing but space. `refused`: a short answer that opens
 * with one of the usual English refusals. Conservative on purpose: “I cannot find it in the text” is an answer, and
 * a refusal in another language or wording counts as `ok`.
 */
export function classifyText(answer: string): 'ok' | 'refused' | 'empty' | 'thinkingOnly' {
  const { text, thinking } = stripThinking(answer);
  const trimmed = text
    .trim()
    .replace(/[’‘]/g, "'")
    .replace(/^["“*_]+/, '');
  if (trimmed === '') return thinking ? 'thinkingOnly' : 'empty';
  if (trimmed.length <= REFUSAL_CHARACTERS && REFUSALS.some((pattern) => pattern.test(trimmed)))
    return 'refused';
  return 'ok';
}
