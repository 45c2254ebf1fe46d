import { splitThinking } from '../answers/thinking';
import { UserError } from '../contracts/userError';
import { serverFailure } from './circuit';
import type { Message, Model, Reply, SamplingOptions } from './ports';

/**
 * One reply of a model that helps with the work and is not under test; thinking is taken off its text.
 * @throws UserError when its server fails, or the signal's reason when the call is cancelled
 */
export async function askModel(
  model: Model,
  request: { messages: Message[]; options: SamplingOptions; seed: number },
  hooks: { signal: AbortSignal; onWarning?: (message: string) => void },
): Promise<Reply> {
  hooks.signal.throwIfAborted();
  let given: Reply | null = null;
  await model.sample({
    messages: request.messages,
    options: request.options,
    seeds: [request.seed],
    signal: hooks.signal,
    onReply: (reply) => {
      given = reply;
    },
    ...(hooks.onWarning === undefined ? {} : { onWarning: hooks.onWarning }),
  });
  const reply = given as Reply | null;
  if (reply === null || reply.outcome === 'cancelled') {
    hooks.signal.throwIfAborted();
    throw new UserError('cancelled', 'The model stopped before it answered.', 'Run again.');
  }
  const failure = serverFailure(reply, 'The model gave no answer');
  if (failure !== null) throw failure;
  return { ...reply, text: splitThinking(reply.text).text };
}

/** Why a reply can hold no text of use; null when it can. */
export function whyNoText(reply: Reply): string | null {
  if (reply.outcome === 'refused') return 'the model refused';
  if (reply.outcome === 'truncated' || reply.finishReason === 'length') return 'the reply was cut off';
  if (reply.text.trim() === '') return reply.thinking ? 'the model only thought' : 'the reply is empty';
  return null;
}
