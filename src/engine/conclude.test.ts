import { describe, expect, it } from 'vitest';
import type { Comparison, Perturbation } from '../contracts/runRecord';
import { testedComparison } from './compare';
import { decide } from './conclude';

const perturbation: Perturbation = {
  ...{ id: 'p', kind: 'surface', name: 'P', description: 'P.', expectation: 'irrelevant' },
  strength: { level: 0, source: 'byConstruction' },
  ...{ span: { start: 0, end: 0 }, sentence: null, edits: [{ start: 0, end: 0, text: ' ' }], text: ' x' },
};
const input = {
  ...{ n0: 20, n1: 20, embeddings: [], strings: [] },
  ...{ permutations: 9_999, bins: 30, bootstrapDraws: 0, confidence: 0.95, seed: 1 },
};
const constantArms = {
  ...{
    state: 'deterministic' as const,
    p: null,
    statistic: null,
    pFloor: null,
    exact: false,
    permutations: 0,
  },
  ...{ members: [], effect: null, histogram: null, nullHistogram: null },
};
const compare = (n: number, temperature: number) =>
  testedComparison(perturbation, { ...input, n0: n, n1: n }, constantArms, { alpha: 0.05, temperature });
const withP = (p: number, pFloor: number): Comparison => ({
  ...compare(20, 1),
  ...{ deterministic: false, verdict: 'noChangeDetected', p, pFloor },
});
const holm = { alpha: 0.05, multiplicity: 'holm' as const, equivalenceMargin: null };

describe('two constant arms that differ', () => {
  it('get no p-value at temperature 0, where nothing was drawn', () => {
    expect(decide([compare(4, 0)], holm)[0]).toMatchObject({ p: null, adjustedP: null, verdict: 'changed' });
  });

  it('get the share of splits that part them so where answers are drawn, and are corrected like all others', () => {
    expect(compare(20, 1).p).toBe(1 / 10_000);
    expect(compare(4, 1).p).toBeCloseTo(2 / 70, 12);
    expect(decide([compare(20, 1), compare(20, 1)], holm)[1]).toMatchObject({ verdict: 'changed' });
    // One such pair among ten comparisons of four answers occurs by chance in up to 6% of checks.
    const ten = Array.from({ length: 10 }, () => compare(4, 1));
    expect(decide(ten, holm).every(({ verdict }) => verdict === 'undecided')).toBe(true);
  });
});

describe('decide', () => {
  it('does not call steady what no data could have called changed', () => {
    const [decided] = decide(
      Array.from({ length: 4 }, () => withP(0.4, 1 / 70)),
      holm,
    );
    expect(decided).toMatchObject({ verdict: 'undecided', undecided: { reason: 'tooFewSamples' } });
    expect(decided!.undecided!.explanation).toContain('0.014');
    expect(decide([withP(0.4, 1 / 70)], holm)[0]!.verdict).toBe('noChangeDetected');
  });

  it('knows that a step-up correction can reject all comparisons at once', () => {
    const four = Array.from({ length: 4 }, () => withP(0.4, 1 / 70));
    const verdicts = (multiplicity: 'bonferroni' | 'hochberg' | 'bh' | 'by') => [
      ...new Set(decide(four, { ...holm, multiplicity }).map(({ verdict }) => verdict)),
    ];
    expect(verdicts('bonferroni')).toEqual(['undecided']);
    for (const method of ['hochberg', 'bh', 'by'] as const)
      expect(verdicts(method)).toEqual(['noChangeDetected']);
    // .05 / (1 + 1/2 + … + 1/12) = .016, which 1/70 passes and 1/60 does not.
    const twelve = Array.from({ length: 12 }, () => withP(0.4, 1 / 60));
    expect(decide(twelve, { ...holm, multiplicity: 'by' })[0]!.verdict).toBe('undecided');
    expect(decide(twelve, { ...holm, multiplicity: 'bh' })[0]!.verdict).toBe('noChangeDetected');
  });

  it('rejects at a p of exactly alpha and counts only what was tested', () => {
    const untested: Comparison = { ...withP(0.5, 0), p: null, verdict: 'undecided' };
    const decided = decide([untested, withP(0.025, 0), withP(0.05, 0)], holm);
    expect(decided.map(({ verdict }) => verdict)).toEqual(['undecided', 'changed', 'changed']);
  });
});

it('calls equivalent only what was not changed, lies under a stated margin, and no more without one', () => {
  const narrow = { raw: 0.02, debiased: 0.01, interval: { low: -0.02, high: 0.06, level: 0.95 } };
  const verdicts = (equivalenceMargin: number | null) =>
    decide(
      [
        { ...withP(0.6, 0.0001), effect: narrow },
        { ...withP(0.0001, 0.0001), effect: narrow },
        { ...withP(0.6, 0.0001), effect: { ...narrow, interval: { ...narrow.interval, high: 0.2 } } },
      ],
      { alpha: 0.05, multiplicity: 'holm', equivalenceMargin },
    ).map(({ verdict }) => verdict);
  expect(verdicts(0.1)).toEqual(['equivalent', 'changed', 'noChangeDetected']);
  const equal = { raw: 0, debiased: 0, interval: { low: 0, high: 0, level: 0.95 } };
  const margin = { ...holm, equivalenceMargin: 0.1 };
  expect(decide([{ ...withP(1, 1), effect: equal }], margin)[0]!.verdict).not.toBe('equivalent');
  expect(verdicts(null)).toEqual(['noChangeDetected', 'changed', 'noChangeDetected']);
});
