import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Perturbation } from '../contracts/runRecord';
import { follow, followWords, locatePrompt, visibleSpan, type TextChange } from './trackedSpans';

const edit = (rangeOffset: number, rangeLength: number, text: string): TextChange => ({
  rangeOffset,
  rangeLength,
  text,
});

describe('follow', () => {
  it('moves along with edits before it and stays with edits after it', () => {
    expect(follow({ start: 10, end: 15 }, [edit(2, 3, 'x')])).toEqual({ start: 8, end: 13 });
    expect(follow({ start: 10, end: 15 }, [edit(15, 4, 'longer than before')])).toEqual({
      start: 10,
      end: 15,
    });
  });

  it('keeps its text when something is typed right before or right behind it', () => {
    expect(follow({ start: 10, end: 15 }, [edit(10, 0, 'ab')])).toEqual({ start: 12, end: 17 });
    expect(follow({ start: 10, end: 15 }, [edit(15, 0, 'ab')])).toEqual({ start: 10, end: 15 });
  });

  it('is gone when its own text changes', () => {
    for (const change of [edit(12, 0, 'x'), edit(9, 2, ''), edit(14, 5, ''), edit(0, 99, 'all')]) {
      expect(follow({ start: 10, end: 15 }, [change])).toBeNull();
    }
  });

  it('covers the same words after any edits that leave them alone', () => {
    const text = 'Answer with one word. Be brief, and never explain yourself.';
    const span = { start: 22, end: 30 };
    const words = text.slice(span.start, span.end);
    const before = fc.tuple(fc.nat(21), fc.nat(5), fc.string());
    const after = fc.tuple(fc.integer({ min: 30, max: 50 }), fc.nat(5), fc.string());
    fc.assert(
      fc.property(before, after, ([at, length, typed], [atBehind, lengthBehind, typedBehind]) => {
        const first = edit(at, Math.min(length, 22 - at), typed);
        const second = edit(atBehind, lengthBehind, typedBehind);
        const apply = (to: string, { rangeOffset, rangeLength, text: replacement }: TextChange) =>
          to.slice(0, rangeOffset) + replacement + to.slice(rangeOffset + rangeLength);
        const edited = apply(apply(text, second), first);
        const moved = follow(span, [second, first])!;
        expect(edited.slice(moved.start, moved.end)).toBe(words);
      }),
    );
  });
});

describe('visibleSpan', () => {
  const text = '\n  You are terse.\r\nAnswer with one word. \n';
  const perturbation = (span: [number, number], sentence: [number, number] | null) =>
    ({
      span: { start: span[0], end: span[1] },
      sentence: sentence && { start: sentence[0], end: sentence[1] },
    }) as Perturbation;

  it('is the edited range where there is something to see', () => {
    expect(visibleSpan(perturbation([3, 6], [3, 17]), text)).toEqual({ start: 3, end: 6 });
  });

  it('is the sentence for an insertion and for spaces', () => {
    expect(visibleSpan(perturbation([17, 17], [3, 17]), text)).toEqual({ start: 3, end: 17 });
    expect(visibleSpan(perturbation([40, 41], [19, 40]), text)).toEqual({ start: 19, end: 40 });
  });

  it('is the first line with text where there is no sentence', () => {
    const { start, end } = visibleSpan(perturbation([0, 0], null), text);
    expect(text.slice(start, end)).toBe('You are terse.');
  });
});

describe('locatePrompt', () => {
  it('finds a prompt at its place, or where it moved to', () => {
    expect(locatePrompt('abc prompt', 'prompt', 4)).toBe(4);
    expect(locatePrompt('abcd prompt', 'prompt', 4)).toBe(5);
  });

  it('finds nothing where it is gone or stands twice', () => {
    expect(locatePrompt('abc', 'prompt', 0)).toBeNull();
    expect(locatePrompt('x prompt prompt', 'prompt', 0)).toBeNull();
    expect(locatePrompt('x', '', 0)).toBeNull();
  });
});

describe('words that are followed through edits of their own', () => {
  const apply = (text: string, { rangeOffset, rangeLength, text: typed }: TextChange) =>
    text.slice(0, rangeOffset) + typed + text.slice(rangeOffset + rangeLength);
  /** Edits one after another; @returns the text, and what is followed in it. */
  const through = (text: string, words: string, changes: TextChange[]) => {
    const start = text.indexOf(words);
    let span = { start, end: start + words.length, stale: false };
    for (const change of changes) {
      text = apply(text, change);
      const now = text;
      span = followWords(span, words, [change], () => now);
    }
    return { words: text.slice(span.start, span.end), stale: span.stale };
  };

  it('are stale as soon as one letter is another', () => {
    expect(through('say yes or no.', 'yes or no', [edit(4, 1, 'Y')])).toEqual({
      words: 'Yes or no',
      stale: true,
    });
  });

  it('are true again when they stand there again', () => {
    const away = [edit(4, 9, ''), edit(4, 0, 'x'), edit(0, 0, 'Please '), edit(11, 1, 'yes or no')];
    expect(through('say yes or no.', 'yes or no', away.slice(0, 3)).stale).toBe(true);
    expect(through('say yes or no.', 'yes or no', away)).toEqual({ words: 'yes or no', stale: false });
  });

  it('are never called fresh where other words stand', () => {
    const change = fc.record({
      rangeOffset: fc.nat(30),
      rangeLength: fc.nat(8),
      text: fc.constantFrom('', 'x', 'yes', ' or no', 'yes or no'),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        const valid: TextChange[] = [];
        let text = 'Tell me yes or no, now. Thanks.';
        for (const { rangeOffset, rangeLength, text: typed } of changes) {
          const from = Math.min(rangeOffset, text.length);
          const next = {
            rangeOffset: from,
            rangeLength: Math.min(rangeLength, text.length - from),
            text: typed,
          };
          valid.push(next);
          text = apply(text, next);
        }
        const end = through('Tell me yes or no, now. Thanks.', 'yes or no', valid);
        if (!end.stale) expect(end.words).toBe('yes or no');
      }),
    );
  });
});
