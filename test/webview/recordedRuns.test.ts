import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hostMessageSchema } from '../../src/contracts/webviewProtocol';
import { createSampleBrowser } from '../../src/report/sampleBrowser';
import { toReportView } from '../../src/report/reportView';
import { hostileRun, largeRun, recordedNames, recordedRun } from './recordedRuns';

const all = () => [
  ...recordedNames.map((name) => ({ name, record: recordedRun(name) })),
  { name: 'hostile', record: hostileRun() },
];

test('there is a recorded run of every verdict that a check can reach', () => {
  const verdicts = new Set(all().flatMap(({ record }) => record.comparisons.map(({ verdict }) => verdict)));
  expect([...verdicts].sort()).toEqual([
    'changed',
    'changedWithinRewordingNoise',
    'equivalent',
    'noChangeDetected',
    'undecided',
  ]);
  const reasons = new Set(
    all().flatMap(({ record }) => record.comparisons.map(({ undecided }) => undecided?.reason)),
  );
  for (const reason of ['tooFewSamples', 'compromised', 'cancelled']) expect(reasons).toContain(reason);
  const everything = recordedRun('everything');
  expect(everything.family).toContain('label');
  expect(everything.noiseFloor?.source).toBe('repeatArm');
  expect(everything.roc).toBeDefined();
  expect(everything.map?.points).toHaveLength(everything.samples.length);
});

test('the published schema takes every recorded run, and refuses what is none', () => {
  const schema = JSON.parse(
    readFileSync(path.resolve(import.meta.dirname, '../../docs/schema/runRecord.v1.json'), 'utf8'),
  ) as object;
  const validate = addFormats(new Ajv2020({ strict: false })).compile(schema);
  for (const { name, record } of all()) {
    validate(record);
    expect(validate.errors, name).toBeNull();
  }
  const { seed: _seed, ...noSeed } = recordedRun('changed');
  expect(validate(noSeed)).toBe(false);
  expect(validate({ ...recordedRun('changed'), version: 2 })).toBe(false);
});

test('every view is one that the protocol knows, and under 5 MB with its samples a page at a time', () => {
  for (const { record } of [...all(), { record: largeRun(20_000) }]) {
    const view = toReportView(record);
    expect(hostMessageSchema.safeParse({ type: 'show', view }).success).toBe(true);
    const page = createSampleBrowser(record).page({
      conditionId: null,
      outcome: null,
      answer: null,
      search: '',
      offset: 0,
      limit: 100,
    });
    expect(JSON.stringify(view).length + JSON.stringify(page).length).toBeLessThan(5_000_000);
  }
});

test('the browser finds what a filter over the record finds', () => {
  const record = largeRun(20_000);
  const browser = createSampleBrowser(record);
  const any = { conditionId: null, outcome: null, answer: null, search: '', offset: 0, limit: 500 };
  expect(browser.page(any).total).toBe(20_000);
  const [, second] = record.conditions;
  expect(browser.page({ ...any, conditionId: second!.id }).total).toBe(1_000);
  const holding = record.samples.filter(({ text }) => text.toLowerCase().includes('negative')).length;
  expect(browser.page({ ...any, search: 'NEGATIVE' }).total).toBe(holding);
  const answer = toReportView(record).commonAnswers[0]!;
  expect(browser.page({ ...any, answer: answer.text }).total).toBe(answer.count);
  expect(browser.page({ ...any, offset: 19_990 }).samples).toHaveLength(10);
});
