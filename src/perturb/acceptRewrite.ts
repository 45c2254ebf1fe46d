/** Is what a writer model made of a sentence fit for use? Checks that need no model; each failure has its reason. */

export type WrittenKind = 'rewording' | 'mistake';

/**
 * Why a rewritten sentence must not be used; null when nothing speaks against it. Both kinds: it is not the original in
 * other marks, has its form (question or not, one line), its script and about its length, and does not speak of the
 * task. A rewording must keep every number and be negated exactly if the original is; a mistake must leave most
 * words. English, German, French, Spanish, Chinese and Arabic negations are known. What the words mean nobody checks.
 */
export function whyUnfit(kind: WrittenKind, original: string, written: string): string | null {
  if (written === '') return 'it is empty';
  if (bare(written) === bare(original)) return 'it equals the original';
  if (!original.includes('\n') && written.includes('\n')) return 'it has several lines';
  if (TALK.test(written) && !TALK.test(original)) return 'it speaks about the task';
  if (isQuestion(original) !== isQuestion(written))
    return isQuestion(original) ? 'it is no longer a question' : 'it became a question';
  if (scriptOf(original) !== scriptOf(written)) return 'it is in another script';
  const ratio = written.length / original.length;
  const slack = original.length < SHORT_CHARACTERS ? 2 : 1;
  if (ratio > LONGEST * slack) return 'it is much longer than the original';
  if (ratio < SHORTEST / slack) return 'it is much shorter than the original';
  const kept = sharedWords(original, written);
  if (kind === 'mistake') {
    return kept < LEAST_KEPT_BY_MISTAKE ? 'it is another sentence, not the same with one mistake' : null;
  }
  if (kept === 0) return 'it has no word in common with the original';
  if (String(numbersIn(original)) !== String(numbersIn(written))) return 'its numbers differ';
  if (NEGATION.test(original) !== NEGATION.test(written)) return 'one is negated, the other is not';
  return null;
}

const SHORT_CHARACTERS = 40;
const LONGEST = 2;
const SHORTEST = 0.4;
const LEAST_KEPT_BY_MISTAKE = 0.5;

const TALK =
  /\b(?:re-?writ(?:e|ten|ing)|paraphras\w*|rephras\w*|re-?word(?:ed|ing)|original (?:sentence|text|meaning)|as an ai|i cannot|i can't|i'm sorry|the mistake|one mistake)\b|<\/?sentence>/i;
const NEGATION =
  /(?<!\p{L})(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|nicht|kein\p{L}*|nie|niemals|ohne|ne|pas|jamais|sans|nunca|sin|لا|لم|لن|ليس\p{L}*|غير|بدون)(?!\p{L})|n['’]t(?!\p{L})|[不没無无勿未非]|别(?=\p{Script=Han})/iu;

const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
const isQuestion = (text: string) => /[?？؟]["'”’)*_\s]*$/.test(text);

/** The script of most letters. */
function scriptOf(text: string): string {
  const counts = SCRIPTS.map(([name, pattern]) => ({ name, count: text.match(pattern)?.length ?? 0 }));
  const most = counts.reduce((best, next) => (next.count > best.count ? next : best));
  return most.count === 0 ? 'none' : most.name;
}
const SCRIPTS: [string, RegExp][] = [
  ['Latin', /\p{Script=Latin}/gu],
  ['Cyrillic', /\p{Script=Cyrillic}/gu],
  ['Greek', /\p{Script=Greek}/gu],
  ['Arabic', /\p{Script=Arabic}/gu],
  ['Hebrew', /\p{Script=Hebrew}/gu],
  ['Devanagari', /\p{Script=Devanagari}/gu],
  ['Thai', /\p{Script=Thai}/gu],
  ['Hangul', /\p{Script=Hangul}/gu],
  ['Kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['Han', /\p{Script=Han}/gu],
];

const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });
const wordsIn = (text: string): string[] =>
  [...wordSegmenter.segment(text.toLowerCase())]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);

/** Share of the original's words that the other text has too, each as often as it stands there. */
function sharedWords(original: string, written: string): number {
  const left = new Map<string, number>();
  for (const word of wordsIn(written)) left.set(word, (left.get(word) ?? 0) + 1);
  const words = wordsIn(original);
  let shared = 0;
  for (const word of words) {
    const count = left.get(word) ?? 0;
    if (count > 0) shared++;
    left.set(word, count - 1);
  }
  return words.length === 0 ? 1 : shared / words.length;
}

const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const NUMBER = new RegExp(
  `\\p{Nd}+(?:[.,٫٬]\\p{Nd}+)*|(?<!\\p{L})(?:${WORDS.slice(2).join('|')})(?!\\p{L})`,
  'giu',
);

/** Sorted, digits and words alike; `one` is mostly a pronoun and does not count. */
function numbersIn(text: string): string[] {
  return (text.match(NUMBER) ?? [])
    .map((number) => {
      const word = WORDS.indexOf(number.toLowerCase());
      return word >= 0 ? String(word) : number;
    })
    .sort();
}
