import { describe, expect, it } from 'vitest';
import { buildRunRecord } from '../../test/builders/runRecord';
import { generatePerturbations } from '../perturb/generate';
import { comparisonSentence } from '../report/sentences';
import { createRng } from '../stats/rng';
import { decide } from './conclude';
import { conditionsOf } from './robustness';

const text =
  'A patient, {{age}} years old, has chest pain. What should the patient do? Answer in one sentence.';
const variables = { age: '45' };
const { perturbations } = generatePerturbations(text, {
  rng: createRng(1, 'perturbations'),
  kinds: ['persona', 'rewording'],
  includeMeaningful: true,
  limit: 12,
});
const conditions = conditionsOf({ source: null, text, variables }, perturbations, { repeatArm: false });

describe('papers.md A: defects and objections of DBPA stay out', () => {
  it('the baseline of personas is the prompt itself, not a persona', () => {
    expect(perturbations.some(({ kind }) => kind === 'persona')).toBe(true);
    const [baseline, ...others] = conditions;
    expect(baseline!.rendered).toBe(text.replace('{{age}}', '45'));
    expect(others.every(({ rendered }) => rendered !== baseline!.rendered)).toBe(true);
  });

  it('all conditions describe the same patient', () => {
    for (const { rendered } of conditions) expect(rendered).toContain('45 years');
  });

  it('objection 4: a p that passes alone does not pass among ten', () => {
    const { comparisons } = buildRunRecord();
    const one = { ...comparisons[0]!, p: 0.02, pFloor: 0.0001, deterministic: false, undecided: null };
    const others = Array.from({ length: 9 }, () => ({ ...one, p: 0.6 }));
    const options = { alpha: 0.05, multiplicity: 'holm' as const, equivalenceMargin: null };
    expect(decide([one], options)[0]!.verdict).toBe('changed');
    expect(decide([one, ...others], options)[0]!).toMatchObject({
      adjustedP: 0.2,
      verdict: 'noChangeDetected',
    });
  });

  it('objection 5: no change detected always says what would have been caught', () => {
    const record = buildRunRecord({ scenario: 'steady' });
    const comparison = record.comparisons.find(({ verdict }) => verdict === 'noChangeDetected')!;
    const perturbation = record.perturbations.find(({ id }) => id === comparison.perturbationId)!;
    const sentence = comparisonSentence(comparison, perturbation, record);
    expect(sentence).toContain(`Had ${Math.round(record.mde!.share! * 100)}% of the answers`);
    expect(sentence).toContain('with 80% power');
  });
});
