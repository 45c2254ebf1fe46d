import { describe, expect, it } from 'vitest';
import { optionProbabilities } from './optionProbabilities';

const tokens = (given: Record<string, number>) =>
  Object.entries(given).map(([token, probability]) => ({ token, probability }));

describe('option probabilities', () => {
  it('adds up the spellings of an option, which can turn the answer', () => {
    const read = optionProbabilities(tokens({ A: 0.3, ' B': 0.2, B: 0.15, b: 0.05, '(A': 0.02, The: 0.2 }), [
      'A',
      'B',
    ]);
    expect(read.answer).toBe('B');
    expect(read.options[0]!.probability).toBeCloseTo(0.32, 12);
    expect(read.options[1]!.probability).toBeCloseTo(0.4, 12);
    // 0.2 on `The`, 0.08 on what was not listed.
    expect(read.outside).toBeCloseTo(0.28, 12);
  });

  it('takes the beginning of a long option where it is the only one that begins so', () => {
    const read = optionProbabilities(tokens({ pos: 0.5, neg: 0.2, ' ne': 0.1, n: 0.1 }), [
      'positive',
      'negative',
      'neutral',
    ]);
    expect(read.options.map(({ probability }) => probability)).toEqual([0.5, 0.2, 0]);
    expect(read.answer).toBe('positive');
  });

  it('reads options in any script', () => {
    const read = optionProbabilities(tokens({ 是: 0.6, ' لا': 0.3 }), ['是', 'لا']);
    expect(read.options.map(({ probability }) => probability)).toEqual([0.6, 0.3]);
  });

  it('has no answer where no option was listed, and never leaves [0, 1]', () => {
    expect(optionProbabilities(tokens({ The: 0.9, ' ': 0.1 }), ['Yes', 'No']).answer).toBeNull();
    expect(optionProbabilities([], ['Yes', 'No'])).toMatchObject({ answer: null, outside: 1 });
    const rounded = optionProbabilities(tokens({ Yes: 0.7, ' yes': 0.3000001 }), ['Yes', 'No']);
    expect(rounded.options[0]!.probability).toBe(1);
    expect(rounded.outside).toBe(0);
  });
});
