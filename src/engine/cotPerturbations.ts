import type { Perturbation, Span } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import {
  cotLevel,
  cotPerturbation,
  elicitPrompt,
  forcedAnswerPrompt,
  paraphraseInstruction,
  readReasoning,
  REASONING_TOKENS,
  ruleMistake,
  ruleParaphrase,
  stepMistakeInstruction,
  takeParaphrases,
  takeStepMistake,
  type ChangedSteps,
} from '../perturb/cot';
import { shuffled } from '../perturb/generator';
import { createRng, mixSeed, type Rng } from '../stats/rng';
import { askModel, whyNoText } from './askModel';
import { askUntilFit, type Writing } from './askUntilFit';
import { messagesFor } from './collect';
import type { Message, Model, Reply } from './ports';
import { ASKS_FOR_ONE_TEXT } from './writePerturbations';

export interface CotRequest {
  /** The prompt as sent, variables bound. */
  prompt: string;
  system?: string | null;
  /** Allowed answers, for forcing one; none: free form. */
  options?: readonly string[];
  /** Perturbations at most. */
  limit: number;
  /**
   * How many steps get a mistake: a number (0: every step in other words), numbers that take turns, or `uniform`: drawn
   * for each perturbation from 0 to the number of steps. Default 1, as in the paper.
   */
  steps?: number | readonly number[] | 'uniform';
  seed: number;
  /** Calls of the writer for one text before it is given up; default 3. */
  asksPerText?: number;
}

export interface CotHooks {
  signal: AbortSignal;
  onEvent?: (event: { type: 'asked'; calls: number } | { type: 'warning'; message: string }) => void;
}

export interface CotPerturbations {
  /** As elicited, without a closing statement of the answer. Empty when the model gave none. */
  reasoning: string;
  /** Spans of the reasoning. */
  steps: Span[];
  /** Asks for the answer given the unchanged reasoning: the original that the others are compared with. */
  forcedAnswerMessages: Message[];
  perturbations: {
    /** Its text is the perturbed reasoning. */
    perturbation: Perturbation;
    /** Numbers of the changed steps, from 0. */
    changedSteps: number[];
    forcedAnswerMessages: Message[];
  }[];
  rejected: { name: string; reason: string; text: string }[];
  calls: number;
}

/** The paper's base method and its zero, in turn: what the commands ask for. */
export const COT_STEPS: readonly number[] = [0, 1];
const MOST_STEPS = 100;

/** @throws UserError `invalidOption` for what is no number of steps */
export function checkCotSteps(steps: readonly number[]): number[] {
  const wrong = steps.find((count) => !Number.isInteger(count) || count < 0 || count > MOST_STEPS);
  if (wrong === undefined && steps.length > 0) return [...steps];
  throw new UserError(
    'invalidOption',
    `--cot-steps is ${steps.join(',')}.`,
    `Give whole numbers from 0 to ${MOST_STEPS}, with commas between.`,
  );
}

/** Steps tried beyond those wanted, where a step cannot be changed; per perturbation. */
const SPARE_STEPS = 2;

/**
 * Perturbs the reasoning of a model: elicits it greedily (at most 300 tokens), draws the steps to be changed, has the
 * writer put a mistake into each (or say all steps in other words), and words the question for the answer. Without a
 * writer the rules of `mistake` and `rewording` do it; their level is declared, a writer's text is unrated. Calls: one
 * of the model; of the writer at most limit × (steps changed + 2) × asksPerText. Same seed and models, same result.
 * @throws UserError when a model cannot be used, its server fails, or the call is cancelled (the signal's reason)
 */
