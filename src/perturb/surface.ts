/** Changes of the surface of the whole prompt: what a person would call formatting. Any script. */
import type { TextEdit } from '../contracts/runRecord';
import { pick, protectedAt, type PromptGenerator, type PromptParts } from './generator';

const surface = (
  id: string,
  name: string,
  preserves: string,
  propose: PromptGenerator['propose'],
): PromptGenerator => ({
  id: `surface.${id}`,
  kind: 'surface',
  name,
  expectation: 'irrelevant',
  level: 0,
  scope: 'prompt',
  preserves,
  propose,
});
const ALL_WORDS = 'every word and every mark';

const trailingSpace = surface('trailing-space', 'Trailing space', ALL_WORDS, ({ text }) => ({
  edits: [insertion(text.length, ' ')],
  description: 'A space was added at the end.',
}));

const trailingNewline = surface('trailing-newline', 'Trailing newline', ALL_WORDS, ({ text }) => ({
  edits: [insertion(text.length, '\n')],
  description: 'A line break was added at the end.',
}));

const leadingNewline = surface('leading-newline', 'Leading newline', ALL_WORDS, () => ({
  edits: [insertion(0, '\n')],
  description: 'An empty line was added at the start.',
}));

const leadingSpace = surface('leading-space', 'Leading space', ALL_WORDS, () => ({
  edits: [insertion(0, ' ')],
  description: 'A space was added at the start.',
}));

const blankLine = surface('blank-line', 'Extra blank line', ALL_WORDS, (parts, rng) => {
  const breaks = breaksBetweenLines(parts);
  const existing = breaks.filter(({ blank }) => blank);
  const site = pick(existing.length > 0 ? existing : breaks, rng);
  return site
    ? { edits: [insertion(site.at, '\n')], description: 'One more blank line was put between two lines.' }
    : null;
});

const doubleSpace = surface('double-space', 'Double space after a sentence', ALL_WORDS, (parts, rng) => {
  const gap = pick(
    gapsBetweenSentences(parts).filter(({ start, end }) => end === start + 1),
    rng,
  );
  return gap
    ? { edits: [insertion(gap.end, ' ')], description: 'Two spaces follow a sentence in place of one.' }
    : null;
});

const lineBreak = surface('line-break', 'Sentence on a new line', ALL_WORDS, (parts, rng) => {
  const gap = pick(gapsBetweenSentences(parts), rng);
  return gap
    ? { edits: [{ ...gap, text: '\n' }], description: 'A sentence was moved to a line of its own.' }
    : null;
});

const firstLetterCase = surface(
  'first-letter-case',
  'Case of the first letter',
  'every other letter',
  (parts) => {
    const first = parts.sentences[0];
    if (!first) return null;
    const word = /^\p{L}+/u.exec(parts.text.slice(first.start, first.end))?.[0];
    const letter = word && String.fromCodePoint(word.codePointAt(0)!);
    if (!word || !letter || (word.length > 1 && word === word.toUpperCase())) return null;
    const swapped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    if (swapped.length !== letter.length || protectedAt(parts, first.start, first.start + 1)) return null;
    return {
      edits: [{ start: first.start, end: first.start + letter.length, text: swapped }],
      description: `The first letter became ${swapped === letter.toUpperCase() ? 'a capital' : 'a small letter'}.`,
      sentence: first,
    };
  },
);

const finalPunctuation = surface('final-punctuation', 'Final full stop', 'every word', (parts) => {
  const last = parts.sentences.at(-1);
  if (!last) return null;
  const ending = parts.text.slice(last.start, last.end);
  const stop = /(?<![.。．])[.。．]$/u.exec(ending);
  if (stop) {
    return {
      edits: [{ start: last.end - 1, end: last.end, text: '' }],
      description: 'The full stop at the end was removed.',
      sentence: last,
    };
  }
  if (
    last.kind === 'heading' ||
    !/[\p{L}\p{N}]$/u.test(ending) ||
    protectedAt(parts, last.end - 1, last.end)
  ) {
    return null;
  }
  const mark = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(ending) ? '。' : '.';
  return {
    edits: [insertion(last.end, mark)],
    description: 'A full stop was added at the end.',
    sentence: last,
  };
});

