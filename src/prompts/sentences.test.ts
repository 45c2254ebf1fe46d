import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitSentences } from './sentences';

const split = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end));

describe('splitSentences', () => {
  it.each([
    ['Is it? Answer Yes or No.', ['Is it?', 'Answer Yes or No.']],
    ['One line\nAnother line', ['One line', 'Another line']],
    ['Wrapped text that\ngoes on here. And ends.', ['Wrapped text that\ngoes on here.', 'And ends.']],
    ['Windows line\r\nand more.\r\nNext.', ['Windows line\r\nand more.', 'Next.']],
    ['# Title\n\nText.', ['Title', 'Text.']],
    ['- first item\n- second. With two.\n  and more', ['first item', 'second.', 'With two.', 'and more']],
    ['1. Read\n2) Write\n(a) Check', ['Read', 'Write', 'Check']],
    ['Ask Dr. Smith, e.g. Today. Then stop.', ['Ask Dr. Smith, e.g. Today.', 'Then stop.']],
    ['Answer Yes or No. Write it down.', ['Answer Yes or No.', 'Write it down.']],
    ['Say No. Then wait. No. 5 is next.', ['Say No.', 'Then wait.', 'No. 5 is next.']],
    ['See (No. 12). Say “No.” Go on.', ['See (No. 12).', 'Say “No.”', 'Go on.']],
    ['Use the **.NET** tools. **Stop.** Go.', ['Use the **.NET** tools.', '**Stop.**', 'Go.']],
    ['---\nname: x\n---\nHello.', ['Hello.']],
    ['Before.\n```\ncode. Here.\n```\nAfter.', ['Before.', 'After.']],
    ['<rules>\nBe kind.\n</rules>\n---\n| a | b |', ['Be kind.']],
    ['今天天气很好。明天呢？', ['今天天气很好。', '明天呢？']],
    ['هل هذا جيد؟ أجب بنعم.', ['هل هذا جيد؟', 'أجب بنعم.']],
    ['🙂\n\n...', ['🙂']],
    ['', []],
  ])('%j', (text, expected) => {
    expect(split(text)).toEqual(expected);
  });

  it('tells headings and list items apart', () => {
    expect(splitSentences('# A\n- b\nC').map(({ kind }) => kind)).toEqual(['heading', 'listItem', 'prose']);
  });

  it('gives sorted spans without overlap and without space around', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        let done = 0;
        for (const { start, end } of splitSentences(text)) {
          expect(start).toBeGreaterThanOrEqual(done);
          expect(text.slice(start, end)).toBe(text.slice(start, end).trim());
          expect(end).toBeGreaterThan(start);
          done = end;
        }
      }),
    );
  });

  it('a line longer than a piece of the segmenter is split as its parts would be', () => {
    const sentence = 'Is this sentence, e.g. this one, cut by a border of 4,000 characters? ';
    expect(split(sentence.repeat(300))).toEqual(Array(300).fill(sentence.trim()));
    expect(split('😀'.repeat(3_001)).join('')).toBe('😀'.repeat(3_001));
    expect(split(`a${'😀'.repeat(3_001)}`).join('')).toBe(`a${'😀'.repeat(3_001)}`);
  });
});
