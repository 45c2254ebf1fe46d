import { describe, expect, it } from 'vitest';
import { buildRunRecord } from '../../test/builders/runRecord';
import type { RunRecord, Sample } from '../contracts/runRecord';
import { createRng } from '../stats/rng';
import { steadierWordings } from './steadierWording';

const record = buildRunRecord({ scenario: 'wobbles', seed: 3, samples: 20 });
/** The same run with other answers, by condition. */
const answered = (textOf: (conditionId: string, sample: Sample) => string): RunRecord => ({
  ...record,
  samples: record.samples.map((sample) => ({
    ...sample,
    outcome: 'ok',
    text: textOf(sample.conditionId, sample),
  })),
});
const harmless = record.perturbations.find(({ expectation }) => expectation === 'irrelevant')!;
const condition = record.conditions.find(({ perturbationId }) => perturbationId === harmless.id)!;

describe('steadier wordings', () => {
  it('finds the one whose answers are alike while those of the prompt vary', () => {
    const run = answered((id, { index }) => (id === condition.id ? 'low' : `answer ${index}`));
    const [found, ...others] = steadierWordings(run);
    expect(others).toEqual([]);
    expect(found?.perturbationId).toBe(harmless.id);
    expect(found?.alike).toEqual({ wording: [20, 20], prompt: [1, 20] });
    expect(found?.adjustedP).toBeLessThanOrEqual(0.05);
  });

  it('offers none that moved the answers without making them steadier', () => {
    expect(steadierWordings(answered((id) => (id === condition.id ? 'low' : 'high')))).toEqual([]);
  });

  it('offers none for answers that vary more', () => {
    const run = answered((id, { index }) => (id === condition.id ? `answer ${index}` : 'low'));
    expect(steadierWordings(run)).toEqual([]);
  });

  it('keeps its level where nothing differs', () => {
    const rng = createRng(7, 'level');
    let offered = 0;
    for (let run = 0; run < 60; run++) {
      if (steadierWordings(answered(() => 'abc'[rng.below(3)]!)).length > 0) offered += 1;
    }
    // 60 runs at a family-wise level of 5%: more than 9 would happen once in two thousand times.
    expect(offered).toBeLessThanOrEqual(9);
  });

  it('says nothing of an edit, or of undecided comparisons', () => {
    const run = answered((id, { index }) => (id === condition.id ? 'low' : `answer ${index}`));
    expect(steadierWordings({ ...run, kind: 'edit' })).toEqual([]);
    const undecided = run.comparisons.map((one) => ({ ...one, verdict: 'undecided' as const }));
    expect(steadierWordings({ ...run, comparisons: undecided })).toEqual([]);
  });
});
