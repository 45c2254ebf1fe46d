import type { Perturbation, PerturbationKind } from '../contracts/runRecord';
import type { Rng } from '../stats/rng';
import { catalogue } from './catalogue';
import { finishDraft } from './finish';
import { systemPersonaGenerators } from './persona';
import { typosAtRate } from './wordSurface';
import {
  promptParts,
  shuffled,
  type Generator,
  type PromptGenerator,
  type SentenceGenerator,
} from './generator';

export interface GenerateOptions {
  rng: Rng;
  /**
   * Only these kinds, by turns, and all that the catalogue has of them. Default: what a robustness check uses, which is
   * surface, rewording and persona without those that are marked `onRequest`.
   */
  kinds?: readonly PerturbationKind[];
  /** Perturbations at most; default 10. */
  limit?: number;
  /** Perturbations of each sentence before room is given to any further one; default 1. */
  perSentence?: number;
  /**
   * Also those that should change the answer (personas such as a comedian, cut sentences); default false. Mistakes
   * come whenever their kind is asked for, as there are no others.
   */
  includeMeaningful?: boolean;
  /** Where a persona is put: on a first line of the prompt (default) or of the system message. */
  personaPlace?: 'firstLine' | 'systemMessage';
  /** Share of mistyped long words in place of the catalogue's 5% and 20%; with kinds that hold `surface`. */
  typoRate?: number;
  /** The user's own (`customGenerators`), before all others; they count in the limit and need no `kinds`. */
  own?: readonly PromptGenerator[];
}

interface Generated {
  perturbations: Perturbation[];
  /** What was made and thrown away. A generator that finds no occasion in the text is not listed. */
  rejected: { name: string; reason: string }[];
}

/** Share of a selection that concerns the whole prompt; the rest is spread over its sentences. */
const PROMPT_SHARE = 0.4;

/**
 * A balanced set for a robustness check: 40% of the limit are changes of the whole prompt (three surface ones, one
 * neutral persona of the default ten), the rest goes to the sentences in turn, rewordings before surface changes;
 * prompts with more sentences than room get it evenly spread. What one half cannot fill is left to the other.
 * The same seed gives the same set with the same ids. Prose gets at least eight, also a single short sentence.
 * Kinds that are asked for by name take turns, each in an order that the seed gives.
 * Cost: linear in the length of the text for each perturbation kept; 10,000 words take well under a second.
 */
export function generatePerturbations(text: string, options: GenerateOptions): Generated {
  const { rng, kinds, limit = 10, perSentence = 1, own = [] } = options;
  const parts = promptParts(text);
  const perturbations: Perturbation[] = [];
  const rejected: Generated['rejected'] = [];
  const texts = new Set([text]);

  /** Proposes, finishes and keeps; false when nothing came of it. */
  const tryOne = (generator: Generator, index: number | null): boolean => {
    const sentence = index === null ? null : parts.sentences[index]!;
    const id = index === null ? generator.id : `${generator.id}@${index}`;
    const proposal =
      generator.scope === 'prompt' ? generator.propose(parts, rng) : generator.propose(parts, sentence!, rng);
    if (proposal === null) return false;
    const finished =
      'reason' in proposal
        ? proposal
        : finishDraft(parts, { id, generator, ...proposal, sentence: sentence ?? proposal.sentence ?? null });
    if ('reason' in finished) {
      rejected.push({ name: id, reason: finished.reason });
      return false;
    }
    const reads = (finished.systemLine ?? '') + finished.text;
    if (texts.has(reads)) {
      rejected.push({ name: id, reason: 'another one reads the same' });
      return false;
    }
    perturbations.push(finished);
    texts.add(reads);
    return true;
  };

  const usable = usableGenerators(options);
  const ofPrompt = usable.filter((generator) => generator.scope === 'prompt');
  const ofSentence = usable.filter((generator) => generator.scope === 'sentence');
  const promptQueue = kinds ? byTurns(ofPrompt, kinds, rng) : interleaved(ofPrompt);
  const sentenceQueues = parts.sentences.map((_, i) =>
    kinds ? byTurns(ofSentence, rotated(kinds, i), rng) : rewordingsFirst(ofSentence, rng),
  );
  const order = spreadOrder(parts.sentences.length, limit - Math.floor(limit * PROMPT_SHARE));

  const fromPrompt = (upTo: number) => {
    while (perturbations.length < upTo && promptQueue.length > 0) tryOne(promptQueue.shift()!, null);
  };
  const fromSentences = () => {
    for (let left = true; left && perturbations.length < limit;) {
      left = false;
      for (const index of order) {
        let kept = 0;
        const queue = sentenceQueues[index]!;
        while (kept < perSentence && queue.length > 0 && perturbations.length < limit) {
          if (tryOne(queue.shift()!, index)) kept++;
        }
        left ||= queue.length > 0;
      }
    }
  };
  for (const generator of own) if (perturbations.length < limit) tryOne(generator, null);
  fromPrompt(Math.max(perturbations.length, Math.floor(limit * PROMPT_SHARE)));
  fromSentences();
  fromPrompt(limit);
  return { perturbations: perturbations.sort(inOrderOf([...own, ...usable])), rejected };
}

