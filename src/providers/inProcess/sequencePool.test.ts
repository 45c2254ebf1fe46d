import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contextShape, reusableTokens } from './sequencePool';

const shapeOf = (neededTokens: number) => contextShape({ neededTokens, trainedTokens: 32_768, parallel: 20 });

test('context: next power of two, fewer sequences for long prompts', () => {
  expect(shapeOf(90)).toEqual({ contextTokens: 512, width: 20 });
  expect(shapeOf(513)).toEqual({ contextTokens: 1024, width: 20 });
  expect(shapeOf(1025)).toEqual({ contextTokens: 2048, width: 16 });
  expect(shapeOf(20_000)).toEqual({ contextTokens: 32_768, width: 1 });
});

test('context: room for what is needed, never beyond what the model was trained on', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8192 }),
      fc.integer({ min: 1, max: 40 }),
      (neededTokens, parallel) => {
        const { contextTokens, width } = contextShape({ neededTokens, trainedTokens: 8192, parallel });
        expect(contextTokens).toBeGreaterThanOrEqual(neededTokens);
        expect(contextTokens).toBeLessThanOrEqual(8192);
        expect(width).toBeGreaterThanOrEqual(1);
        expect(width).toBeLessThanOrEqual(parallel);
      },
    ),
  );
});

test('prefix reuse: an equal prompt whole, another one in whole pieces', () => {
  const held = Array.from({ length: 150 }, (_, i) => i);
  expect(reusableTokens(held, held)).toBe(150);
  expect(reusableTokens(held, [...held, 7])).toBe(128);
  expect(reusableTokens(held, held.slice(0, 149))).toBe(128);
  expect(reusableTokens(held, [...held.slice(0, 63), -1, ...held.slice(64)])).toBe(0);
  expect(reusableTokens([], held)).toBe(0);
});
