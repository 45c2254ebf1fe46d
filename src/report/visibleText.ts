/**
 * Hostile or invisible text made visible: control characters, ANSI escapes, bidirectional overrides, zero-width
 * and tag characters become glyphs. What comes out can neither move a terminal's cursor nor reorder a line.
 */
import type { TextRun, VisibleText } from '../contracts/reportView';

/** Characters of a text that are shown at most. */
const MAX_SHOWN_CHARS = 20_000;

const NAMES: Record<number, [string, string]> = {
  0x1b: ['␛', 'escape'],
  0xad: ['⟨SHY⟩', 'soft hyphen'],
  0x61c: ['⟨ALM⟩', 'Arabic letter mark'],
  0x180e: ['⟨MVS⟩', 'Mongolian vowel separator'],
  0x200b: ['⟨ZWSP⟩', 'zero-width space'],
  0x200e: ['⟨LRM⟩', 'left-to-right mark'],
  0x200f: ['⟨RLM⟩', 'right-to-left mark'],
  0x2028: ['⟨LSEP⟩', 'line separator'],
  0x2029: ['⟨PSEP⟩', 'paragraph separator'],
  0x202a: ['⟨LRE⟩', 'left-to-right embedding'],
  0x202b: ['⟨RLE⟩', 'right-to-left embedding'],
  0x202c: ['⟨PDF⟩', 'pop directional formatting'],
  0x202d: ['⟨LRO⟩', 'left-to-right override'],
  0x202e: ['⟨RLO⟩', 'right-to-left override'],
  0x2060: ['⟨WJ⟩', 'word joiner'],
  0x2066: ['⟨LRI⟩', 'left-to-right isolate'],
  0x2067: ['⟨RLI⟩', 'right-to-left isolate'],
  0x2068: ['⟨FSI⟩', 'first strong isolate'],
  0x2069: ['⟨PDI⟩', 'pop directional isolate'],
  0xfeff: ['⟨BOM⟩', 'byte order mark'],
};
/** Zero-width joiners stay: emoji and many scripts need them. Tab and newline are layout, not danger. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]|[\u{e0000}-\u{e007f}]/gu;
const WHITESPACE = /[ \t\n\u00a0]/g;
const SPACES: Record<string, [string, string]> = {
  ' ': ['·', 'space'],
  '\t': ['→\t', 'tab'],
  '\n': ['⏎\n', 'line break'],
  '\u00a0': ['⍽', 'no-break space'],
};

function glyphOf(char: string): TextRun {
  const code = char.codePointAt(0) ?? 0;
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const named = NAMES[code];
  if (named) return { text: named[0], mark: `${named[1]} (${hex})` };
  if (code < 0x20) return { text: String.fromCharCode(0x2400 + code), mark: `control character (${hex})` };
  return {
    text: `⟨${hex}⟩`,
    mark: `${code === 0x7f || code < 0xa0 ? 'control' : 'invisible'} character (${hex})`,
  };
}

function replaceWith(runs: TextRun[], pattern: RegExp, glyph: (match: string) => TextRun): TextRun[] {
  return runs.flatMap((run) => {
    if (run.mark !== undefined) return [run];
    const out: TextRun[] = [];
    let from = 0;
    for (const match of run.text.matchAll(pattern)) {
      if (match.index > from) out.push({ text: run.text.slice(from, match.index) });
      out.push(glyph(match[0]));
      from = match.index + match[0].length;
    }
    if (from < run.text.length) out.push({ text: run.text.slice(from) });
    return out;
  });
}

/** The whole text in runs. `showSpaces` also marks spaces, tabs and line breaks, for edits that consist of them. */
export function toRuns(text: string, showSpaces = false): TextRun[] {
  const runs = replaceWith([{ text: text.replace(/\r\n/g, '\n') }], HIDDEN, glyphOf).filter(
    (run) => run.text !== '',
  );
  if (!showSpaces) return runs;
  return replaceWith(runs, WHITESPACE, (char) => {
    const [glyph, mark] = SPACES[char] ?? [char, 'space'];
    return { text: glyph, mark };
  });
}

/** At most `maxChars` UTF-16 units of the text, in runs; never cuts a surrogate pair. */
export function toVisibleText(text: string, maxChars = MAX_SHOWN_CHARS): VisibleText {
  if (text.length <= maxChars) return { runs: toRuns(text), hiddenChars: 0 };
  const last = text.charCodeAt(maxChars - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars;
  return { runs: toRuns(text.slice(0, end)), hiddenChars: text.length - end };
}

/** JSON with the same characters spelled out, which means the same: safe to print on a terminal. */
export const toPrintableJson = (value: unknown): string => spellHidden(JSON.stringify(value, null, 2));

/** In JSON text: hidden characters stand in strings only, where an escape means the same. */
export const spellHidden = (json: string): string =>
  json.replace(HIDDEN, (char) =>
    [...Array(char.length).keys()]
      .map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** Hostile text for a terminal or a log: the same glyphs, in one string. */
export function toPrintable(text: string): string {
  return toRuns(text)
    .map((run) => run.text)
    .join('');
}
