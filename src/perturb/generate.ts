import type { Perturbation, PerturbationKind } from '../contracts/runRecord';
import type { Sentence } from '../prompts/sentences';
import type { Rng } from '../stats/rng';
import { catalogue } from './catalogue';
import { finishDraft } from './finish';
import {
  promptParts,
  shuffled,
  type Generator,
  type PromptGenerator,
  type SentenceGenerator,
} from './generator';

interface GenerateOptions {
  rng: Rng;
  /** Only these kinds. Default: all that the catalogue has. */
  kinds?: readonly PerturbationKind[];
  /** Perturbations at most; default 10. */
  limit?: number;
  /** Perturbations of each sentence before room is given to any further one; default 1. */
  perSentence?: number;
  /** Also those that should change the answer (personas such as a comedian); default false. */
  includeMeaningful?: boolean;
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
 * Cost: linear in the length of the text for each perturbation kept; 10,000 words take well under a second.
 */
export function generatePerturbations(text: string, options: GenerateOptions): Generated {
  const { rng, kinds, limit = 10, perSentence = 1, includeMeaningful = false } = options;
  const allowed = (generator: Generator) =>
    (!kinds || kinds.includes(generator.kind)) &&
    (includeMeaningful || generator.expectation === 'irrelevant');
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
    const reason =
      'reason' in finished ? finished.reason : texts.has(finished.text) ? 'another one reads the same' : null;
    if (reason !== null) {
      rejected.push({ name: id, reason });
      return false;
    }
    perturbations.push(finished as Perturbation);
    texts.add((finished as Perturbation).text);
    return true;
  };

  const usable = catalogue.filter(allowed);
  const promptQueue = interleaved(usable.filter((generator) => generator.scope === 'prompt'));
  const sentenceQueues = queuesBySentence(usable, parts.sentences, rng);
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
  fromPrompt(Math.floor(limit * PROMPT_SHARE));
  fromSentences();
  fromPrompt(limit);
  return { perturbations: perturbations.sort(byCatalogue), rejected };
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

/** For each sentence its own order: rewordings shuffled, then surface changes shuffled. */
function queuesBySentence(usable: Generator[], sentences: Sentence[], rng: Rng): SentenceGenerator[][] {
  const all = usable.filter((generator) => generator.scope === 'sentence');
  const rewordings = all.filter(({ kind }) => kind === 'rewording');
  const others = all.filter(({ kind }) => kind !== 'rewording');
  return sentences.map(() => [...shuffled(rewordings, rng), ...shuffled(others, rng)]);
}

/** Indices 0 … count−1: `room` of them evenly spread from first to last, then the others in order. */
function spreadOrder(count: number, room: number): number[] {
  const chosen = new Set<number>();
  const slots = Math.min(count, Math.max(1, room));
  for (let i = 0; i < slots; i++) chosen.add(slots === 1 ? 0 : Math.round((i * (count - 1)) / (slots - 1)));
  for (let i = 0; i < count; i++) chosen.add(i);
  return [...chosen];
}

const rank = new Map(catalogue.map(({ id }, i) => [id, i]));
const rankOf = ({ id }: Perturbation) => rank.get(id.split('@')[0]!)!;
const indexOf = ({ id }: Perturbation) => Number(id.split('@')[1] ?? -1);
const byCatalogue = (a: Perturbation, b: Perturbation) => indexOf(a) - indexOf(b) || rankOf(a) - rankOf(b);
