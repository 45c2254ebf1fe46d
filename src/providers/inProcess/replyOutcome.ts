/** What became of a raw answer, as far as its text tells. */
import { splitThinking } from '../../answers/thinking';
import type { Reply } from '../../engine/ports';

/** As every provider says it. */
export const STOPPED = { code: 'cancelled', message: 'Stopped before the reply was complete.' };

/** `ok` also for an answer cut by the token limit: whether that is a fault is for the engine to say. */
export function outcomeOf(
  text: string,
  finishReason: 'stop' | 'length' | 'cancelled',
): Pick<Reply, 'outcome' | 'text' | 'thinking' | 'error'> {
  const { text: answer, thinking } = splitThinking(text);
  const blank = answer.trim() === '';
  const outcome =
    finishReason === 'cancelled' ? 'cancelled' : !blank ? 'ok' : thinking ? 'thinkingOnly' : 'empty';
  return {
    outcome,
    text: answer,
    ...(thinking ? { thinking } : {}),
    ...(outcome === 'cancelled' ? { error: STOPPED } : {}),
  };
}
