/** SARIF 2.1.0, as code hosts and editors read it: findings on the exact ranges of the prompt file. */
import type { Comparison, Perturbation, RunRecord, Span } from '../../contracts/runRecord';
import { sourceSpans } from '../../contracts/sourceMap';
import { cautionSentence, comparisonSentence } from '../sentences';
import { toPrintable } from '../visibleText';

const rules = [
  {
    id: 'wobbles',
    name: 'PromptWobbles',
    shortDescription: { text: 'A harmless change to the prompt moves the answers' },
    fullDescription: {
      text: 'The model answers the prompt and a harmlessly changed prompt differently, beyond the noise of its own answers (permutation test, corrected over all changes).',
    },
    defaultConfiguration: { level: 'warning' },
  },
  {
    id: 'undecided',
    name: 'PromptUndecided',
    shortDescription: { text: 'A change to the prompt could not be judged' },
    fullDescription: { text: 'Too few or compromised answers: nothing is claimed either way.' },
    defaultConfiguration: { level: 'note' },
  },
];

/** @param fileText the prompt's file, where it still holds the prompt at its range: ranges then have lines and columns */
export function toSarif(record: RunRecord, fileText: string | null): string {
  const caution = cautionSentence(record);
  const results = record.comparisons.flatMap((comparison) => {
    const perturbation = record.perturbations.find(({ id }) => id === comparison.perturbationId);
    return perturbation === undefined ? [] : resultsOf(comparison, perturbation, record, fileText);
  });
  const notes = [...(caution === null ? [] : [caution]), ...record.conclusion.warnings];
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        invocations: [
          {
            executionSuccessful: record.state === 'complete',
            startTimeUtc: record.startedAt,
            endTimeUtc: record.finishedAt,
            toolExecutionNotifications: notes.map((text) => ({
              level: 'warning',
              message: { text: message(text) },
            })),
          },
        ],
        tool: {
          driver: { name: 'Evenkeel', version: record.versions['evenkeel'] ?? 'unknown', rules },
        },
        automationDetails: { id: `evenkeel/${record.id}` },
        columnKind: 'utf16CodeUnits',
        results,
        properties: {
          model: record.model.id,
          resolved: record.model.resolved,
          seed: record.seed,
          samples: record.options.samples,
          alpha: record.options.alpha,
          state: record.state,
          conclusion: record.conclusion.state,
        },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function resultsOf(
  comparison: Comparison,
  perturbation: Perturbation,
  record: RunRecord,
  fileText: string | null,
): object[] {
  if (perturbation.expectation !== 'irrelevant') return [];
  const wobbles = comparison.verdict === 'changed';
  if (!wobbles && comparison.verdict !== 'undecided') return [];
  const { source } = record.prompt;
  const { effect } = comparison;
  return [
    {
      ruleId: wobbles ? 'wobbles' : 'undecided',
      ruleIndex: wobbles ? 0 : 1,
      level: wobbles ? 'warning' : 'note',
      message: { text: message(comparisonSentence(comparison, perturbation, record)) },
      ...(source === null
        ? {}
        : {
            locations: placesOf(perturbation.span, source).map((span) => ({
              physicalLocation: {
                artifactLocation: { uri: uriOf(source.path) },
                region: regionOf(span, fileText),
              },
            })),
          }),
      partialFingerprints: { 'perturbation/v1': perturbation.id },
      properties: {
        perturbation: perturbation.id,
        strength: perturbation.strength.level,
        p: comparison.p,
        adjustedP: comparison.adjustedP,
        effect: effect?.debiased ?? null,
        effectInterval: effect === null ? null : [effect.interval.low, effect.interval.high],
      },
    },
  ];
}

/** Plain text: brackets would begin a link in a SARIF message. */
const message = (text: string) => toPrintable(text).replace(/[\\[\]]/g, '\\$&');

/** A path of the person's as a relative URI reference. */
function uriOf(path: string): string {
  const parts = path.replace(/\\/g, '/').split('/').map(encodeURIComponent);
  return /^[A-Za-z]%3A$/.test(parts[0] ?? '') ? `file:///${parts.join('/')}` : parts.join('/');
}

function placesOf({ start, end }: Span, { range, map }: NonNullable<RunRecord['prompt']['source']>): Span[] {
  if (map !== undefined) return sourceSpans(map, { start, end });
  return [{ start: range.start + start, end: range.start + end }];
}

function regionOf({ start, end }: Span, fileText: string | null): object {
  const offsets = { charOffset: start, charLength: end - start };
  if (fileText === null) return offsets;
  const from = placeOf(fileText, start);
  const to = placeOf(fileText, end);
  return {
    ...offsets,
    startLine: from.line,
    startColumn: from.column,
    endLine: to.line,
    endColumn: to.column,
  };
}

/** Line and column from 1; columns in UTF-16 units. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
  return { line: before.split(/\r\n|\r|\n/).length, column: offset - lineStart + 1 };
}