function usableGenerators({
  kinds,
  includeMeaningful = false,
  personaPlace,
  typoRate,
}: GenerateOptions): Generator[] {
  const offered = catalogue
    .filter(({ kind }) => kind !== 'persona' || personaPlace !== 'systemMessage')
    .filter(({ id }) => typoRate === undefined || !id.startsWith('surface.typos-'));
  if (personaPlace === 'systemMessage') offered.push(...systemPersonaGenerators);
  if (typoRate !== undefined) offered.push(typosAtRate(typoRate));
  return offered.filter(
    ({ kind, expectation, onRequest }) =>
      (kinds ? kinds.includes(kind) : !onRequest) &&
      (includeMeaningful || expectation === 'irrelevant' || kind === 'mistake'),
  );
}

/** Surface changes with one persona (or another kind) after every third. */
function interleaved(generators: PromptGenerator[]): PromptGenerator[] {
  const surface = generators.filter(({ kind }) => kind === 'surface');
  const others = generators.filter(({ kind }) => kind !== 'surface');
  // Personas first: they fit every English prompt, lists do not.
  others.sort((a, b) => Number(b.kind === 'persona') - Number(a.kind === 'persona'));
  const result: PromptGenerator[] = [];
  while (surface.length > 0 || others.length > 0)
    result.push(...surface.splice(0, 3), ...others.splice(0, 1));
  return result;
}

/** Rewordings shuffled, then surface changes shuffled: an order for one sentence. */
function rewordingsFirst(generators: SentenceGenerator[], rng: Rng): SentenceGenerator[] {
  const rewordings = generators.filter(({ kind }) => kind === 'rewording');
  const others = generators.filter(({ kind }) => kind !== 'rewording');
  return [...shuffled(rewordings, rng), ...shuffled(others, rng)];
}

/** One of each kind in turn, each kind shuffled. */
function byTurns<T extends Generator>(generators: T[], kinds: readonly PerturbationKind[], rng: Rng): T[] {
  const queues = kinds.map((kind) =>
    shuffled(
      generators.filter((generator) => generator.kind === kind),
      rng,
    ),
  );
  const longest = Math.max(0, ...queues.map((queue) => queue.length));
  return Array.from({ length: longest }, (_, i) => queues.flatMap((queue) => queue[i] ?? [])).flat();
}

const rotated = <T>(items: readonly T[], by: number): T[] => [
  ...items.slice(by % items.length),
  ...items.slice(0, by % items.length),
];

/** Indices 0 … count−1: `room` of them evenly spread from first to last, then the others in order. */
function spreadOrder(count: number, room: number): number[] {
  const chosen = new Set<number>();
  const slots = Math.min(count, Math.max(1, room));
  for (let i = 0; i < slots; i++) chosen.add(slots === 1 ? 0 : Math.round((i * (count - 1)) / (slots - 1)));
  for (let i = 0; i < count; i++) chosen.add(i);
  return [...chosen];
}

function inOrderOf(generators: readonly Generator[]) {
  const rank = new Map(generators.map(({ id }, i) => [id, i]));
  const rankOf = ({ id }: Perturbation) => rank.get(id.split('@')[0]!)!;
  const indexOf = ({ id }: Perturbation) => Number(id.split('@')[1] ?? -1);
  return (a: Perturbation, b: Perturbation) => indexOf(a) - indexOf(b) || rankOf(a) - rankOf(b);
}
