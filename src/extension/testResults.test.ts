import { describe, expect, it } from 'vitest';
import { buildRunRecord } from '../../test/builders/runRecord';
import type { RunRecord, Verdict } from '../contracts/runRecord';
import { kindResult } from './testResults';

const record = buildRunRecord({ scenario: 'steady', seed: 3 });
const all = (verdict: Verdict): RunRecord => ({
  ...record,
  comparisons: record.comparisons.map((one) => ({ ...one, verdict, undecided: null, deterministic: false })),
});

describe('a kind of change as a test', () => {
  it('fails with a sentence per harmless change that moved the answers', () => {
    const result = kindResult(all('changed'), 'rewording');
    const harmless = record.perturbations.filter(
      ({ kind, expectation }) => kind === 'rewording' && expectation === 'irrelevant',
    );
    expect(result.state).toBe('failed');
    expect(result.failures.map(({ perturbation }) => perturbation.id)).toEqual(harmless.map(({ id }) => id));
    for (const { message } of result.failures) expect(message).toMatch(/moved .* answers/);
  });

  it('passes where no change was detected', () => {
    expect(kindResult(all('noChangeDetected'), 'surface')).toEqual({
      state: 'passed',
      failures: [],
      notes: [],
    });
  });

  it('is skipped, with the reason, where nothing was decided', () => {
    const result = kindResult(all('undecided'), 'surface');
    expect(result.state).toBe('skipped');
    expect(result.notes[0]).toMatch(/undecided/);
  });

  it('is skipped where the kind could not be tried', () => {
    expect(kindResult({ ...record, comparisons: [] }, 'persona').state).toBe('skipped');
  });
});
