import { expect, test } from 'vitest';
import { perturbationSetSchema } from '../contracts/perturbationSet';
import { setSummary } from './setText';

const set = (entries: { level: number | null; source?: string; use?: boolean }[]) =>
  perturbationSetSchema.parse({
    version: 1,
    prompt: 'Is it?',
    seed: 1,
    writer: null,
    judge: null,
    perturbations: entries.map(({ level, source = 'byConstruction', use = true }, i) => ({
      ...{ id: `p${i}`, kind: 'surface', name: 'p', expectation: 'irrelevant', text: `Is it? ${i}`, use },
      strength: { level, source },
    })),
  });

test('counts what is used by strength, and says when that is too little', () => {
  expect(
    setSummary(
      set([
        { level: 0 },
        { level: 0, use: false },
        { level: 3, source: 'user' },
        { level: null, source: 'unrated' },
      ]),
    ),
  ).toBe(
    '3 of 4 used, 1 label of yours: 1 negligible, 1 strong, 1 not rated. A rate needs 10 of one strength',
  );
  expect(setSummary(set(Array.from({ length: 10 }, () => ({ level: 0 }))))).toBe(
    '10 of 10 used: 10 negligible',
  );
  expect(setSummary(set([]))).toBe('0 of 0 used. A rate needs 10 of one strength');
});
