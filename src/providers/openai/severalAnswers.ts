import { isUserError } from '../../contracts/userError';
import type { SampleRequest } from '../../engine/ports';
import { emptyDraft, isComplete, type Draft } from '../replies';
import type { Ask } from '../askOnce';
import { faultOf } from '../serverFault';

const TRIED = 3;

/** A request whose answers differ on any server that draws them apart. At most 36 tokens come back. */
export const VARIED: Pick<SampleRequest, 'messages' | 'options'> = {
  messages: [
    {
      role: 'user',
      content: 'Write a random whole number between 1 and 1000000. Reply with the number only.',
    },
  ],
  options: { temperature: 1, topP: 1, maxTokens: 12 },
};

/**
 * Whether the server answers one request several times (`n`), seen by count and by difference: some servers ignore `n`,
 * others repeat one answer. Null when it failed for now.
 * @throws UserError when nothing can go on
 */
export async function givesSeveralAnswers(ask: Ask, signal: AbortSignal): Promise<boolean | null> {
  const drafts = Array.from({ length: TRIED }, emptyDraft) as [Draft, ...Draft[]];
  try {
    await ask({ seed: 1, drafts, signal, heard: () => undefined });
  } catch (error) {
    if (isUserError(error)) throw error;
    return faultOf(error).fatal ? false : null;
  }
  return drafts.every(isComplete) && new Set(drafts.map(({ text }) => text.trim())).size > 1;
}
