/** Runs that the real engine made on real models (scripts/recordRuns.ts), and what is made of them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { compareRecordSchema, type CompareRecord } from '../../src/contracts/compareRecord';
import { flipsRecordSchema, type FlipsRecord } from '../../src/contracts/flipsRecord';
import { runRecordSchema, type RunRecord } from '../../src/contracts/runRecord';
import { hostileTexts } from './hostileTexts';

export const recordedNames = [
  'changed',
  'noChangeDetected',
  'equivalent',
  'undecided',
  'compromised',
  'cancelled',
  'empty',
  'freeText',
  'everything',
  'editWithinNoise',
  'editChanged',
  'looks',
] as const;

export const recordedRun = (name: (typeof recordedNames)[number]): RunRecord =>
  runRecordSchema.parse(
    JSON.parse(readFileSync(path.join(import.meta.dirname, 'runs', `${name}.json`), 'utf8')),
  );

/** Real samples repeated until there are so many, over twenty prompts. */
export function largeRun(samples: number): RunRecord {
  const record = recordedRun('changed');
  const own = record.perturbations;
  const perturbations = Array.from({ length: 19 }, (_, i) => ({
    ...own[i % own.length]!,
    id: `${own[i % own.length]!.id}#${i}`,
  }));
  const conditions = [
    record.conditions[0]!,
    ...perturbations.map((perturbation, i) => ({
      ...record.conditions[1 + (i % own.length)]!,
      id: perturbation.id,
      perturbationId: perturbation.id,
    })),
  ];
  const each = samples / conditions.length;
  let position = 0;
  const texts = [...new Set(record.samples.map(({ text }) => text))];
  const repeated = conditions.flatMap((condition, c) => {
    const source = record.samples.filter(
      ({ conditionId }) => conditionId === record.conditions[c === 0 ? 0 : 1 + ((c - 1) % own.length)]!.id,
    );
    return Array.from({ length: each }, (_, index) => {
      const sample = source[index % source.length]!;
      return {
        ...sample,
        conditionId: condition.id,
        index,
        // Half of the answers are as the model gave them; the others are put together from two, so that many differ.
        text: index % 2 === 0 ? sample.text : `${sample.text} ${texts[(index * 7 + c) % texts.length]}`,
        startedAtMs: record.samples[0]!.startedAtMs + 300 * position,
        position: position++,
      };
    });
  });
  const comparisons = perturbations.map((perturbation, i) => ({
    ...record.comparisons[i % own.length]!,
    perturbationId: perturbation.id,
    n0: each,
    n1: each,
  }));
  return {
    ...record,
    options: { ...record.options, samples: each },
    plan: { ...record.plan, conditions: conditions.length, calls: samples },
    actual: { ...record.actual, calls: samples },
    perturbations,
    conditions,
    comparisons,
    samples: repeated,
    map: record.map && { ...record.map, points: repeated.map((_, i) => [Math.sin(i), Math.cos(3 * i)]) },
  };
}

/** Answers, names and warnings that a page would regret to trust; one of them is a line of a million characters. */
export function hostileRun(): RunRecord {
  const record = recordedRun('changed');
  const texts = [...hostileTexts, 'x'.repeat(1_000_000)];
  return {
    ...record,
    prompt: { ...record.prompt, variables: { '<b>x</b>': hostileTexts.join(' ') } },
    perturbations: record.perturbations.map((perturbation, i) => ({
      ...perturbation,
      name: hostileTexts[i % hostileTexts.length]!,
      description: hostileTexts[(i + 1) % hostileTexts.length]!,
    })),
    samples: record.samples.map((sample, i) => ({
      ...sample,
      text: texts[(i % 20) % texts.length]!,
      ...(i % 5 === 0 ? { thinking: texts[i % hostileTexts.length]! } : {}),
    })),
    conclusion: { ...record.conclusion, warnings: hostileTexts },
  };
}

export const recordedComparison = (): CompareRecord =>
  compareRecordSchema.parse(
    JSON.parse(readFileSync(path.join(import.meta.dirname, 'runs', 'compare.json'), 'utf8')),
  );

export const recordedFlips = (): FlipsRecord =>
  flipsRecordSchema.parse(
    JSON.parse(readFileSync(path.join(import.meta.dirname, 'runs', 'flips.json'), 'utf8')),
  );
