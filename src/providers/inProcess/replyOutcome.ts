/** What became of a raw answer, as far as its text tells. */
import type { Reply } from '../../engine/ports';

/** Splits a leading `<think>…</think>` block, closed or not, from the answer. */
export function splitThinking(text: string): { answer: string; thinking: string | undefined } {
  const open = /^\s*<think>/.exec(text);
  if (open === null) return { answer: text, thinking: undefined };
  const close = text.indexOf('</think>', open[0].length);
  if (close < 0) return { answer: '', thinking: text.slice(open[0].length).trim() };
  return {
    answer: text.slice(close + '</think>'.length).replace(/^\s+/, ''),
    thinking: text.slice(open[0].length, close).trim(),
  };
}

/** `ok` also for an answer cut by the token limit: whether that is a fault is for the engine to say. */
export function outcomeOf(
  text: string,
  finishReason: 'stop' | 'length' | 'cancelled',
): Pick<Reply, 'outcome' | 'text' | 'thinking'> {
  const { answer, thinking } = splitThinking(text);
  const blank = answer.trim() === '';
  const outcome =
    finishReason === 'cancelled' ? 'cancelled' : !blank ? 'ok' : thinking ? 'thinkingOnly' : 'empty';
  return { outcome, text: answer, ...(thinking ? { thinking } : {}) };
}
