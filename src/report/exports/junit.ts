/** JUnit XML, as build servers read it: one test case per change of the prompt. */
import type { Comparison, Perturbation, RunRecord } from '../../contracts/runRecord';
import { cautionSentence, comparisonSentence, headline } from '../sentences';
import { toPrintable } from '../visibleText';

/**
 * A harmless change that moved the answers is a failure; one that could not be judged is skipped, with the reason; a
 * change that should matter never fails. A run that failed is an error.
 */
export function toJunit(record: RunRecord): string {
  const cases = record.comparisons.flatMap((comparison) => {
    const perturbation = record.perturbations.find(({ id }) => id === comparison.perturbationId);
    return perturbation === undefined ? [] : [caseOf(comparison, perturbation, record)];
  });
  const caution = cautionSentence(record);
  const broke = record.state === 'failed' ? [brokenCase(record)] : [];
  const all = [...cases, ...broke];
  const count = (kind: Case['kind']) => all.filter((each) => each.kind === kind).length;
  const name = record.prompt.source?.path ?? 'prompt';
  const properties: [string, string][] = [
    ...(caution === null ? [] : [['caution', caution] as [string, string]]),
    ['run', record.id],
    ['model', record.model.id],
    ['resolved', record.model.resolved],
    ['seed', String(record.seed)],
    ['samples', String(record.options.samples)],
    ['alpha', String(record.options.alpha)],
    ['conclusion', record.conclusion.state],
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite id="0" package="evenkeel" name="${xml(name)}" hostname="localhost" timestamp="${record.startedAt.slice(0, 19)}" tests="${all.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${seconds(record.actual.seconds)}">`,
    '    <properties>',
    ...properties.map(([key, value]) => `      <property name="${xml(key)}" value="${xml(value)}"/>`),
    '    </properties>',
    ...all.map(({ text }) => text),
    `    <system-out>${xml(`${caution === null ? '' : `${caution}\n`}${headline(record).sentence}`)}</system-out>`,
    `    <system-err>${xml(record.conclusion.warnings.join('\n'))}</system-err>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

interface Case {
  kind: 'passed' | 'failure' | 'skipped' | 'error';
  text: string;
}

function caseOf(comparison: Comparison, perturbation: Perturbation, record: RunRecord): Case {
  const sentence = comparisonSentence(comparison, perturbation, record);
  const condition = record.conditions.find(({ perturbationId }) => perturbationId === perturbation.id);
  const latencyMs = record.samples
    .filter(({ conditionId }) => conditionId === condition?.id)
    .reduce((sum, sample) => sum + sample.latencyMs, 0);
  const kind =
    comparison.verdict === 'undecided'
      ? 'skipped'
      : comparison.verdict === 'changed' && perturbation.expectation === 'irrelevant'
        ? 'failure'
        : 'passed';
  const opening = `    <testcase name="${xml(`${perturbation.name} [${perturbation.id}]`)}" classname="${xml(`evenkeel.${perturbation.kind}`)}" time="${seconds(latencyMs / 1000)}"`;
  if (kind === 'passed') return { kind, text: `${opening}/>` };
  const inside =
    kind === 'failure'
      ? `<failure type="changed" message="${xml(sentence)}">${xml(perturbation.description)}</failure>`
      : `<skipped>${xml(sentence)}</skipped>`;
  return { kind, text: `${opening}>\n      ${inside}\n    </testcase>` };
}

function brokenCase({ error }: RunRecord): Case {
  const message = xml(error?.message ?? 'The run broke off.');
  return {
    kind: 'error',
    text: `    <testcase name="The run itself" classname="evenkeel" time="0">\n      <error type="${xml(error?.code ?? 'internal')}" message="${message}">${xml(error?.hint ?? '')}</error>\n    </testcase>`,
  };
}

const seconds = (value: number) => value.toFixed(3);

/** Characters that XML 1.0 cannot hold are made visible first. */
function xml(text: string): string {
  return toPrintable(text)
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\n/g, '&#10;');
}
