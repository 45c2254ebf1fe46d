import type { Rejected } from '../perturb/written';
import { askModel, whyNoText } from './askModel';
import type { Model } from './ports';
import { mixSeed } from '../stats/rng';

/** A reply as it was understood, and what it is good for. */
export interface Read<T> {
  text: string;
  fit: { value: T } | { reason: string };
}

export interface Writing<T> {
  /** Names the seeds of its calls and what is rejected. */
  name: string;
  instruction: (rejected: readonly Rejected[]) => string;
  /** Length of the text to be rewritten; the reply may be twice as long. */
  characters: number;
  read: (reply: string) => Read<T>;
}

export interface WritingHooks {
  signal: AbortSignal;
  onCall: () => void;
  onRejected: (name: string, attempt: Rejected) => void;
  onWarning: (message: string) => void;
}

/** Lively enough that another try differs, sober enough for a small model. */
const WRITING = { temperature: 0.7, topP: 0.95 };
/** A token is a character in some scripts; a few more for what a model says around the text. */
const tokensFor = (characters: number) => Math.min(1_024, 48 + characters);

/**
 * Asks a writer until a reply is fit, telling it each time what was wrong, at most `asksAtMost` times; null then.
 * @throws UserError when its server fails, or the call is cancelled (the signal's reason)
 */
export async function askUntilFit<T>(
  writer: Model,
  writing: Writing<T>,
  options: { seed: number; asksAtMost: number },
  hooks: WritingHooks,
): Promise<T | null> {
  const before: Rejected[] = [];
  while (before.length < options.asksAtMost) {
    hooks.onCall();
    const reply = await askModel(
      writer,
      {
        messages: [{ role: 'user', content: writing.instruction(before) }],
        options: { ...WRITING, maxTokens: tokensFor(writing.characters) },
        seed: mixSeed(options.seed, `${writing.name}#${before.length}`),
      },
      hooks,
    );
    const nothing = whyNoText(reply);
    const { text, fit } =
      nothing === null ? writing.read(reply.text) : { text: reply.text, fit: { reason: nothing } };
    if ('value' in fit) return fit.value;
    before.push({ text, reason: fit.reason });
    hooks.onRejected(writing.name, { text, reason: fit.reason });
  }
  return null;
}
