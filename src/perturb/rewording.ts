/** Rule-based rewordings of one English sentence: the same request in other words. */
import type { Span } from '../contracts/runRecord';
import type { Sentence } from '../prompts/sentences';
import {
  englishWords,
  freeMatches,
  pick,
  protectedAt,
  withCaseOf,
  type PromptParts,
  type Replacement,
  type SentenceGenerator,
} from './generator';
import { IMPERATIVES, IMPERATIVES_IN_CONTEXT, SYNONYMS } from './synonyms';

/** A generator that replaces one of the places that `find` offers. */
const rewording = (
  id: string,
  name: string,
  preserves: string,
  find: (parts: PromptParts, sentence: Sentence) => Replacement[],
): SentenceGenerator => ({
  id: `rewording.${id}`,
  kind: 'rewording',
  name,
  expectation: 'irrelevant',
  level: 0,
  scope: 'sentence',
  preserves,
  propose(parts, sentence, rng) {
    if (sentence.kind === 'heading' || isData(parts, sentence) || !isEnglish(parts, sentence)) return null;
    const site = pick(find(parts, sentence), rng);
    if (!site) return null;
    const was = parts.text.slice(site.start, site.end);
    return { edits: [site], description: `“${was.trim()}” became “${site.text.trim()}”.` };
  },
});

const CONTRACTIONS: [string, string][] = [
  ...['do', 'does', 'did', 'is', 'are', 'was', 'were', 'could', 'should', 'would', 'has', 'have', 'had'].map(
    (verb): [string, string] => [`${verb} not`, `${verb}n't`],
  ),
  ['cannot', "can't"],
  ['will not', "won't"],
];
/** Contracted only before a further word, as nobody writes “what they’re.” Not expanded: “it’s” may be “it has”. */
const PRONOUNS: [string, string][] = [
  ['you are', "you're"],
  ['they are', "they're"],
  ['we are', "we're"],
  ['it is', "it's"],
  ['you will', "you'll"],
];
const toContraction = new Map([...CONTRACTIONS, ...PRONOUNS]);
const toExpansion = new Map(
  [...CONTRACTIONS, ...PRONOUNS.filter(([, short]) => !short.startsWith('it'))].map(([long, short]) => [
    short,
    long,
  ]),
);

const contraction = rewording('contraction', 'Contraction', 'every other word', (parts, sentence) => [
  ...swaps(parts, sentence, wordPattern(CONTRACTIONS.map(([long]) => long)), (long) =>
    toContraction.get(long),
  ),
  ...swaps(
    parts,
    sentence,
    wordPattern(
      PRONOUNS.map(([long]) => long),
      '(?= [a-z])',
    ),
    (long) => toContraction.get(long),
  ),
]);

const expansion = rewording('expansion', 'Contraction written out', 'every other word', (parts, sentence) =>
  swaps(parts, sentence, wordPattern([...toExpansion.keys()]), (short) =>
    toExpansion.get(short.replace('’', "'")),
  ),
);

const synonym = rewording(
  'synonym',
  'Synonym',
  'every other word; quoted words and answers',
  (parts, sentence) =>
    SYNONYMS.flatMap(([pattern, replacement]) =>
      freeMatches(parts, sentence, new RegExp(pattern, `${pattern.flags}g`))
        .filter(({ match }) => match[0] !== match[0].toUpperCase())
        .map(({ start, end, match }) => ({
          start,
          end,
          text: withCaseOf(match[0], replacement.replace('$1', match[1] ?? '')),
        })),
    ),
);

const polite = rewording('polite', 'Polite form', 'the whole instruction', (parts, sentence) => {
  const words = parts.text.slice(sentence.start, sentence.end);
  const verb = (IMPERATIVES.exec(words) ?? IMPERATIVES_IN_CONTEXT.exec(words))?.[0];
  if (!verb || /\bplease\b/i.test(words) || protectedAt(parts, sentence.start, sentence.start + verb.length))
    return [];
  if (verb === verb.toUpperCase()) return [];
  const please = /^\p{Lu}/u.test(verb) ? 'Please' : 'please';
  const edit = { start: sentence.start, end: sentence.start + verb.length };
  return [{ ...edit, text: `${please} ${verb[0]!.toLowerCase()}${verb.slice(1)}` }];
});

