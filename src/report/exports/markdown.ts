/** A report that fits a comment on a pull request: verdict, table, and the rest folded. */
import type { Comparison, Perturbation, RunRecord, Sample } from '../../contracts/runRecord';
import { countOf, formatDuration, formatEffect, formatP, formatPercent } from '../format';
import { againstView } from '../against';
import { promptDiff } from '../promptDiff';
import {
  cautionSentence,
  comparisonSentence,
  headline,
  mdeSentence,
  noiseFloorSentence,
  verdictWords,
} from '../sentences';
import { toPrintable } from '../visibleText';

/** GitHub takes 65,536 characters; other hosts about as many. */
const MAX_CHARS = 60_000;
const MAX_ANSWER_CHARS = 160;
const MAX_DETAILS = 20;

const marks: Record<Comparison['verdict'], string> = {
  changed: '◆',
  changedWithinRewordingNoise: '◇',
  noChangeDetected: '○',
  equivalent: '●',
  undecided: '?',
};

/** @param against a run that this one is held against */
export function toMarkdown(record: RunRecord, against?: RunRecord): string {
  const { word, sentence } = headline(record);
  const caution = cautionSentence(record);
  const rows = byEffect(record);
  const parts = [
    `### ${word}: ${escapeMarkdown(titleOf(record))}`,
    ...(caution === null ? [] : [`> **Caution.** ${escapeMarkdown(caution)}`]),
    escapeMarkdown(sentence),
    ...(rows.length === 0 ? [] : [table(rows)]),
    ...record.conclusion.warnings.map((warning) => `> ${escapeMarkdown(warning)}`),
    ...(against === undefined ? [] : [comparedWith(record, against)]),
    ...moved(record, rows),
    folded('What this check could see', [
      escapeMarkdown(mdeSentence(record)),
      ...(record.noiseFloor === null ? [] : [escapeMarkdown(noiseFloorSentence(record.noiseFloor))]),
    ]),
    folded('How was this computed?', howComputed(record)),
  ];
  return fit(parts);
}

const titleOf = ({ prompt }: RunRecord) => prompt.source?.path ?? 'prompt';

/** Whole parts from the front, so that no folded part is left open. */
function fit(parts: string[]): string {
  const kept: string[] = [];
  let chars = 0;
  for (const part of parts) {
    chars += part.length + 2;
    if (chars > MAX_CHARS) {
      kept.push('*The rest does not fit a comment; the HTML and JSON exports hold all of it.*');
      break;
    }
    kept.push(part);
  }
  return `${kept.join('\n\n')}\n`;
}

interface Row {
  comparison: Comparison;
  perturbation: Perturbation;
}

function byEffect({ comparisons, perturbations }: RunRecord): Row[] {
  return comparisons
    .flatMap((comparison) => {
      const perturbation = perturbations.find(({ id }) => id === comparison.perturbationId);
      return perturbation === undefined ? [] : [{ comparison, perturbation }];
    })
    .sort((a, b) => (b.comparison.effect?.debiased ?? -2) - (a.comparison.effect?.debiased ?? -2));
}