const quotes = surface('quotes', 'Straight or curly quotes', 'what is quoted', (parts) => {
  const { text } = parts;
  const edits: TextEdit[] = [];
  const curly = { '“': '"', '”': '"', '‘': "'", '’': "'" };
  for (const match of text.matchAll(/[“”‘’]/g)) {
    edits.push({ start: match.index, end: match.index + 1, text: curly[match[0] as keyof typeof curly] });
  }
  const straighten = edits.length > 0;
  if (!straighten) {
    for (const match of text.matchAll(/(?<![\p{L}\p{N}\\="])"([^"\n]{1,200})"(?![\p{L}\p{N}"])/gu)) {
      const end = match.index + match[0].length;
      edits.push({ start: match.index, end: match.index + 1, text: '“' }, { start: end - 1, end, text: '”' });
    }
    for (const match of text.matchAll(/(?<=\p{L})'(?=\p{L})/gu)) {
      edits.push({ start: match.index, end: match.index + 1, text: '’' });
    }
    edits.sort((a, b) => a.start - b.start);
  }
  const free = edits.filter(({ start, end }) => protectedAt(parts, start, end) === null);
  return free.length > 0
    ? { edits: free, description: `Quotation marks became ${straighten ? 'straight' : 'curly'}.` }
    : null;
});

const listMarkers = surface('list-markers', 'List markers', 'the items and their order', (parts) => {
  const markers = [...parts.text.matchAll(/^([ \t]*)([-*+])(?=[ \t]+\S)/gm)]
    .map((match) => ({ start: match.index + match[1]!.length, mark: match[2]! }))
    .filter(({ start }) => protectedAt(parts, start, start + 1) === null);
  if (markers.length < 2) return null;
  const mark = markers[0]!.mark === '-' ? '*' : '-';
  return {
    edits: markers
      .filter((item) => item.mark !== mark)
      .map(({ start }) => ({ start, end: start + 1, text: mark })),
    description: `List items begin with \`${mark}\`.`,
  };
});

const emphasisMarks = surface('emphasis-marks', 'Markdown emphasis marks', 'what is emphasised', (parts) => {
  const edits = [
    ...parts.text.matchAll(/(?<![\w*\\])\*\*(?=\S)([^*\n]{1,200}?)(?<=\S)\*\*(?![\w*])/g),
  ].flatMap((match) => {
    const end = match.index + match[0].length;
    const pair = [
      { start: match.index, end: match.index + 2, text: '__' },
      { start: end - 2, end, text: '__' },
    ];
    return pair.some((edit) => protectedAt(parts, edit.start, edit.end)) ? [] : pair;
  });
  return edits.length > 0 ? { edits, description: 'Bold text is written __so__ in place of **so**.' } : null;
});

const punctuationWidth = surface('punctuation-width', 'Width of punctuation', 'every word', (parts) => {
  const narrow: Record<string, string> = {
    '，': ', ',
    '：': ': ',
    '；': '; ',
    '？': '?',
    '！': '!',
    '،': ',',
  };
  const edits = [...parts.text.matchAll(/[，：；？！،]/g)]
    .map((match) => ({ start: match.index, end: match.index + 1, text: narrow[match[0]]! }))
    .filter(({ start, end }) => protectedAt(parts, start, end) === null);
  return edits.length > 0 ? { edits, description: 'Punctuation marks became those of ASCII.' } : null;
});

/** In the order in which a default selection prefers them. */
export const surfaceGenerators: PromptGenerator[] = [
  trailingSpace,
  blankLine,
  quotes,
  listMarkers,
  doubleSpace,
  trailingNewline,
  emphasisMarks,
  finalPunctuation,
  punctuationWidth,
  firstLetterCase,
  lineBreak,
  leadingNewline,
  leadingSpace,
];

function insertion(at: number, text: string): TextEdit {
  return { start: at, end: at, text };
}

/** Where one sentence ends and the next begins on the same line: a single space, or nothing (Chinese). */
function gapsBetweenSentences({ text, sentences }: PromptParts): { start: number; end: number }[] {
  return sentences
    .slice(1)
    .map((next, i) => ({ start: sentences[i]!.end, end: next.start }))
    .filter(({ start, end }) => /^ ?$/.test(text.slice(start, end)));
}

/** Line breaks outside protected parts; `blank` when a blank line is there already. Never inside a table or a list. */
function breaksBetweenLines(parts: PromptParts): { at: number; blank: boolean }[] {
  return [...parts.text.matchAll(/\r?\n([ \t]*\r?\n)?(?=[ \t]*\S)/g)]
    .map((match) => ({ at: match.index + match[0].length, blank: match[1] !== undefined }))
    .filter(
      ({ at }) => protectedAt(parts, at - 1, at + 1)?.kind !== 'table' && protectedAt(parts, at, at) === null,
    );
}
