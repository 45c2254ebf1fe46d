/** Surface changes inside words and between them: look-alikes, invisible marks, punctuation, typos at a set rate. */
import type { TextEdit } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { LONG_WORD, swapSites } from './sentenceSurface';
import {
  freeMatches,
  isExampleAnswer,
  pick,
  shuffled,
  type PromptGenerator,
  type PromptParts,
  type SentenceGenerator,
} from './generator';

const wholePrompt = (text: string) => ({ start: 0, end: text.length });
const irrelevantSurface = { kind: 'surface', expectation: 'irrelevant', onRequest: true } as const;

/** Each letter with its double in another script: Latin and Cyrillic, Arabic and Persian, Han and radicals. */
const PAIRS: [string, string][] = [
  ...pairs(
    'aceiopsxyjABCEHKMOPTX',
    [
      0x430, 0x441, 0x435, 0x456, 0x43e, 0x440, 0x455, 0x445, 0x443, 0x458, 0x410, 0x412, 0x421, 0x415, 0x41d,
      0x41a, 0x41c, 0x41e, 0x420, 0x422, 0x425,
    ],
  ),
  ...pairs('يك', [0x6cc, 0x6a9]),
  ...pairs(
    '一人口大女子小工心手文方日月木水生用目立行言食高',
    [
      0x2f00, 0x2f08, 0x2f1d, 0x2f24, 0x2f25, 0x2f26, 0x2f29, 0x2f2f, 0x2f3c, 0x2f3f, 0x2f42, 0x2f45, 0x2f47,
      0x2f49, 0x2f4a, 0x2f54, 0x2f63, 0x2f64, 0x2f6c, 0x2f74, 0x2f8f, 0x2f94, 0x2fb7, 0x2fbc,
    ],
  ),
];
const DOUBLES = new Map([
  ...PAIRS,
  // Radicals stand in no text by themselves; the other scripts go both ways.
  ...PAIRS.filter(([, double]) => double < '\u2f00').map(([letter, double]): [string, string] => [
    double,
    letter,
  ]),
]);
const HAS_DOUBLE = new RegExp(`[${[...DOUBLES.keys()].join('')}]`, 'gu');

const lookAlike: SentenceGenerator = {
  ...irrelevantSurface,
  id: 'surface.look-alike',
  name: 'Look-alike letter',
  level: 1,
  scope: 'sentence',
  preserves: 'how the text looks',
  propose(parts, sentence, rng) {
    if (isExampleAnswer(parts, sentence)) return null;
    const site = pick(freeMatches(parts, sentence, HAS_DOUBLE), rng);
    return site
      ? {
          edits: [{ start: site.start, end: site.end, text: DOUBLES.get(site.match[0])! }],
          description: `One “${site.match[0]}” became a letter of another script that looks the same.`,
        }
      : null;
  },
};

/** Share of the words that get one. */
const LOOK_ALIKE_RATE = 0.1;
const lookAlikes: PromptGenerator = {
  ...irrelevantSurface,
  id: 'surface.look-alikes',
  name: 'Look-alike letters in a tenth of the words',
  level: 1,
  scope: 'prompt',
  preserves: 'how the text looks',
  propose(parts, rng) {
    const letters = freeMatches(parts, wholePrompt(parts.text), HAS_DOUBLE);
    // One a word, so that no two edits meet when they are widened to words.
    const words = new Map(letters.map((site) => [wordAt(parts.text, site.start), site]));
    const count = Math.max(1, Math.round(LOOK_ALIKE_RATE * words.size));
    const edits = shuffled([...words.values()], rng)
      .slice(0, count)
      .map(({ start, end, match }) => ({ start, end, text: DOUBLES.get(match[0])! }));
    return edits.length > 0
      ? {
          edits: inOrder(edits),
          description: `${edits.length === 1 ? 'One letter' : `${edits.length} letters`} became ones of another script that look the same.`,
        }
      : null;
  },
};

const betweenWords = (
  id: string,
  name: string,
  description: string,
  pattern: RegExp,
  text: string,
): SentenceGenerator => ({
  ...irrelevantSurface,
  id: `surface.${id}`,
  name,
  level: 0,
  scope: 'sentence',
  preserves: 'every word and every mark',
  propose(parts, sentence, rng) {
    const site = pick(freeMatches(parts, sentence, pattern), rng);
    return site ? { edits: [{ start: site.start, end: site.end, text }], description } : null;
  },
});

