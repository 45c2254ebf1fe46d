import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readNumbered, readRewrite } from './readRewrite';

const original = 'Do not use more than 3 words.';
const wanted = 'Use at most 3 words, not more.';

it.each([
  wanted,
  ` \n${wanted}\n`,
  `"${wanted}"`,
  `“${wanted}”`,
  `**${wanted}**`,
  `\`${wanted}\``,
  `<sentence>${wanted}</sentence>`,
  `<sentence>${wanted}`,
  `Sure! Here is the rewritten sentence:\n\n"${wanted}"`,
  `Certainly, here's one.\n${wanted}`,
  `Here is the sentence in other words: ${wanted}`,
  `Rewritten sentence: ${wanted}`,
  `**Rewritten sentence:** ${wanted}`,
  `Paraphrase: "${wanted}"`,
  `\`\`\`\n${wanted}\n\`\`\``,
  `\`\`\`text\n${wanted}\n\`\`\`\nI changed the order.`,
  `${wanted}\n\nI hope that this helps!`,
  `<think>The user wants "a" rewrite.\n\nSure: x</think>\n${wanted}`,
  `so the words may change\n</think>\n\n${wanted}`,
])('reads the sentence out of %j', (reply) => {
  expect(readRewrite(reply, original)).toBe(wanted);
});

it.each([
  ['<think>never closed', ''],
  ['', ''],
  ['Sure! ', 'Sure!'],
  ['He said "no" and "yes"', 'He said "no" and "yes"'],
  ['"One" and "two"', '"One" and "two"'],
])('%j is %j', (reply, read) => expect(readRewrite(reply, original)).toBe(read));

it('leaves what the original has too', () => {
  expect(readRewrite('“Why?”', '“Who?”')).toBe('“Why?”');
  expect(readRewrite('Answer: x', 'Answer: y')).toBe('Answer: x');
  expect(readRewrite('a\n\nb', 'c\n\nd')).toBe('a\n\nb');
  expect(readRewrite('Here is the list: a', 'Here is a list: b')).toBe('Here is the list: a');
});

it('ends for any reply', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          'Sure:',
          '"',
          '**',
          '`',
          '<think>',
          '</think>',
          '<sentence>',
          'Answer:',
          ' ',
          '\n',
          '1. ',
        ),
      ),
      (bits) => {
        const reply = bits.join('');
        expect(reply).toContain(readRewrite(reply, original));
      },
    ),
  );
});

it('reads numbered lines that count up', () => {
  expect(readNumbered('Here:\n1. a\n 2) b\n**3.** c\nDone.', 3)).toEqual(['a', 'b', 'c']);
  expect(readNumbered('Step 1: a\nStep 2: b', 2)).toEqual(['a', 'b']);
  expect(readNumbered('1. a\n3. b', 2)).toBeNull();
  expect(readNumbered('1. a\n2. b\n3. c', 2)).toBeNull();
  expect(readNumbered('', 1)).toBeNull();
});
