import { UserError, isUserError } from '../contracts/userError';
import { faultOf } from './serverFault';

export interface ServerStory {
  /** As people name it: `Ollama`, `the server of endpoint lab`. */
  server: string;
  /** Addresses that were tried. */
  tried: readonly string[];
  /** What makes it run. */
  startHint: string;
  /** Where a key is given. */
  keyHint: string;
  hasKey: boolean;
}

/** What a person reads when a server cannot be used at all: what, why, and the next step. */
export function openError(error: unknown, signal: AbortSignal, story: ServerStory): UserError {
  if (isUserError(error)) return error;
  if (signal.aborted)
    return new UserError('cancelled', 'Stopped.', 'Start again when you like.', { cause: error });
  const fault = faultOf(error);
  const { server } = story;
  const where = `Tried ${story.tried.join(' and ')}.`;
  const say = (code: ConstructorParameters<typeof UserError>[0], message: string, hint: string) =>
    new UserError(code, message, hint, { cause: error });
  switch (fault.code) {
    case 'unauthorized':
      return story.hasKey
        ? say(
            'serverRefused',
            `${server} refuses the key. ${fault.message}`,
            `Check the key. ${story.keyHint}`,
          )
        : say('keyMissing', `${server} wants a key and there is none. ${fault.message}`, story.keyHint);
    case 'unusableKey':
      return say('keyMissing', `${server} was not asked. ${fault.message}`, story.keyHint);
    case 'keyOverHttp':
      return say(
        'serverRefused',
        `${server} was not asked. ${fault.message}`,
        'Use an https address. On a network that you trust: --key-over-http NAME.',
      );
    case 'forbidden':
    case 'redirected':
    case 'badRequest':
    case 'certificate':
      return say(
        'serverRefused',
        `${server} cannot be used. ${fault.message} ${where}`,
        'Check the address and what your account may use.',
      );
    case 'quotaExhausted':
    case 'rateLimited':
      return say(
        'rateLimited',
        `${server} does not take requests now. ${fault.message}`,
        'Wait, or choose another model.',
      );
    default:
      if (fault.outcome === 'timeout')
        return say(
          'timeout',
          `${server} does not answer in time. ${where}`,
          `See whether it is busy or hangs. ${story.startHint}`,
        );
      if (fault.outcome === 'malformed' || fault.code === 'notFound')
        return say(
          'malformedReply',
          `${server} does not answer as expected. ${fault.message} ${where}`,
          'Check the address.',
        );
      return say(
        'serverUnreachable',
        `${server} cannot be reached. ${fault.message} ${where}`,
        story.startHint,
      );
  }
}
