import { expect, test } from 'vitest';
import type { RunRecord } from '../contracts/runRecord';
import { buildRunRecord, type Scenario } from '../../test/builders/runRecord';
import { formatEffect, formatP } from './format';
import { comparisonSentence, headline, mdeSentence, memberName } from './sentences';

const moved = (record: RunRecord) => record.comparisons.filter(({ verdict }) => verdict === 'changed');

function sentenceOf(
  record: RunRecord,
  index: number,
  change: Partial<RunRecord['comparisons'][number]> = {},
) {
  const comparison = record.comparisons[index];
  const perturbation = record.perturbations[index];
  if (!comparison || !perturbation) throw new Error('the builder made too few comparisons');
  return { comparison, text: comparisonSentence({ ...comparison, ...change }, perturbation, record) };
}

test('a wobbling prompt: how many, of what, which changes', () => {
  const record = buildRunRecord();
  expect(headline(record)).toEqual({
    state: 'wobbles',
    word: 'Wobbles',
    sentence: `Wobbles: ${moved(record).length} of 10 harmless changes moved qwen2.5-coder-0.5b’s answers: trailing space, contraction (20 answers each).`,
  });
});

test('a steady prompt says what would have been caught', () => {
  const record = buildRunRecord({ scenario: 'steady' });
  expect(headline(record).sentence).toBe(
    'Steady: none of 10 harmless changes was seen to move qwen2.5-coder-0.5b’s answers (20 answers each; would have noticed if 35% of them had become unrelated).',
  );
  const blind = { ...record, mde: record.mde && { ...record.mde, share: null } };
  expect(headline(blind).sentence).toContain('too few to catch a change of any size reliably');
  expect(mdeSentence({ ...record, mde: null })).toContain('not computed');
});

test.each<[Scenario, RegExp]>([
  ['undecided', /^Undecided: \d+ of 10 harmless changes could not be judged \(Measurement compromised: .*\)/],
  [
    'cancelled',
    /^Cancelled: 110 of 220 answers had arrived and are kept\. 4 of 10 harmless changes were tested; 2 of them/,
  ],
  ['failed', /^Failed: no connection to the model server/],
  ['empty', /^Undecided: there was nothing to compare\.$/],
])('%s', (scenario, expected) => {
  expect(headline(buildRunRecord({ scenario })).sentence).toMatch(expected);
});

test('changes that should matter do not count as wobbling', () => {
  const record = buildRunRecord();
  const meant = {
    ...record,
    perturbations: record.perturbations.map((each) => ({ ...each, expectation: 'meaningful' as const })),
  };
  expect(headline(meant).state).not.toBe('wobbles');
});

test('a comparison states effect, interval, adjusted p and n as the record has them', () => {
  const { comparison, text } = sentenceOf(buildRunRecord(), 0);
  if (!comparison.effect) throw new Error('no effect');
  expect(text).toContain(formatEffect(comparison.effect));
  expect(text).toContain(formatP(comparison.adjustedP));
  expect(text).toContain(`${comparison.n0} against ${comparison.n1} answers`);
});

test('no change detected never stands without what would have been caught', () => {
  const record = buildRunRecord();
  const { text } = sentenceOf(record, 5);
  expect(text).toContain('no change detected');
  expect(text).toContain(mdeSentence(record));
});

test('what would have been noticed is not claimed for an arm with fewer answers than the baseline', () => {
  const { text } = sentenceOf(buildRunRecord(), 5, { n0: 20, n1: 9 });
  expect(text).toContain('20 answers in both arms; with 9 it takes a larger change');
});

test('constant arms of drawn answers state their p-value', () => {
  const { text } = sentenceOf(buildRunRecord(), 0, { deterministic: true, p: 0.0001, adjustedP: 0.001 });
  expect(text).toContain('Adjusted p = 0.001');
  expect(text).not.toContain('No p-value');
});

test('a deterministic change claims no p-value', () => {
  const { text } = sentenceOf(buildRunRecord(), 0, { deterministic: true, p: null, adjustedP: null });
  expect(text).toContain('No p-value is claimed');
  expect(text).not.toContain('adjusted p');
});

test('an undecided comparison gives its reason', () => {
  const { comparison, text } = sentenceOf(buildRunRecord({ scenario: 'undecided' }), 0);
  expect(text).toContain(comparison.undecided?.explanation);
});

test('members have names', () => {
  expect(memberName('minilm/jsd')).toBe('JS distance (minilm)');
  expect(['0.25', '0.5', '1', '2', '4'].map((width) => memberName(`minilm/mmd${width}`))).toEqual(
    ['¼', '½', '1', '2', '4'].map((width) => `MMD, width ${width} (minilm)`),
  );
  expect(memberName('string')).toBe('Letter by letter');
  expect(memberName('new/thing')).toBe('thing (new)');
});
