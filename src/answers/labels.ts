import { findAnswerLabels } from '../prompts/answerLabels';

export interface AnswerFormat {
  kind: 'yesNo' | 'options' | 'oneWord' | 'freeText';
  /** Allowed answers as the prompt spells them; only for `yesNo` and `options`. */
  options?: string[];
  /** The words of the prompt from which it was inferred; empty for `freeText`. */
  evidence: string;
}

/**
 * What form of answer a prompt asks for, from its own words (English): `Answer Yes or No`, lettered options,
 * `positive, negative or neutral`, `one of: a, b, c`, `in one word`. `freeText` when it does not say.
 */
export function inferAnswerFormat(prompt: string): AnswerFormat {
  const found = findAnswerLabels(prompt);
  if (found) {
    const options = found.labels.map(({ text }) => text);
    const lower = options.map((option) => option.toLowerCase());
    const yesNo = options.length === 2 && lower.includes('yes') && lower.includes('no');
    const evidence = prompt.slice(found.evidence.start, found.evidence.end);
    return { kind: yesNo ? 'yesNo' : 'options', options, evidence };
  }
  const oneWord =
    /\b(?:(?:in|with|using) (?:only |just |exactly )?(?:one|a single) word|one[- ]word (?:answer|reply|response|label)|(?:only|just) one word|a single word)\b/i.exec(
      prompt,
    );
  return oneWord ? { kind: 'oneWord', evidence: oneWord[0] } : { kind: 'freeText', evidence: '' };
}

/**
 * The label of an answer, spelled as in the format's options; null when the answer does not say exactly one.
 * It counts at the start of the answer, after `the answer is`, alone on the last line, or (except for yes/no and
 * letters, which are ordinary words too) as the only option that the answer mentions, unless negated.
 * `oneWord`: the word itself in small letters, when there is just one. `freeText`: always null.
 */
export function extractLabel(answer: string, format: AnswerFormat): string | null {
  const text = answer.trim();
  if (format.kind === 'oneWord') {
    const word = bare(text);
    return /^[\p{L}\p{M}\p{N}'’_-]+$/u.test(word) ? word.toLowerCase() : null;
  }
  const options = format.options ?? [];
  if (options.length === 0 || text === '') return null;
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  const exact =
    options.find((option) => same(bare(text), option)) ??
    options.find((option) => same(bare(lastLine), option));
  if (exact !== undefined) return exact;

  const letters = options.every((option) => /^[A-Z]$/.test(option));
  const concluded = concludedOption(text, options, letters);
  if (concluded !== undefined) return concluded;
  const opening = options.filter((option) => opens(text, option, letters));
  if (opening.length > 0)
    return opening.reduce((longest, option) => (option.length > longest.length ? option : longest));
  if (letters || format.kind === 'yesNo') return null;
  return onlyMention(text, options);
}

/** Longest first, so that `very positive` wins over `positive`. */
const alternatives = (options: string[]) =>
  [...options]
    .sort((a, b) => b.length - a.length)
    .map(escapeRegExp)
    .join('|');

function concludedOption(text: string, options: string[], letters: boolean): string | undefined {
  const pattern = new RegExp(
    String.raw`\b(?:answer|option|choice|label|classification|sentiment|category)(?: is|:|=){1,4}[\s("'“*\x60]{0,20}(?:option )?[\s("'“*\x60]{0,20}(${alternatives(options)})(?![\p{L}\p{N}])`,
    'giu',
  );
  // `the answer is a doctor` names no option A.
  const last = [...text.matchAll(pattern)]
    .map(([, option]) => option!)
    .findLast((option) => !letters || options.includes(option));
  return last === undefined ? undefined : options.find((option) => same(option, last));
}

/** `Yes, it is`; `(B) Paris`; `B) Paris`. A bare `A` or `I` before a word is an ordinary word. */
function opens(text: string, option: string, letters: boolean): boolean {
  const after = letters
    ? option === 'A' || option === 'I'
      ? String.raw`\s*(?:[).:,]|$|\n)`
      : String.raw`(?![\p{L}\p{N}'’])`
    : String.raw`(?![\p{L}\p{N}_-])`;
  return new RegExp(
    String.raw`^[\s("'“‘*_\x60\[-]*${escapeRegExp(option)}${after}`,
    letters ? 'u' : 'iu',
  ).test(text);
}

function onlyMention(text: string, options: string[]): string | null {
  const mentions = [
    ...text.matchAll(
      new RegExp(String.raw`(?<![\p{L}\p{N}])(${alternatives(options)})(?![\p{L}\p{N}])`, 'giu'),
    ),
  ];
  const first = mentions[0];
  if (!first || mentions.some((mention) => !same(mention[1]!, first[1]!))) return null;
  const negated = mentions.some(({ index }) =>
    /\b(?:not|n't|neither|nor|never|isn’t)\s+(?:\w+\s+)?$/i.test(text.slice(Math.max(0, index - 30), index)),
  );
  return negated ? null : options.find((option) => same(option, first[1]!))!;
}

/** Longer than any label with its marks; nothing that long is read to its end here. */
const LONGEST_BARE = 400;
const bare = (text: string) =>
  text
    .trim()
    .slice(0, LONGEST_BARE)
    .replace(/^[\s"'“‘(*_`[]+|[\s"'”’).,!;:*_`\]]+$/g, '');
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
