import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellQuote } from './shellQuote';

test('a shell reads back what was quoted, in one go', () => {
  const words = fc.sample(
    fc.string({
      unit: fc.constantFrom(...'ab ="$`\\\'"!~*;&|<>(){}[]#\n\t\r\u001b\u0007\u009b\u202e\u200bé漢😀-%'),
      minLength: 1,
    }),
    300,
  );
  const script = `printf '%s\\0' ${words.map(shellQuote).join(' ')}`;
  const printed = execFileSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { LC_ALL: 'C.UTF-8', SHLVL: '1' },
  });
  expect(printed.split('\0').slice(0, -1)).toEqual(words);
});

test('what is quoted cannot act on the terminal that it is pasted into', () => {
  expect(shellQuote('a\u001b[201~\rrm -rf ~\u202e')).toBe(String.raw`$'a\u001b[201~\u000drm -rf ~\u202e'`);
  expect(shellQuote('plain/path.prompt:3')).toBe('plain/path.prompt:3');
  expect(shellQuote('=ls')).toBe("'=ls'");
});
