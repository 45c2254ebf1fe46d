import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Perturbation } from '../contracts/runRecord';
import { follow, locatePrompt, visibleSpan, type TextChange } from './trackedSpans';

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
