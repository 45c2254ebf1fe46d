import { expect, it } from 'vitest';
import { sizeOf, sizeOfAll } from './sizes';

const moved = (low: number, high: number) => ({
  verdict: 'changed' as const,
  effect: { raw: 0, debiased: (low + high) / 2, interval: { low, high, level: 0.95 } },
});

it('says how far the answers moved only as far as the whole interval says it', () => {
  expect(sizeOf(moved(0.01, 0.1))).toBe('a little');
  expect(sizeOf(moved(0.35, 0.9))).toBe('strongly');
  expect(sizeOf(moved(0.05, 0.6))).toBeNull();
  expect(sizeOf({ ...moved(0.35, 0.9), verdict: 'noChangeDetected' })).toBeNull();
  expect(sizeOf({ verdict: 'changed', effect: null })).toBeNull();
});

it('takes the strongest of several, and calls them small only where all are', () => {
  expect(sizeOfAll([moved(0.01, 0.1), moved(0.4, 0.9)])).toBe('strongly');
  expect(sizeOfAll([moved(0.01, 0.1), moved(0.05, 0.6)])).toBeNull();
  expect(sizeOfAll([moved(0.01, 0.1)])).toBe('a little');
  expect(sizeOfAll([])).toBeNull();
});
