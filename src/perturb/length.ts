/** More text or less: padding, repetition and unrelated context should not matter, cutting may well. */
import type { Span } from '../contracts/runRecord';
import {
  freeMatches,
  isExampleAnswer,
  protectedAt,
  type PromptGenerator,
  type PromptParts,
  type SentenceGenerator,
} from './generator';

type Language = 'english' | 'chinese' | 'arabic';

/** One sentence that asks for nothing and adds nothing. */
const FILLER: Record<Language, string> = {
  english: 'Here is something for you to read, and thank you for the time that you take over it.',
  chinese: '下面的内容请你阅读，感谢你花时间。',
  arabic: 'فيما يلي نص لتقرأه، وشكرًا على وقتك.',
};
/** One fact that no prompt asks about. */
const UNRELATED: Record<Language, string> = {
  english: 'The old lighthouse on the hill was painted again last spring.',
  chinese: '山上的旧灯塔去年春天重新粉刷过。',
  arabic: 'أعيد طلاء المنارة القديمة على التل في الربيع الماضي.',
};
const UNRELATED_PARAGRAPH: Record<Language, string> = {
  english:
    'The old lighthouse on the hill was painted again last spring. The work took eleven days, because rain kept the painters indoors for most of a week. Visitors climb the stairs on Sundays and look at the harbour, where the fishing boats lie side by side. In the café beside the tower they sell apple cake and postcards. At dusk the keeper, who has lived there since he was young, walks around the garden once and closes the gate.',
  chinese:
    '山上的旧灯塔去年春天重新粉刷过。因为下雨，工人们用了十一天才完工。每逢星期天，游客们会登上楼梯，眺望港口里并排停着的渔船。塔旁的咖啡馆卖苹果蛋糕和明信片。傍晚，看塔人绕着花园走一圈，然后关上大门。',
  arabic:
    'أعيد طلاء المنارة القديمة على التل في الربيع الماضي. استغرق العمل أحد عشر يومًا بسبب المطر. في أيام الأحد يصعد الزوار الدرج وينظرون إلى الميناء حيث ترسو قوارب الصيد. في المقهى المجاور للبرج تباع كعكة التفاح والبطاقات البريدية. وعند الغروب يتجول الحارس في الحديقة ثم يغلق البوابة.',
};

const length = (
  what: string,
  name: string,
  level: 0 | 1 | 2,
  preserves: string,
  propose: PromptGenerator['propose'],
): PromptGenerator => ({
  id: `length.${what}`,
  kind: 'length',
  name,
  expectation: level === 2 ? 'meaningful' : 'irrelevant',
  level,
  scope: 'prompt',
  onRequest: true,
  preserves,
  propose,
});

const BLANK_LINES = 10;
const blankLines = length(
  'blank-lines',
  'Ten blank lines at the end',
  0,
  'every word and mark',
  ({ text }) => ({
    edits: [{ start: text.length, end: text.length, text: '\n'.repeat(BLANK_LINES) }],
    description: `${BLANK_LINES} blank lines were added at the end.`,
  }),
);

const before = (what: string, name: string, level: 0 | 1, texts: Record<Language, string>, said: string) =>
  length(what, name, level, 'the whole prompt, below the added line', (parts) => {
    const first = parts.sentences[0];
    if (!first) return null;
    const language = languageOf(parts);
    if (language === null) return { reason: 'there is no text to add in the language of the prompt' };
    const at = parts.text.lastIndexOf('\n', first.start - 1) + 1;
    return { edits: [{ start: at, end: at, text: `${texts[language]}\n` }], description: said };
  });

const filler = before(
  'padding',
  'Empty phrase before',
  0,
  FILLER,
  'A phrase that says nothing was put before the prompt.',
);
const unrelated = before(
  'irrelevant-sentence',
  'Unrelated sentence before',
  1,
  UNRELATED,
  'A sentence about something else was put before the prompt.',
);
const unrelatedParagraph = before(
  'irrelevant-paragraph',
  'Unrelated paragraph before',
  1,
  UNRELATED_PARAGRAPH,
  'A paragraph about something else was put before the prompt.',
);

const repeatLast = length(
  'repeat-last',
  'Last sentence twice',
  0,
  'the whole prompt, above the repetition',
  (parts) => {
    const { text, sentences } = parts;
    const last = sentences.at(-1);
    if (!last || last.kind === 'heading') return null;
    if (holdsStructure(parts, last))
      return { reason: 'its last sentence holds parts that must not be doubled' };
    return {
      edits: [
        { start: text.length, end: text.length, text: `${lineEnd(text)}${text.slice(last.start, last.end)}` },
      ],
      description: 'The last sentence was said again at the end.',
    };
  },
);

