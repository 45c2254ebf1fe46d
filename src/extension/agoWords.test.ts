import { describe, expect, it } from 'vitest';
import { agoWords } from './agoWords';

const DAY_MS = 86_400_000;

describe('agoWords', () => {
  it('says how long ago in the largest whole unit', () => {
    expect(agoWords(2 * DAY_MS + 5)).toBe('2 days ago');
    expect(agoWords(DAY_MS - 1)).toBe('23 hours ago');
    expect(agoWords(61_000)).toBe('1 minute ago');
    expect(agoWords(800 * DAY_MS)).toBe('2 years ago');
  });

  it('takes what a wrong clock says for now', () => {
    expect(agoWords(59_999)).toBe('just now');
    expect(agoWords(-DAY_MS)).toBe('just now');
  });
});
