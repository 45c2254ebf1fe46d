import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits } from './applyEdits';
import { wordEdits } from './wordEdits';

describe('wordEdits', () => {
  test('are the words that differ', () => {
    expect(wordEdits('Answer in one word.', 'Answer in French.')).toEqual([
      { start: 10, end: 18, text: 'French' },
    ]);
  });
  test('are none where nothing differs', () => {
    expect(wordEdits('Same.', 'Same.')).toEqual([]);
  });
  test('are one replacement in a text too long to be diffed by words', () => {
    const long = 'word '.repeat(10_000);
    expect(wordEdits(long, `${long}end`)).toHaveLength(1);
  });
  test('turn any text into any other', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
        expect(applyEdits(before, wordEdits(before, after))).toBe(after);
      }),
    );
  });
});
