/**
 * Rule-based mistakes: one thing of one sentence is wrong, in the place of the editor model of the strength paper
 * (arXiv 2609.30849). Levels by construction: 2 where a quantity is off (the question is another, its answer may well
 * stay), 3 where a statement is turned round or is about something else.
 */
import type { Span } from '../contracts/runRecord';
import type { Sentence } from '../prompts/sentences';
import {
  freeMatches,
  isExampleAnswer,
  pick,
  protectedAt,
  withCaseOf,
  type PromptParts,
  type Replacement,
  type SentenceGenerator,
} from './generator';
import { ANTONYMS, CHINESE_UNITS, ENTITIES, NOT_ANTONYM, NUMBER_WORDS, UNITS } from './mistakeWords';
import { negations } from './negation';
import type { Rng } from '../stats/rng';

const mistake = (
  what: string,
  name: string,
  level: 2 | 3,
  preserves: string,
  find: (parts: PromptParts, sentence: Sentence, rng: Rng) => Replacement[],
): SentenceGenerator => ({
  id: `mistake.${what}`,
  kind: 'mistake',
  name,
  expectation: 'meaningful',
  level,
  scope: 'sentence',
  onRequest: true,
  preserves,
  propose(parts, sentence, rng) {
    if (sentence.kind === 'heading' || isExampleAnswer(parts, sentence)) return null;
    const site = pick(find(parts, sentence, rng), rng);
    if (!site) return null;
    const edit = withArticle(parts, sentence, site);
    const was = parts.text.slice(edit.start, edit.end).trim();
    const is = edit.text.trim();
    const description =
      was === '' ? `“${is}” was put in.` : is === '' ? `“${was}” was left out.` : `“${was}” became “${is}”.`;
    return { edits: [edit], description };
  },
});