const noBreakSpace = betweenWords(
  'no-break-space',
  'No-break space',
  'A space between two words became a no-break space.',
  /(?<=[\p{L}\p{M}\p{N},]) (?=\p{L})/gu,
  '\u00a0',
);
const zeroWidthSpace = betweenWords(
  'zero-width-space',
  'Invisible character',
  'An invisible character (zero-width space) was put between two words.',
  /(?<=[\p{L}\p{M}\p{N},] )(?=\p{L})|(?<=\p{Script=Han})(?=\p{Script=Han})/gu,
  '\u200b',
);

const commas: SentenceGenerator = {
  ...irrelevantSurface,
  id: 'surface.commas',
  name: 'Without commas',
  level: 1,
  scope: 'sentence',
  preserves: 'every word',
  propose(parts, sentence) {
    const found = freeMatches(parts, sentence, /(?<=[\p{L}\p{M}])(?:,(?= \p{L})|[，،](?=\s?\p{L}))/gu);
    return found.length > 0
      ? {
          edits: found.map(({ start, end }) => ({ start, end, text: '' })),
          description: 'The commas of a sentence were left out.',
        }
      : null;
  },
};

const exclamation: SentenceGenerator = {
  ...irrelevantSurface,
  id: 'surface.exclamation-mark',
  name: 'Exclamation mark',
  level: 0,
  scope: 'sentence',
  preserves: 'every word',
  propose(parts, sentence) {
    const [stop] = freeMatches(parts, sentence, /(?<=[\p{L}\p{M}])[.。]$/gu);
    return stop
      ? {
          edits: [{ start: stop.start, end: stop.end, text: stop.match[0] === '。' ? '！' : '!' }],
          description: 'A full stop became an exclamation mark.',
        }
      : null;
  },
};

/** Above this share of mistyped words reading them is work. */
const LIGHT_TYPO_RATE = 0.1;

/**
 * Two neighbouring letters change places in a share of the long words (five letters or more) of the whole prompt.
 * @param rate in (0, 1]; at least one word is changed
 * @throws UserError `invalidOption`
 */
export function typosAtRate(rate: number): PromptGenerator {
  if (!(rate > 0 && rate <= 1)) {
    throw new UserError(
      'invalidOption',
      `The rate of typing mistakes is ${rate}.`,
      'Give a share above 0, at most 1.',
    );
  }
  const percent = Number((100 * rate).toPrecision(3));
  return {
    ...irrelevantSurface,
    id: `surface.typos-${percent}`,
    name: `Typing mistakes in ${percent}% of long words`,
    level: rate <= LIGHT_TYPO_RATE ? 1 : 2,
    scope: 'prompt',
    preserves: 'every other word; first and last letter of the words; names',
    propose(parts, rng) {
      const words = mistypable(parts);
      const edits = shuffled(words, rng)
        .slice(0, Math.max(1, Math.round(rate * words.length)))
        .map((sites) => pick(sites, rng)!);
      return edits.length > 0
        ? {
            edits: inOrder(edits),
            description: `Two letters changed places in ${edits.length === 1 ? 'one word' : `${edits.length} words`}.`,
          }
        : null;
    },
  };
}

const LONG_UNCASED_WORD =
  /(?<![\p{L}\p{M}])(?:(?=[\p{Script=Arabic}\p{Script=Hebrew}])\p{Lo}){5,}(?![\p{L}\p{M}])/gu;

/** For each word that may be mistyped, the ways to do it. */
function mistypable(parts: PromptParts): TextEdit[][] {
  return [LONG_WORD, LONG_UNCASED_WORD]
    .flatMap((pattern) => freeMatches(parts, wholePrompt(parts.text), pattern))
    .filter(({ match }) => !/^\p{Lu}/u.test(match[0]))
    .map(({ start, match }) => swapSites(match[0], start))
    .filter((sites) => sites.length > 0);
}

export const wordSurfaceGenerators: (PromptGenerator | SentenceGenerator)[] = [
  lookAlikes,
  typosAtRate(0.05),
  typosAtRate(0.2),
  lookAlike,
  noBreakSpace,
  zeroWidthSpace,
  commas,
  exclamation,
];

function pairs(letters: string, doubles: number[]): [string, string][] {
  return [...letters].map((letter, i) => [letter, String.fromCodePoint(doubles[i]!)]);
}

const inOrder = (edits: TextEdit[]) => edits.sort((a, b) => a.start - b.start);

/** Where the word around an offset begins; a letter of a script without cases is a word of its own. */
function wordAt(text: string, at: number): number {
  let start = at;
  while (start > 0 && /[\p{Lu}\p{Ll}\p{Lt}\p{M}\p{N}'’]/u.test(text[start - 1]!)) start--;
  return start;
}
