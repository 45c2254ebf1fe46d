import type { Perturbation } from '../contracts/runRecord';
import type { WrittenKind } from '../perturb/acceptRewrite';
import { promptParts } from '../perturb/generator';
import { takeReply, writerInstruction, writingTasks } from '../perturb/written';
import { createRng } from '../stats/rng';
import { askUntilFit } from './askUntilFit';
import type { Model } from './ports';

export interface WriteRequest {
  /** The prompt, variables unbound. */
  text: string;
  kinds: readonly WrittenKind[];
  /** Perturbations at most. */
  limit: number;
  seed: number;
  /** Calls for one sentence before it is given up; default 3. */
  asksPerSentence?: number;
  /** Whole texts that are there already: they are not taken again. */
  existing?: readonly string[];
}

export type WriteEvent =
  | { type: 'asked'; calls: number; callsAtMost: number }
  | { type: 'accepted'; perturbation: Perturbation }
  | { type: 'rejected'; name: string; reason: string; text: string }
  | { type: 'warning'; message: string };

export interface Written {
  perturbations: Perturbation[];
  /** Every reply that was not taken, in order. */
  rejected: { name: string; reason: string; text: string }[];
  calls: number;
  /** `done`: the limit was reached. `exhausted`: no sentence or call was left. */
  ended: 'done' | 'exhausted';
}

export const ASKS_FOR_ONE_TEXT = 3;
/** A sentence is rewritten a second and third time where more are wanted than there are sentences. */
const ROUNDS = 3;

/**
 * Has a model write perturbations of single sentences: paraphrases (`rewording`), or versions with one mistake
 * (`mistake`, the editor of arXiv 2609.30849). What fails a check is rejected with the reason, and another is asked
 * for: at most `asksPerSentence` calls a sentence and limit × asksPerSentence in all. One call at a time, so that the
 * same seed and model give the same set. They are unrated until somebody rates them.
 * @throws UserError when the model cannot be used, its server fails, or the call is cancelled (the signal's reason)
 */
export async function writePerturbations(
  { model }: { model: Model },
  request: WriteRequest,
  hooks: { signal: AbortSignal; onEvent?: (event: WriteEvent) => void },
): Promise<Written> {
  const { limit, seed, asksPerSentence = ASKS_FOR_ONE_TEXT } = request;
  const parts = promptParts(request.text);
  const texts = new Set([request.text, ...(request.existing ?? [])]);
  const callsAtMost = limit * asksPerSentence;
  const result: Written = { perturbations: [], rejected: [], calls: 0, ended: 'exhausted' };
  if (limit > 0) await model.open(hooks.signal);

  for (const task of writingTasks(parts, request.kinds, ROUNDS, createRng(seed, 'writing'))) {
    const left = callsAtMost - result.calls;
    if (result.perturbations.length >= limit || left <= 0) break;
    const perturbation = await askUntilFit<Perturbation>(
      model,
      {
        name: task.id,
        instruction: (rejected) => writerInstruction(parts, task, rejected),
        characters: task.sentence.end - task.sentence.start,
        read: (reply) => {
          const { read, taken } = takeReply(parts, task, reply);
          if ('reason' in taken) return { text: read, fit: taken };
          return texts.has(taken.text)
            ? { text: read, fit: { reason: 'another one reads the same' } }
            : { text: read, fit: { value: taken } };
        },
      },
      { seed, asksAtMost: Math.min(asksPerSentence, left) },
      {
        signal: hooks.signal,
        onCall: () => {
          result.calls++;
          hooks.onEvent?.({ type: 'asked', calls: result.calls, callsAtMost });
        },
        onRejected: (name, attempt) => {
          result.rejected.push({ name, ...attempt });
          hooks.onEvent?.({ type: 'rejected', name, ...attempt });
        },
        onWarning: (message) => hooks.onEvent?.({ type: 'warning', message }),
      },
    );
    if (perturbation === null) continue;
    texts.add(perturbation.text);
    result.perturbations.push(perturbation);
    hooks.onEvent?.({ type: 'accepted', perturbation });
  }
  if (result.perturbations.length >= limit) result.ended = 'done';
  return result;
}
