import { expect, it } from 'vitest';
import type { Sample } from '../contracts/runRecord';
import { differenceTest } from '../stats/differenceTest';
import { declaredFamily, differenceInput } from './compare';
import { DEFAULT_OPTIONS } from './defaults';

const sample = (conditionId: string, index: number, text: string): Sample => ({
  ...{ conditionId, index, seed: 1, outcome: 'ok', text, finishReason: 'stop', clipped: false },
  ...{ promptTokens: 1, completionTokens: 1, latencyMs: 1, startedAtMs: 0, position: 0 },
});
const texts = ['Yes', 'No', 'Maybe', 'Yes.', 'No!'];
const arm = (id: string) => texts.map((text, index) => sample(id, index, text));
const embedded = {
  ...{ embedder: 'e', dim: 2, rowOf: new Map(texts.map((text, i) => [text, i])) },
  vectors: Float32Array.from([1, 0, 0, 1, 1, 1, 1, 0.1, 0.1, 1]),
};

it.each([{ kind: 'freeText' as const }, { kind: 'yesNo' as const, options: ['Yes', 'No'] }])(
  'the family that is declared is the one that is tested: $kind',
  (given) => {
    const format = { ...given, evidence: '' };
    const options = { ...DEFAULT_OPTIONS, permutations: 99, bootstrapDraws: 0 };
    const { members } = differenceTest(differenceInput(arm('a'), arm('b'), [embedded], format, options, 1));
    expect(members.map(({ id }) => id).toSorted()).toEqual(declaredFamily(['e'], format).toSorted());
  },
);
