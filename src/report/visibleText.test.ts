import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toPrintable, toRuns, toVisibleText } from './visibleText';

test('escapes, overrides and zero-width characters become glyphs', () => {
  expect(toPrintable('a\u001b[31mred\u0007')).toBe('a␛[31mred␇');
  expect(toPrintable('abc\u202Edef\u200b')).toBe('abc⟨RLO⟩def⟨ZWSP⟩');
  expect(toPrintable('x\rhidden')).toBe('x␍hidden');
  expect(toRuns('\u202E')).toEqual([{ text: '⟨RLO⟩', mark: 'right-to-left override (U+202E)' }]);
});

test('line breaks, tabs, emoji with joiners and right-to-left letters stay as they are', () => {
  for (const text of ['one\n\ttwo', '👩‍👩‍👧', 'שלום', 'naïve']) expect(toRuns(text)).toEqual([{ text }]);
});

test('no dangerous character is left in whatever comes in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(toPrintable(text)).not.toMatch(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
      );
    }),
  );
});

test('long texts are cut and the rest is counted, never within a pair of surrogates', () => {
  const text = '😀'.repeat(20);
  const cut = toVisibleText(text, 11);
  expect(cut.runs).toEqual([{ text: '😀'.repeat(5) }]);
  expect(cut.hiddenChars).toBe(text.length - 10);
});

test('edits that are only white space are shown as signs', () => {
  expect(toRuns(' \n', true).map(({ text }) => text)).toEqual(['·', '⏎\n']);
});