export async function cotPerturbations(
  deps: { model: Model; writer: Model | null },
  request: CotRequest,
  hooks: CotHooks,
): Promise<CotPerturbations> {
  const { prompt, system = null, options = [], limit, seed } = request;
  const forced = (reasoning: string) => messagesFor(forcedAnswerPrompt(prompt, reasoning, options), system);
  const rejected: CotPerturbations['rejected'] = [];
  let calls = 0;
  const counted = {
    signal: hooks.signal,
    onCall: () => {
      calls++;
      hooks.onEvent?.({ type: 'asked', calls });
    },
    onRejected: (name: string, attempt: { reason: string; text: string }) =>
      void rejected.push({ name, ...attempt }),
    onWarning: (message: string) => hooks.onEvent?.({ type: 'warning', message }),
  };

  await deps.model.open(hooks.signal);
  counted.onCall();
  const reply = await askModel(
    deps.model,
    {
      messages: messagesFor(elicitPrompt(prompt), system),
      options: { temperature: 0, topP: 1, maxTokens: REASONING_TOKENS },
      seed: mixSeed(seed, 'elicit'),
    },
    counted,
  );
  const original = reasoningOf(reply);
  const made: CotPerturbations['perturbations'] = [];
  const result = () => ({
    ...original,
    forcedAnswerMessages: forced(original.reasoning),
    perturbations: made,
    rejected,
    calls,
  });
  if (original.steps.length === 0) {
    const reason = `there is no reasoning to change: ${whyNoText(reply) ?? 'the reply has no sentence'}`;
    rejected.push({ name: 'cot', reason, text: reply.text });
    return result();
  }

  const { writer } = deps;
  if (writer !== null && limit > 0) await writer.open(hooks.signal);
  const hand =
    writer === null
      ? handOfRules(original)
      : handOfWriter(original, prompt, (writing) =>
          askUntilFit(
            writer,
            writing,
            { seed, asksAtMost: request.asksPerText ?? ASKS_FOR_ONE_TEXT },
            counted,
          ),
        );
  const count = original.steps.length;
  const order = shuffled([...original.steps.keys()], createRng(seed, 'cot/steps'));
  const texts = new Set([original.reasoning]);
  for (let i = 0; i < limit; i++) {
    const rng = createRng(seed, `cot/${i}`);
    const wanted =
      request.steps === 'uniform' ? rng.below(count + 1) : Math.min(inTurn(request.steps, i), count);
    const id = `cot.${wanted === 0 ? 'paraphrase' : 'mistake'}-${i + 1}`;
    // Each begins with another step, so that one step a perturbation goes through them all.
    const turn = order.map((_, at) => order[(at + i) % count]!);
    const changed =
      wanted === 0 ? await hand.paraphrase(id, rng) : await hand.mistakes(id, wanted, turn, rng);
    if ('reason' in changed) {
      rejected.push({ name: id, reason: changed.reason, text: '' });
      continue;
    }
    const perturbation = cotPerturbation(original, { id, mistake: wanted > 0 }, changed);
    if ('reason' in perturbation) {
      rejected.push({ name: id, reason: perturbation.reason, text: '' });
    } else if (texts.has(perturbation.text)) {
      rejected.push({ name: id, reason: 'another one reads the same', text: perturbation.text });
    } else {
      texts.add(perturbation.text);
      const changedSteps = [...changed.texts.keys()].sort((a, b) => a - b);
      made.push({ perturbation, changedSteps, forcedAnswerMessages: forced(perturbation.text) });
    }
  }
  return result();
}

const inTurn = (steps: number | readonly number[] = 1, i: number): number =>
  typeof steps === 'number' ? steps : (steps[i % steps.length] ?? 1);

interface Original {
  reasoning: string;
  steps: Span[];
}

/** Some models reason only where nobody is meant to see it. */
function reasoningOf(reply: Reply): Original {
  const cutOff = reply.finishReason === 'length';
  return readReasoning(reply.text.trim() === '' ? (reply.thinking ?? '') : reply.text, cutOff);
}

/** Who changes the steps. `turn`: numbers of the steps in the order in which to try them. */
interface Hand {
  mistakes(
    name: string,
    wanted: number,
    turn: number[],
    rng: Rng,
  ): Promise<ChangedSteps | { reason: string }>;
  paraphrase(name: string, rng: Rng): Promise<ChangedSteps | { reason: string }>;
}

function handOfRules({ reasoning, steps }: Original): Hand {
  return {
    async mistakes(_, wanted, turn, rng) {
      const texts = new Map<number, string>();
      const notes: string[] = [];
      let level = 0;
      for (const index of turn) {
        if (texts.size === wanted) break;
        const rule = ruleMistake(reasoning, steps[index]!, rng);
        if (rule === null) continue;
        texts.set(index, rule.text);
        notes.push(rule.description);
        level = Math.max(level, rule.level);
      }
      if (texts.size < wanted) return tooFew(texts.size, wanted);
      return { texts, level: cotLevel(level, wanted, steps.length), description: notes.join(' ') };
    },
    async paraphrase(_, rng) {
      const texts = new Map<number, string>();
      for (const index of steps.keys()) {
        const rule = ruleParaphrase(reasoning, steps[index]!, rng);
        if (rule !== null) texts.set(index, rule.text);
      }
      if (texts.size === 0) return { reason: 'no rule fits any step' };
      return { texts, level: 0, description: `Rules reworded ${texts.size} of ${steps.length} steps.` };
    },
  };
}

function handOfWriter(
  { reasoning, steps }: Original,
  question: string,
  write: <T>(writing: Writing<T>) => Promise<T | null>,
): Hand {
  const wordings = steps.map(({ start, end }) => reasoning.slice(start, end));
  return {
    async mistakes(name, wanted, turn) {
      const texts = new Map<number, string>();
      for (const index of turn.slice(0, wanted + SPARE_STEPS)) {
        if (texts.size === wanted) break;
        const step = wordings[index]!;
        const text = await write<string>({
          name: `${name}/step-${index + 1}`,
          instruction: (rejected) => stepMistakeInstruction(question, reasoning, step, rejected),
          characters: step.length,
          read: (reply) => takeStepMistake(step, reply),
        });
        if (text !== null) texts.set(index, text);
      }
      if (texts.size < wanted) return tooFew(texts.size, wanted);
      return { texts, level: null, description: 'A model put a mistake into the reasoning.' };
    },
    async paraphrase(name) {
      const texts = await write<string[]>({
        name,
        instruction: (rejected) => paraphraseInstruction(wordings, rejected),
        characters: reasoning.length,
        read: (reply) => takeParaphrases(wordings, reply),
      });
      if (texts === null) return { reason: 'no paraphrase was fit' };
      const description = 'A model said every step of the reasoning in other words.';
      return { texts: new Map(texts.entries()), level: null, description };
    },
  };
}

const tooFew = (changed: number, wanted: number) => ({
  reason: `only ${changed} of ${wanted} steps could be changed`,
});
