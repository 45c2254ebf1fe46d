/** Every committed report of a study is what its committed result says: nobody edits a number. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { changed, paraphrases } from '../../bench/studies/embedderPairs';
import { bandOf, changesOf, drawPatient } from '../../bench/studies/patients';
import { studies } from '../../bench/studies/studies';
import type { StudyResult } from '../../bench/studies/study';
import { trigramVectors } from '../../bench/studies/trigrams';
import { createRng } from '../../src/stats/rng';

const folder = path.resolve(import.meta.dirname, '..', '..', 'docs', 'validation', 'studies');
const kept = studies.filter(({ name }) => existsSync(path.join(folder, `${name}.json`)));

describe('studies', () => {
  it('has a result for every report', () => {
    const reports = readdirSync(folder).filter((file) => file.endsWith('.md'));
    expect(reports.sort()).toEqual(kept.map(({ name }) => `${name}.md`).sort());
  });

  it.each(kept.map((study) => [study.name, study] as const))(
    'makes the report of %s again',
    (name, study) => {
      const result = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')) as StudyResult;
      expect(result.quick).toBe(false);
      expect(study.report(result)).toBe(readFileSync(path.join(folder, `${name}.md`), 'utf8'));
    },
  );

  it('checks embedders on 40 pairs of each kind and more, none of them twice', () => {
    for (const pairs of [paraphrases, changed]) {
      expect(pairs.length).toBeGreaterThanOrEqual(40);
      expect(new Set(pairs.map(([a, b]) => `${a}|${b}`)).size).toBe(pairs.length);
      for (const [a, b] of pairs) expect(a).not.toBe(b);
    }
  });

  it('changes patients within a band where nothing should follow, and across one where something should', () => {
    const bands = ({ age, systolic, cholesterol }: ReturnType<typeof drawPatient>) =>
      [bandOf('age', age), bandOf('systolic', systolic), bandOf('cholesterol', cholesterol)].join();
    for (let seed = 0; seed < 200; seed++) {
      const patient = drawPatient(createRng(seed, 'patients'));
      for (const change of changesOf(patient, createRng(seed, 'changes'))) {
        expect(change.patient).not.toEqual(patient);
        const { diabetes, smoker } = change.patient;
        const same =
          bands(change.patient) === bands(patient) &&
          diabetes === patient.diabetes &&
          smoker === patient.smoker;
        expect(same, `${change.id} of patient ${seed}`).toBe(!change.meaningful);
      }
    }
  });

  it('has trigram vectors of length 1, equal for equal texts only, also of empty and non-Latin ones', () => {
    const { dim, vectors } = trigramVectors(['one two', 'one two', 'two one', '', '雨が降る']);
    const cosine = (i: number, j: number) => {
      let sum = 0;
      for (let d = 0; d < dim; d++) sum += vectors[i * dim + d]! * vectors[j * dim + d]!;
      return sum;
    };
    for (let i = 0; i < 5; i++) expect(cosine(i, i)).toBeCloseTo(1, 5);
    expect(cosine(0, 1)).toBeCloseTo(1, 5);
    expect(cosine(0, 2)).toBeLessThan(0.99);
  });
});
