import { classifyText } from '../answers/outcome';
import type { Condition, RunOptions, Sample } from '../contracts/runRecord';
import type { Reply } from './ports';

/** Turns a provider's reply into a sample: decides what became of the answer. */
export function toSample(
  reply: Reply,
  place: { condition: Condition; index: number; position: number },
  options: RunOptions,
): Sample {
  const cut = reply.outcome === 'ok' && reply.finishReason === 'length';
  return {
    conditionId: place.condition.id,
    index: place.index,
    seed: reply.seed,
    outcome: outcomeOf(reply, cut, options),
    text: reply.text,
    ...(reply.thinking === undefined ? {} : { thinking: reply.thinking }),
    finishReason: reply.finishReason,
    clipped: cut && !options.wholeAnswers,
    promptTokens: reply.promptTokens,
    completionTokens: reply.completionTokens,
    latencyMs: reply.latencyMs,
    startedAtMs: reply.startedAtMs,
    position: place.position,
    ...(reply.firstToken === undefined ? {} : { firstToken: reply.firstToken }),
    ...(reply.fingerprint === undefined ? {} : { fingerprint: reply.fingerprint }),
    ...(reply.cached === true ? { cached: true } : {}),
    ...(reply.drawn === undefined ? {} : { drawn: reply.drawn }),
    ...(reply.error === undefined ? {} : { error: { code: reply.error.code, message: reply.error.message } }),
  };
}

function outcomeOf(reply: Reply, cut: boolean, options: RunOptions): Sample['outcome'] {
  if (reply.outcome !== 'ok') return reply.outcome;
  if (cut && options.wholeAnswers) return 'truncated';
  return classifyText(reply.text);
}
