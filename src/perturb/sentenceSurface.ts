/** Changes of the surface of one sentence: they show which sentence wobbles where no rewording fits. */
import type { TextEdit } from '../contracts/runRecord';
import { freeMatches, pick, protectedAt, type SentenceGenerator } from './generator';

const innerSpace: SentenceGenerator = {
  id: 'surface.inner-space',
  kind: 'surface',
  name: 'Double space inside a sentence',
  expectation: 'irrelevant',
  level: 0,
  scope: 'sentence',
  preserves: 'every word and every mark',
  propose(parts, sentence, rng) {
    const gap = pick(freeMatches(parts, sentence, /(?<=[\p{L}\p{M}\p{N},]) (?=\p{L})/gu), rng);
    return gap
      ? {
          edits: [{ start: gap.end, end: gap.end, text: ' ' }],
          description: 'Two spaces stand between two words.',
        }
      : null;
  },
};

const emphasis: SentenceGenerator = {
  id: 'surface.emphasis',
  kind: 'surface',
  name: 'Sentence in bold',
  expectation: 'irrelevant',
  level: 1,
  scope: 'sentence',
  preserves: 'every word and every mark',
  propose(parts, { start, end, kind }) {
    const marked = /[*_]/.test(parts.text.slice(start, end));
    if (
      kind !== 'prose' ||
      marked ||
      protectedAt(parts, start, start + 1) ||
      protectedAt(parts, end - 1, end)
    )
      return null;
    return {
      edits: [
        { start, end: start, text: '**' },
        { start: end, end, text: '**' },
      ],
      description: 'The sentence was put in bold.',
    };
  },
};

/** Words of at least five small letters in scripts that have case; names and acronyms are left alone. */
export const LONG_WORD = /(?<![\p{L}\p{M}\p{N}'’_-])\p{L}\p{Ll}{4,}(?![\p{L}\p{M}\p{N}'’_-])/gu;

const typo: SentenceGenerator = {
  id: 'surface.typo',
  kind: 'surface',
  name: 'Typing mistake',
  expectation: 'irrelevant',
  level: 1,
  scope: 'sentence',
  preserves: 'every other word; first and last letter of the word; names',
  propose(parts, sentence, rng) {
    const words = freeMatches(parts, sentence, LONG_WORD).filter(
      ({ start, match }) => start === sentence.start || /^\p{Ll}/u.test(match[0]),
    );
    const sites = words.flatMap(({ start, match }) =>
      swapSites(match[0], start).map((edit) => ({ word: match[0], edit })),
    );
    const site = pick(sites, rng);
    return site ? { edits: [site.edit], description: `Two letters of “${site.word}” changed places.` } : null;
  },
};

/** Words that a swap would turn into one another: no typing mistakes, but other words. */
const REAL_WORDS = new Set(
  'trial trail quiet quite diary dairy casual causal untied united sacred scared filed field silver sliver split spilt board broad beard bread marital martial tired tried angle angel'.split(
    ' ',
  ),
);

/** Every swap of two neighbouring letters that makes a typing mistake of a word that begins at `start`. */
export const swapSites = (word: string, start: number): TextEdit[] =>
  innerPairs(word).map((at) => ({
    start: start + at,
    end: start + at + 2,
    text: word[at + 1]! + word[at]!,
  }));

/** Offsets of two different neighbouring letters that are neither first nor last; none beyond the BMP. */
function innerPairs(word: string): number[] {
  const offsets: number[] = [];
  for (let i = 1; i + 2 < word.length; i++) {
    const swapped = word.slice(0, i) + word[i + 1]! + word[i]! + word.slice(i + 2);
    if (swapped === word || /[\uD800-\uDFFF]/.test(word.slice(i, i + 2)) || REAL_WORDS.has(swapped)) continue;
    offsets.push(i);
  }
  return offsets;
}

export const sentenceSurfaceGenerators: SentenceGenerator[] = [innerSpace, typo, emphasis];
