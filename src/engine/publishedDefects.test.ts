import { describe, expect, it } from 'vitest';
import { buildRunRecord } from '../../test/builders/runRecord';
import { generatePerturbations } from '../perturb/generate';
import { comparisonSentence } from '../report/sentences';
import type { PublishedStatistic } from '../contracts/testOptions';
import { differenceTest } from '../stats/differenceTest';
import { normalQuantile } from '../stats/normal';
import { createRng } from '../stats/rng';
import { completeOptions } from './checkOptions';
import { decide } from './conclude';
import { DEFAULT_OPTIONS } from './defaults';
import { planCheck } from './plan';
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

  it('objection 1: a choice of statistic or encoder turns the published decision round; the omnibus has one for all', () => {
    const rng = createRng(4, 'objection');
    const normal = () => normalQuantile((rng.uint32() + 0.5) / 2 ** 32);
    const dim = 16;
    /** Answers around one centre; the second arm shifted, or spread wider. */
    const arms = (shift: number, spread: number) =>
      Float32Array.from({ length: 40 * dim }, (_, at) => {
        const [second, axis] = [at >= 20 * dim, at % dim];
        return (
          (axis === 1 ? 3 : 0) + (second && axis === 0 ? shift : 0) + 0.5 * (second ? spread : 1) * normal()
        );
      });
    const changed = (vectors: Float32Array[], statistic?: PublishedStatistic) =>
      differenceTest({
        ...{ n0: 20, n1: 20, permutations: 1_999, bins: 30, bootstrapDraws: 0, confidence: 0.95, seed: 1 },
        embeddings: vectors.map((one, e) => ({ embedder: `e${e}`, dim, vectors: one })),
        ...(statistic === undefined ? {} : { statistic }),
      }).p! <= 0.05;
    const [shifted, wider, blind] = [arms(0.8, 1), arms(0, 1.35), arms(0, 1)];
    const published = ['published-jsd', 'published-energy-cosine'] as const;
    expect(published.map((statistic) => changed([shifted], statistic))).toEqual([false, true]);
    expect(published.map((statistic) => changed([wider], statistic))).toEqual([true, false]);
    expect([changed([shifted]), changed([wider])]).toEqual([true, true]);
    // Another encoder, which does not see the change: the published decision follows it, the omnibus does not.
    expect(changed([blind], 'published-energy-cosine')).toBe(false);
    expect([changed([shifted, blind]), changed([blind, shifted])]).toEqual([true, true]);
  });

  // Objection 2, the encoder's grasp of meaning: test/engine/meaningPairs.test.ts.

  it('objection 3: the plan says what k can detect, and B follows from the number of changes', () => {
    const time = { seconds: null, secondsAre: 'unknown' as const };
    const prompts = Array.from({ length: 11 }, () => 'x');
    const detectable = [5, 10, 20, 40, 80].map(
      (samples) => planCheck(prompts, { ...DEFAULT_OPTIONS, samples }, time, null).detectableAtBest,
    );
    expect(detectable[0]).toBeNull();
    for (let i = 2; i < detectable.length; i++) expect(detectable[i]).toBeLessThan(detectable[i - 1]!);
    expect(completeOptions({}, 10).permutations).toBe(9_999);
    expect(completeOptions({}, 200).permutations).toBe(19_999);
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