const plain = rewording('plain', 'Without “please”', 'the whole instruction', (parts, sentence) =>
  freeMatches(parts, sentence, /^(?:please|kindly),? (\p{Ll})/giu).map(({ start, end, match }) => ({
    start,
    end,
    text: /^\p{Lu}/u.test(match[0]) ? match[1]!.toUpperCase() : match[1]!,
  })),
);

const ABBREVIATIONS = new Map([
  ['e.g.,', 'for example,'],
  ['e.g.', 'for example'],
  ['for example', 'e.g.'],
  ['for instance', 'for example'],
  ['i.e.,', 'that is,'],
  ['i.e.', 'that is,'],
  ['that is,', 'i.e.'],
  ['vs.', 'versus'],
  ['and so on', 'etc.'],
]);
const abbreviation = rewording('abbreviation', 'Abbreviation', 'every other word', (parts, sentence) =>
  swaps(
    parts,
    sentence,
    /(?<!\w)(?:(?:e\.g\.|i\.e\.),?|vs\.)(?!\w)|(?<=[(,;] ?)(?:for example|for instance|that is,)(?=,? \w)|\band so on(?=[,;)])/gi,
    (words) => ABBREVIATIONS.get(words),
  ),
);

const NUMBERS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const number = rewording('number', 'Number as word or digit', 'the number itself', (parts, sentence) => [
  ...swaps(parts, sentence, new RegExp(`\\b(?:${NUMBERS.join('|')})(?= [a-z]{3,}s\\b)`, 'gi'), (word) =>
    String(NUMBERS.indexOf(word) + 2),
  ),
  // Only after words that count: “Python 3 uses” and “step 2 explains” are names.
  ...swaps(
    parts,
    sentence,
    /(?<=\b(?:in|with|of|than|most|least|exactly|only|to|for|within|about|using|give|write|provide|list|name|return|into|between|and|or|these|the) )(?:[2-9]|10)(?= [a-z]{3,}s\b)/gi,
    (digits) => NUMBERS[Number(digits) - 2],
  ),
]);

/** In no order of preference: a selection varies them over the sentences. */
export const rewordingGenerators: SentenceGenerator[] = [
  polite,
  synonym,
  contraction,
  expansion,
  plain,
  abbreviation,
  number,
];

/** Text after a label such as `Review:` or `A:` is material, not instruction: its words are left alone. */
function isData(parts: PromptParts, sentence: Sentence): boolean {
  const lineStart = parts.text.lastIndexOf('\n', sentence.start - 1) + 1;
  const label = protectedAt(parts, lineStart, sentence.end);
  if (label?.kind !== 'label') return false;
  return !/^[-*+ _]*(?:task|instructions?|notes?|important|mandatory|rules?|goal|requirements?|constraints?|format|output|system|user|developer|guidelines?|warning)\b/i.test(
    parts.text.slice(label.start, label.end),
  );
}

const isEnglish = (parts: PromptParts, { start, end }: Span): boolean => {
  const words = parts.text.slice(start, end);
  return englishWords(words) >= 1 || (parts.english && words.split(/\s+/).length <= 6);
};

function swaps(
  parts: PromptParts,
  sentence: Span,
  pattern: RegExp,
  replace: (lowerCase: string) => string | undefined,
): Replacement[] {
  return freeMatches(parts, sentence, pattern).flatMap(({ start, end, match }) => {
    const words = match[0];
    // “do NOT” is emphasis: other spellings would lose it.
    const shouted = /\p{Lu}{2}/u.test(words);
    const text = shouted ? undefined : replace(words.toLowerCase());
    return text === undefined ? [] : [{ start, end, text: withCaseOf(words, text) }];
  });
}

const wordPattern = (words: string[], after = '') =>
  new RegExp(`(?<![\\w'’])(?:${words.join('|').replaceAll("'", "['’]")})(?![\\w'’])${after}`, 'gi');
