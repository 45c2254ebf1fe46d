import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, exactDifference, tightenEdits } from './applyEdits';

describe('applyEdits', () => {
  it('replaces, inserts and removes by original offsets', () => {
    const edits = [
      { start: 0, end: 0, text: '>' },
      { start: 1, end: 2, text: '' },
      { start: 3, end: 3, text: '!' },
    ];
    expect(applyEdits('abc', edits)).toBe('>ac!');
  });

  it.each([
    [
      [
        { start: 2, end: 3, text: '' },
        { start: 0, end: 1, text: '' },
      ],
    ],
    [
      [
        { start: 0, end: 2, text: '' },
        { start: 1, end: 3, text: '' },
      ],
    ],
    [[{ start: 2, end: 1, text: '' }]],
    [[{ start: 0, end: 9, text: '' }]],
    [[{ start: 4, end: 4, text: 'x' }]],
  ])('refuses %j', (edits) => {
    expect(() => applyEdits('abc🙂', edits)).toThrow(RangeError);
  });
});

describe('exactDifference', () => {
  it.each([
    ['I use it', 'I employ it', { start: 2, end: 5, text: 'employ' }],
    ["You don't", 'You do not', { start: 4, end: 9, text: 'do not' }],
    ['a b', 'a  b', { start: 2, end: 2, text: ' ' }],
    ['end', 'end ', { start: 3, end: 3, text: ' ' }],
    ['🙂', '🙃', { start: 0, end: 2, text: '🙃' }],
    ['今天很好', '今天不好', { start: 2, end: 3, text: '不' }],
  ])('%j and %j', (original, changed, expected) => {
    expect(exactDifference(original, changed)).toEqual(expected);
    const edit = { start: 0, end: original.length, text: changed };
    expect(tightenEdits(original, [edit])).toEqual(expected === null ? [] : [expected]);
  });

  it('turns any text into any other, and says when there is nothing to do', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(text, text, (original, changed) => {
        const difference = exactDifference(original, changed);
        if (original === changed) expect(difference).toBeNull();
        else expect(applyEdits(original, [difference!])).toBe(changed);
      }),
    );
  });
});

describe('tightenEdits', () => {
  it('makes one edit of two in the same word', () => {
    const quotes = [1, 3].map((start) => ({ start, end: start + 1, text: '’' }));
    expect(tightenEdits("n'n'n and", quotes)).toEqual([{ start: 0, end: 5, text: 'n’n’n' }]);
  });

  it('gives edits that can be applied, with the same outcome, whatever it is given', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', "'", '’', '‘', '\n', '1', '.', '漢') });
    const places = fc.array(fc.tuple(fc.nat(6), fc.nat(3), text), { maxLength: 6 });
    fc.assert(
      fc.property(fc.tuple(text, places), ([original, gaps]) => {
        let at = 0;
        const edits = gaps.flatMap(([gap, length, replacement]) => {
          const start = at + gap;
          at = start + length;
          return at <= original.length ? [{ start, end: at, text: replacement }] : [];
        });
        expect(applyEdits(original, tightenEdits(original, edits))).toBe(applyEdits(original, edits));
      }),
    );
  });
});
