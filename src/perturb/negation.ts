/** Where an English sentence can be turned into its contrary by one “not”, and which “not” can be taken out. */
import type { Sentence } from '../prompts/sentences';
import { freeMatches, protectedAt, type PromptParts, type Replacement } from './generator';
import { IMPERATIVES, IMPERATIVES_IN_CONTEXT } from './synonyms';

const PRONOUN = '(?:it|he|she|they|you|we|I|this|that|there)';
const NAME = String.raw`(?:\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*)*)`;
const BE = '(?:is|are|was|were)';
const DO = '(?:do|does|did|can|could|will|would|should|must|has|have|had)';

/** Of the sentence, or behind a label such as `Q:`. */
const START = '(?:^|: )["“]?';

/** Places before which “not” goes: zero-width, behind the space. */
const STATEMENTS = [
  // `The pond is bloated`; not before a pronoun, as that would be a question, nor where it is negated already.
  new RegExp(
    String.raw`(?<=[\p{Ll}\p{N}'’"”)] (?:${BE}|can|could|will|would|should|must|may) )(?=\p{Ll})(?!not\b|never\b|no\b|${PRONOUN}\b)`,
    'gu',
  ),
];
const QUESTIONS = [
  // `Is Paris the capital …`, `Was it invented …`
  new RegExp(
    String.raw`(?<=${START}${opening(BE)} (?:${NAME}|${PRONOUN}|\p{Ll}+(?<![uis])s)(?<!['’]s?) )(?=(?:an?|the|in|on|at|from|more|less|\p{Ll}+(?:ed|ing|er|ous|al|able|ible))\b)`,
    'gu',
  ),
  // `Did Monty Python write …`, `Do koalas prefer …`
  new RegExp(
    String.raw`(?<=${START}${opening(DO)} (?:${NAME}|${PRONOUN}|\p{Ll}+(?<![uis])s)(?<!['’]s?) )(?=\p{Ll})(?!(?:not|and|or|of|in|to|for)\b)`,
    'gu',
  ),
  // `Which of these is …`, `What would help …`
  new RegExp(
    String.raw`(?<=\b(?:which|what|who)\b[^,?]{0,60} (?:${BE}|can|could|will|would|should) )(?=\p{Ll})(?!not\b|${PRONOUN}\b|an? |the )`,
    'giu',
  ),
];

const NEGATED: [RegExp, string][] = [
  [
    new RegExp(String.raw`\b(${BE}|can|could|will|would|should|must|do|does|did|has|have|had) not `, 'giu'),
    '$1 ',
  ],
  [/(?<=\b(?:is|are|was|were|could|should|would|does|did|has|have|had))n['’]t\b/giu, ''],
  [/\bcannot\b/giu, 'can'],
  [/\bcan['’]t\b/giu, 'can'],
  [/\bwon['’]t\b/giu, 'will'],
];

/** Every way to negate the sentence, or to affirm it where it is negated. None in other languages than English. */
export function negations(parts: PromptParts, sentence: Sentence): Replacement[] {
  const affirmed = [...imperativeAffirmed(parts, sentence), ...statementAffirmed(parts, sentence)];
  if (affirmed.length > 0) return affirmed;
  const words = parts.text.slice(sentence.start, sentence.end);
  if (/\b(?:not|never|no|nor|neither|none|nothing|without)\b|n['’]t\b/i.test(words)) return [];
  const places = /\?["'”’)*_]*$/.test(words) ? QUESTIONS : STATEMENTS;
  return [
    ...imperativeNegated(parts, sentence),
    ...places
      .flatMap((pattern) => freeMatches(parts, sentence, pattern))
      .map(({ start }) => ({ start, end: start, text: 'not ' })),
  ];
}

function statementAffirmed(parts: PromptParts, sentence: Sentence): Replacement[] {
  return NEGATED.flatMap(([pattern, text]) =>
    freeMatches(parts, sentence, pattern)
      .filter(({ start, match }) => !(start === sentence.start && /^(?:do|does) not/i.test(match[0])))
      .filter(({ match }) => !/NOT/.test(match[0]))
      .map(({ start, end, match }) => ({ start, end, text: text.replace('$1', match[1] ?? '') })),
  );
}

/** `Do not guess.` becomes `Guess.` */
function imperativeAffirmed(parts: PromptParts, sentence: Sentence): Replacement[] {
  return freeMatches(parts, sentence, /^(?:do not|don['’]t|never) (\p{Ll})/giu).map(
    ({ start, end, match }) => ({
      start,
      end,
      text: /^\p{Lu}/u.test(match[0]) ? match[1]!.toUpperCase() : match[1]!,
    }),
  );
}

/** `Answer in one word.` becomes `Do not answer in one word.` */
function imperativeNegated(parts: PromptParts, sentence: Sentence): Replacement[] {
  const words = parts.text.slice(sentence.start, sentence.end);
  const verb = (IMPERATIVES.exec(words) ?? IMPERATIVES_IN_CONTEXT.exec(words))?.[0];
  if (!verb || /\?$/.test(words) || verb === verb.toUpperCase()) return [];
  const end = sentence.start + verb.length;
  if (protectedAt(parts, sentence.start, end)) return [];
  const not = /^\p{Lu}/u.test(verb) ? 'Do not' : 'do not';
  return [{ start: sentence.start, end, text: `${not} ${verb[0]!.toLowerCase()}${verb.slice(1)}` }];
}

/** At the start of a sentence, with or without its capital. */
function opening(alternatives: string): string {
  return alternatives.replace(/\b[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}