/** Not part of a name (`GPT-4`), a version, a date, a reference or a range. */
const NUMBER = /(?<![\p{Lu}\p{Ll}\p{N}_./:#-])\p{Nd}+(?:[.,٫٬]\p{Nd}+)*(?![\p{Lu}\p{Ll}\p{N}_/:-]|\.\p{N})/gu;

const number = mistake(
  'number',
  'Wrong number',
  2,
  'every other word; form of the number',
  (parts, sentence, rng) => [
    ...freeMatches(parts, sentence, NUMBER).flatMap(({ start, end, match }) => {
      const text = wrongNumber(match[0], rng);
      return text === null ? [] : [{ start, end, text }];
    }),
    ...freeMatches(parts, sentence, wordPattern(NUMBER_WORDS, 'gi'))
      .filter((site) => !isPartOfName(parts.text, sentence, site))
      .map(({ start, end, match }) => ({
        start,
        end,
        text: withCaseOf(match[0], other(NUMBER_WORDS, match[0].toLowerCase(), rng)),
      })),
  ],
);

/** First digits of the scripts that write numbers with ten digits of their own, as people mix them with words. */
const ZEROS = [0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];

/** The leading digit becomes another; of a year the decade, so that it stays a year. Null for unknown digits. */
function wrongNumber(written: string, rng: Rng): string | null {
  const zero = ZEROS.find((code) => valueOf(written, 0, code) !== null);
  if (zero === undefined) return null;
  const year = written.length === 4 && /^(?:1\d|20)/.test(written);
  let at = year ? 2 : 0;
  while (!year && at < written.length - 1 && !(Number(valueOf(written, at, zero)) > 0)) at++;
  const digit = valueOf(written, at, zero);
  if (digit === null) return null;
  const choices = [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((value) => value !== digit);
  return written.slice(0, at) + String.fromCodePoint(zero + pick(choices, rng)!) + written.slice(at + 1);
}

function valueOf(written: string, at: number, zero: number): number | null {
  const value = written.charCodeAt(at) - zero;
  return value >= 0 && value <= 9 ? value : null;
}

const COUNTED = String.raw`(?<=(?:\p{N}|(?<!\p{L})(?:an?|one|${NUMBER_WORDS.join('|')}|few|several|many|per|each|every))[ -]?)`;
const UNIT = new RegExp(
  `${COUNTED}(?:${UNITS.flat(2)
    .sort((a, b) => b.length - a.length)
    .join('|')})(?![\\p{L}\\p{N}])`,
  'gu',
);
const CHINESE_UNIT = new RegExp(
  `(?<=[\\p{Nd}一二两三四五六七八九十百千万几])(?:${CHINESE_UNITS.flat().join('|')})`,
  'gu',
);

const unit = mistake('unit', 'Wrong unit', 2, 'every other word and number', (parts, sentence, rng) => [
  ...freeMatches(parts, sentence, UNIT).map(({ start, end, match }) => {
    const family = UNITS.find((units) => units.some((spellings) => spellings.includes(match[0])))!;
    const own = family.find((spellings) => spellings.includes(match[0]))!;
    const [one, many] = other(family, own, rng);
    return { start, end, text: match[0] === own[0] ? one : many };
  }),
  ...freeMatches(parts, sentence, CHINESE_UNIT).map(({ start, end, match }) => ({
    start,
    end,
    text: other(
      CHINESE_UNITS.find((units) => units.includes(match[0]))!,
      match[0],
      rng,
    ),
  })),
]);

const opposites = new Map<string, string>();
for (const [a, b] of ANTONYMS) {
  if (!opposites.has(a)) opposites.set(a, b);
  if (!opposites.has(b)) opposites.set(b, a);
}
const ANTONYM = wordPattern([...opposites.keys()], 'gi');
const antonym = mistake('antonym', 'Opposite word', 3, 'every other word', (parts, sentence) =>
  freeMatches(parts, sentence, ANTONYM)
    .filter(
      (site) => site.match[0] !== site.match[0].toUpperCase() && !inFixedPhrase(parts.text, sentence, site),
    )
    .map(({ start, end, match }) => ({
      start,
      end,
      text: withCaseOf(match[0], opposites.get(match[0].toLowerCase())!),
    })),
);

function inFixedPhrase(text: string, sentence: Sentence, { start, end }: Span): boolean {
  const word = text.slice(start, end);
  return NOT_ANTONYM.test(`${text.slice(sentence.start, start)}⟦${word}⟧${text.slice(end, sentence.end)}`);
}

const negation = mistake('negation', 'Negation', 3, 'every other word', negations);

const ENTITY_CLASS = new Map(ENTITIES.flatMap((names) => names.map((name) => [name, names] as const)));
const HAN = /\p{Script=Han}/u;
const ENTITY = new RegExp(
  [
    wordPattern(
      [...ENTITY_CLASS.keys()].filter((name) => !HAN.test(name)),
      'gu',
    ).source,
    ...[...ENTITY_CLASS.keys()].filter((name) => HAN.test(name)),
  ].join('|'),
  'gu',
);
const entity = mistake('entity', 'Another name of its class', 3, 'every other word', (parts, sentence, rng) =>
  freeMatches(parts, sentence, ENTITY)
    .filter((site) => !isPartOfName(parts.text, sentence, site))
    .map(({ start, end, match }) => ({
      start,
      end,
      text: other(ENTITY_CLASS.get(match[0])!, match[0], rng),
    })),
);

export const mistakeGenerators: SentenceGenerator[] = [number, unit, negation, antonym, entity];

/** `a correct answer` becomes `an incorrect answer`. */
function withArticle(parts: PromptParts, sentence: Sentence, site: Replacement): Replacement {
  const before = /(?<![\p{L}\p{N}])(a|an) $/iu.exec(parts.text.slice(sentence.start, site.start))?.[1];
  if (before === undefined) return site;
  const vowel = /^[aeio]|^u(?!n[ai]|s|r[aiou])/i.test(site.text);
  const article = before[0]! + (vowel ? 'n' : '');
  const start = site.start - before.length - 1;
  if (article.length === before.length || protectedAt(parts, start, site.start)) return site;
  return { start, end: site.end, text: `${article} ${site.text}` };
}

/** `Monty Python`, `Six Flags`: a word with a capital beside another one, the first of the sentence aside. */
function isPartOfName(text: string, sentence: Span, { start, end }: Span): boolean {
  if (!/^\p{Lu}/u.test(text.slice(start, end))) return false;
  return (
    /^ \p{Lu}/u.test(text.slice(end, Math.min(end + 3, sentence.end))) ||
    /(?<=[^:] )\p{Lu}[\p{L}.]* $/u.test(text.slice(sentence.start, start))
  );
}

function wordPattern(words: readonly string[], flags: 'gi' | 'gu'): RegExp {
  const longestFirst = [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll('+', '\\+'));
  return new RegExp(
    `(?<![\\p{L}\\p{N}_-])(?:${longestFirst.join('|')})(?![\\p{L}\\p{N}_-])`,
    flags === 'gi' ? 'giu' : flags,
  );
}

const other = <T>(family: readonly T[], own: T, rng: Rng): T =>
  pick(
    family.filter((member) => member !== own),
    rng,
  )!;
