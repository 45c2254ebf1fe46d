import fc from 'fast-check';
import type { Token } from 'node-llama-cpp';
import { expect, test } from 'vitest';
import { contextShape, cutIntoPieces, reusablePieces } from './sequencePool';

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

const pieces = (tokens: number[], headTokens: number) => cutIntoPieces(tokens as Token[], headTokens);
const upTo = (length: number) => Array.from({ length }, (_, i) => i);

test('pieces: the head first, then 64 tokens at a time, whatever was evaluated before', () => {
  expect(pieces(upTo(150), 24).ends).toEqual([24, 88, 150]);
  expect(pieces(upTo(150), 100).ends).toEqual([64, 100, 150]);
  expect(pieces(upTo(20), 24).ends).toEqual([20]);
  expect(pieces(upTo(64), 0).ends).toEqual([64]);
  expect(pieces([], 24).ends).toEqual([]);
});

test('prefix reuse: an equal prompt whole, another one in whole pieces cut alike', () => {
  const held = pieces(upTo(150), 24);
  const reused = (tokens: number[], head = 24) => {
    const wanted = pieces(tokens, head);
    return wanted.ends[reusablePieces(held, wanted) - 1] ?? 0;
  };
  expect(reused(upTo(150))).toBe(150);
  expect(reused([...upTo(150), 7])).toBe(88);
  expect(reused(upTo(149))).toBe(88);
  expect(reused([...upTo(24), -1])).toBe(24);
  expect(reused([...upTo(23), -1])).toBe(0);
  // The same tokens, but the arithmetic was another.
  expect(reused(upTo(150), 0)).toBe(0);
  expect(reusablePieces(pieces([], 0), held)).toBe(0);
});
