import { expect, it } from 'vitest';
import { plainText } from './plainText';

it.each([
  ['[fix it](command:workbench.action.quit)', '[fix it] (command:workbench.action.quit)'],
  ['$(alert) ready', '$ (alert) ready'],
  ['plain words (and brackets) [here]', 'plain words (and brackets) [here]'],
])('%s', (text, expected) => {
  expect(plainText(text)).toBe(expected);
});

it('shows control characters instead of obeying them', () => {
  expect(plainText('a\u001b[31mb\u202ec')).not.toMatch(/[\u001b\u202e]/);
});
