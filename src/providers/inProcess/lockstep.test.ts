import { expect, test } from 'vitest';
import { seedForSampler, stopPosition, withoutBrokenEnd } from './lockstep';

test('no seed becomes the one that llama.cpp takes as random', () => {
  expect(seedForSampler(7)).toBe(7);
  expect(seedForSampler(0xffff_ffff)).toBe(0);
  expect(seedForSampler(Number.MAX_SAFE_INTEGER)).toBeLessThan(0xffff_ffff);
});

test('half a character at the end goes, one in the middle stays', () => {
  expect(withoutBrokenEnd('ok \uFFFD\uFFFD')).toBe('ok ');
  expect(withoutBrokenEnd('a\uFFFDb')).toBe('a\uFFFDb');
});

test('the first of several stop texts counts', () => {
  expect(stopPosition('one two three', ['three', 'two'])).toBe(4);
  expect(stopPosition('one', ['two'])).toBe(-1);
});