function table(rows: Row[]): string {
  const head = '| | Change | Strength | Effect H (95% CI) | Adjusted p | Verdict |\n|-|-|-|-|-|-|';
  const lines = rows.map(({ comparison, perturbation }) => {
    const { effect, verdict } = comparison;
    const cells = [
      marks[verdict],
      escapeMarkdown(perturbation.name),
      String(perturbation.strength.level ?? 'not rated'),
      effect === null ? 'not measured' : formatEffect(effect).replace(/ \(\d+% CI /, ' ('),
      escapeMarkdown(formatP(comparison.adjustedP)),
      verdict === 'changed' ? `**${verdictWords[verdict]}**` : verdictWords[verdict],
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [head, ...lines].join('\n');
}

function moved(record: RunRecord, rows: Row[]): string[] {
  const told = rows.filter(({ comparison }) => comparison.verdict === 'changed').slice(0, MAX_DETAILS);
  if (told.length === 0) return [];
  const samplesOf = (id: string) => record.samples.filter(({ conditionId }) => conditionId === id);
  const baselineId = record.conditions.find(({ role }) => role === 'baseline')?.id ?? '';
  return [
    folded(
      `What moved the answers (${told.length})`,
      told.flatMap(({ comparison, perturbation }) => {
        const condition = record.conditions.find(({ perturbationId }) => perturbationId === perturbation.id);
        return [
          `**${escapeMarkdown(perturbation.name)}.** ${escapeMarkdown(comparisonSentence(comparison, perturbation, record))}`,
          fenced('diff', diffLines(record, perturbation)),
          `Before: ${commonAnswers(samplesOf(baselineId))}<br>After: ${commonAnswers(samplesOf(condition?.id ?? ''))}`,
        ];
      }),
    ),
  ];
}

/** The edited places, before and after, as a unified diff shows them. */
function diffLines({ prompt }: RunRecord, { edits, systemLine }: Perturbation): string {
  const lines = promptDiff(prompt.text, edits).flatMap(({ parts }) => {
    const side = (op: 'added' | 'removed') =>
      parts
        .filter((part) => part.op === 'same' || part.op === op)
        .flatMap(({ runs }) => runs.map(({ text }) => text))
        .join('');
    const prefixed = (sign: string, text: string) => text.split('\n').map((line) => `${sign} ${line}`);
    return [...prefixed('-', side('removed')), ...prefixed('+', side('added'))];
  });
  return [...(systemLine === undefined ? [] : [`+ (system) ${toPrintable(systemLine)}`]), ...lines].join(
    '\n',
  );
}

function commonAnswers(samples: readonly Sample[]): string {
  const counts = new Map<string, number>();
  const ok = samples.filter(({ outcome }) => outcome === 'ok');
  for (const { text } of ok) {
    const line = toPrintable(text.trim().slice(0, 4 * MAX_ANSWER_CHARS)).replace(/\s+/g, ' ');
    const short = line.length > MAX_ANSWER_CHARS ? `${line.slice(0, MAX_ANSWER_CHARS - 1)}…` : line;
    counts.set(short, (counts.get(short) ?? 0) + 1);
  }
  if (counts.size === 0) return 'none';
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  const told = sorted
    .slice(0, 3)
    .map(([text, count]) => `${inlineCode(text)} ${formatPercent(count / ok.length)}`);
  return `${told.join(', ')}${sorted.length > 3 ? `, ${sorted.length - 3} other kinds` : ''}`;
}

function comparedWith(record: RunRecord, against: RunRecord): string {
  const view = againstView(record, against);
  const rows = view.rows.map(
    ({ name, before, now, flipped }) =>
      `| ${flipped ? '◆' : ''} | ${escapeMarkdown(name)} | ${escapeMarkdown(before?.verdictText ?? 'not tried')} | ${escapeMarkdown(now?.verdictText ?? 'not tried')} |`,
  );
  return folded('Against another run', [
    escapeMarkdown(view.sentence),
    ...view.differences.map((difference) => `- ${escapeMarkdown(difference)}`),
    ['| | Change | There | Here |\n|-|-|-|-|', ...rows].join('\n'),
  ]);
}

function howComputed(record: RunRecord): string[] {
  const { options, model, actual, seed } = record;
  return [
    escapeMarkdown(
      `${model.id} (${model.resolved}), ${countOf(options.samples, 'answer')} per prompt, temperature ${options.temperature}, seed ${seed}, α = ${options.alpha}, ${options.multiplicity} over ${countOf(record.comparisons.length, 'change')}, ${formatDuration(actual.seconds)}.`,
    ),
    escapeMarkdown(
      `${Object.entries(record.versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', ')}; run ${record.id}.`,
    ),
    fenced('sh', toPrintable(record.reproduce)),
  ];
}

const folded = (summary: string, paragraphs: string[]): string =>
  `<details><summary>${escapeMarkdown(summary)}</summary>\n\n${paragraphs.join('\n\n')}\n\n</details>`;

/** Any text as Markdown that shows it: no link, mention, image, HTML or table border comes of it. */
export function escapeMarkdown(text: string): string {
  return toPrintable(text)
    .replace(/\s*\n\s*/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/[\\*_{}[\]#|~$]/g, '\\$&')
    .replace(/`/g, '&#96;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/@/g, '&#64;')
    .replace(/:\/\//g, '&#58;//')
    .replace(/\bwww\./gi, 'www&#46;');
}

function inlineCode(text: string): string {
  const ticks = '`'.repeat(longestTicks(text) + 1);
  // A table's border and HTML stay text inside code.
  return `${ticks} ${text.replace(/\|/g, '¦')} ${ticks}`;
}

function fenced(language: string, text: string): string {
  const ticks = '`'.repeat(Math.max(3, longestTicks(text) + 1));
  return `${ticks}${language}\n${text}\n${ticks}`;
}

const longestTicks = (text: string) => Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