const repeatAll = length(
  'repeat-all',
  'Prompt twice',
  0,
  'the whole prompt, above the repetition',
  (parts) => {
    const { text } = parts;
    if (parts.sentences.length === 0) return null;
    if (holdsStructure(parts, { start: 0, end: text.length }))
      return { reason: 'the prompt holds parts that must not be doubled' };
    return {
      edits: [{ start: text.length, end: text.length, text: `${lineEnd(text)}${text.trim()}` }],
      description: 'The whole prompt was said again at the end.',
    };
  },
);

const dropLast = length('drop-last', 'Without its last sentence', 2, 'everything before it', (parts) => {
  const { text, sentences } = parts;
  const last = sentences.at(-1);
  const previous = sentences.at(-2);
  if (!last || !previous) return null;
  const lineStart = text.lastIndexOf('\n', last.start - 1) + 1;
  const marker = /^[ \t]*(?:[-*+•] +)?$/.test(text.slice(lineStart, last.start));
  const sameLine = text.slice(previous.end, last.start).trim() === '' && previous.end > lineStart;
  const start = sameLine ? previous.end : marker ? lineStart : last.start;
  if (protectedAt(parts, start, last.end)) return { reason: 'its last sentence holds protected parts' };
  return {
    edits: [{ start, end: last.end, text: '' }],
    description: 'The last sentence was left out.',
    sentence: null,
  };
});

const wordSegmenter = new Intl.Segmenter('en', { granularity: 'word' });
const SHORTEST_CUT_WORDS = 6;

const cutSentence: SentenceGenerator = {
  id: 'length.cut-sentence',
  kind: 'length',
  name: 'Sentence cut in the middle',
  expectation: 'meaningful',
  level: 2,
  scope: 'sentence',
  onRequest: true,
  preserves: 'the first half of the sentence and its last mark',
  propose(parts, sentence) {
    if (sentence.kind === 'heading' || isExampleAnswer(parts, sentence)) return null;
    const words = [...wordSegmenter.segment(parts.text.slice(sentence.start, sentence.end))].filter(
      ({ isWordLike }) => isWordLike,
    );
    if (words.length < SHORTEST_CUT_WORDS) return null;
    const kept = words[Math.ceil(words.length / 2) - 1]!;
    const last = words.at(-1)!;
    const start = sentence.start + kept.index + kept.segment.length;
    const end = sentence.start + last.index + last.segment.length;
    if (protectedAt(parts, start, end) || freeMatches(parts, { start, end }, /[*_“”"()]/g).length > 0)
      return null;
    return { edits: [{ start, end, text: '' }], description: 'The second half of a sentence was cut off.' };
  },
};

export const lengthGenerators: (PromptGenerator | SentenceGenerator)[] = [
  filler,
  unrelated,
  repeatLast,
  blankLines,
  unrelatedParagraph,
  repeatAll,
  dropLast,
  cutSentence,
];

/** Said twice, a quotation or an allowed answer is still the same; a variable or a few-shot label is not. */
const holdsStructure = ({ guard }: PromptParts, { start, end }: Span): boolean =>
  guard.some(
    (part) => part.start < end && part.end > start && part.kind !== 'quoted' && part.kind !== 'answerLabel',
  );

const lineEnd = (text: string) => (text.endsWith('\n') ? '' : '\n');

/** Of the prompt's prose, as far as its script and its common words tell. */
function languageOf({ text, english }: PromptParts): Language | null {
  const letters = text.slice(0, 5_000).match(/\p{L}/gu) ?? [];
  const share = (pattern: RegExp) =>
    letters.filter((letter) => pattern.test(letter)).length / Math.max(1, letters.length);
  if (share(/[\p{Script=Hiragana}\p{Script=Katakana}]/u) > 0) return english ? 'english' : null;
  if (share(/\p{Script=Han}/u) > 0.4) return 'chinese';
  // Persian and Urdu share the script, not the language.
  if (share(/\p{Script=Arabic}/u) > 0.4) return /[پچژگٹڈ\u06cc\u06a9]/.test(text) ? null : 'arabic';
  return english ? 'english' : null;
}
