import { expect, test } from 'vitest';
import { reportViewSchema } from '../contracts/reportView';
import { runRecordSchema } from '../contracts/runRecord';
import { buildRunRecord, examplePrompt, type Scenario } from '../../test/builders/runRecord';
import { progressView } from './progressView';
import { toReportView } from './reportView';
import { sampleViews } from './sampleView';

const scenarios: Scenario[] = ['wobbles', 'steady', 'undecided', 'cancelled', 'failed', 'empty'];

test.each(scenarios)('%s: a valid record gives a valid view, the same one every time', (scenario) => {
  const record = runRecordSchema.parse(buildRunRecord({ scenario }));
  const view = toReportView(record);
  expect(reportViewSchema.parse(view)).toEqual(view);
  expect(toReportView(record)).toEqual(view);
  expect(view.comparisons).toHaveLength(record.comparisons.length);
});

test('rows carry the record’s numbers, largest effect first, unmeasured ones last', () => {
  const record = buildRunRecord({ scenario: 'cancelled' });
  const { comparisons } = toReportView(record);
  const effects = comparisons.map(({ effect }) => effect?.debiased ?? Number.NEGATIVE_INFINITY);
  expect(effects).toEqual([...effects].sort((a, b) => b - a));
  for (const row of comparisons) {
    const source = record.comparisons.find(({ perturbationId }) => perturbationId === row.perturbationId);
    expect(row.effect?.debiased).toBe(source?.effect?.debiased);
    expect(row.effect?.low).toBe(source?.effect?.interval.low);
    expect(row.adjustedP).toBe(source?.adjustedP);
  }
});

test('answers are counted per arm, and none is lost', () => {
  const record = buildRunRecord();
  const okOf = (conditionId: string) =>
    record.samples.filter((sample) => sample.conditionId === conditionId && sample.outcome === 'ok').length;
  for (const row of toReportView(record).comparisons) {
    const sum = (arm: 'baseline' | 'perturbed') =>
      row.answers.reduce((total, answer) => total + answer[arm], row.otherAnswers[arm]);
    expect(sum('baseline')).toBe(okOf('baseline'));
    expect(sum('perturbed')).toBe(okOf(row.conditionId));
  }
});

test('the pieces of the prompt are the prompt, and the wobbling sentences are marked', () => {
  const { pieces } = toReportView(buildRunRecord()).prompt;
  expect(pieces.map(({ text }) => text.runs.map((run) => run.text).join('')).join('')).toBe(examplePrompt);
  const wobbling = pieces
    .filter(({ state }) => state === 'wobbles')
    .map(({ span }) => examplePrompt.slice(span.start, span.end));
  expect(wobbling).toEqual([
    'Do not guess what is not written.',
    'Answer with one word: low, medium or high.',
  ]);
});

test('samples come in pages', () => {
  const record = buildRunRecord();
  const page = sampleViews(record, 'baseline', 18, 5);
  expect(page.total).toBe(20);
  expect(page.samples.map(({ index }) => index)).toEqual([18, 19]);
  expect(sampleViews(record, 'unknown').total).toBe(0);
});

test('progress in words', () => {
  const running = {
    title: 'a.prompt',
    modelId: 'm',
    phase: 'sampling' as const,
    done: 1200,
    total: 2200,
    secondsLeft: 61.2,
    cancelling: false,
    warnings: [],
    arms: [],
  };
  expect(progressView(running)).toMatchObject({
    countText: '1,200 of 2,200 answers',
    timeLeftText: 'about 1 min 2 s left',
    phase: 2,
  });
  expect(progressView({ ...running, cancelling: true }).timeLeftText).toBeNull();
  expect(progressView({ ...running, total: 0 }).countText).toBe('');
});
