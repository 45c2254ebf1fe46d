import type { PreparedCheck } from '../compose/evenkeel';
import type { Comparison, Perturbation, RunRecord, Sample } from '../contracts/runRecord';
import { againstView } from '../report/against';
import {
  countOf,
  formatCount,
  formatDuration,
  formatInterval,
  formatNumber,
  formatP,
  formatPercent,
} from '../report/format';
import { compositeSentence } from '../report/editSentences';
import { detectableSentence, headline, noiseFloorSentence } from '../report/sentences';
import { looksSentence } from '../report/looksSentences';
import { toPrintable } from '../report/visibleText';
import type { Terminal } from './terminal';
import { hang, wrap } from './words';

const EFFECT_WIDTH = 22;
/** What a row holds beside the name: mark, verdict, effect, p. */
const BESIDE_NAME = 46;

/** Rows stay whole on a narrow terminal: the name gives way. */
const nameWidth = ({ columns }: Terminal): number => Math.max(14, Math.min(34, columns - BESIDE_NAME));
const PLAN_NAME_WIDTH = 29;

const SHORT_VERDICT: Record<Comparison['verdict'], string> = {
  noChangeDetected: 'no change',
  equivalent: 'same',
  changedWithinRewordingNoise: 'in noise',
  changed: 'changed',
  undecided: 'undecided',
};

/** What will be done, before it is done. */
export function renderPlan(prepared: PreparedCheck, terminal: Terminal, full: boolean): string {
  const { plan, options, perturbations, request } = prepared;
  const cost =
    plan.priceUsd === null
      ? 'price unknown'
      : plan.priceUsd === 0
        ? 'no cost'
        : `at most $${plan.priceUsd < 0.01 ? plan.priceUsd.toPrecision(1) : plan.priceUsd.toFixed(2)}${plan.price?.asOf ? ` (list price of ${plan.price.asOf})` : ''}`;
  const time =
    plan.seconds === null
      ? 'time unknown until it is measured'
      : `${plan.secondsAre === 'atMost' ? 'at most' : 'about'} ${formatDuration(plan.seconds)}`;
  const line = `${countOf(perturbations.length, 'change')}, ${countOf(plan.calls, 'answer')} of up to ${options.answerTokens} tokens from ${toPrintable(request.modelId)}${keptClause(plan)}, ${time}, ${cost}`;
  if (!full) return terminal.colors.dim(wrap(`Plan: ${line}`, terminal.columns, '      '));
  const { bold, dim } = terminal.colors;
  const changes = perturbations.map(
    (entry) =>
      `  ${toPrintable(entry.name).padEnd(PLAN_NAME_WIDTH)}  ${dim(hang(toPrintable(entry.description), terminal.columns, ' '.repeat(PLAN_NAME_WIDTH + 4)))}`,
  );
  return [
    bold(wrap(line, terminal.columns)),
    '',
    ...changes,
    '',
    wrap(
      `Smallest p-value that ${formatCount(options.permutations)} permutations can give: ${plan.pFloor.toPrecision(2)}.`,
      terminal.columns,
    ),
    wrap(detectableSentence(plan), terminal.columns),
  ].join('\n');
}

/** Planned against actual, where it cost something. */
const paidClause = ({ actual, plan }: RunRecord): string =>
  actual.priceUsd === null || actual.priceUsd === undefined || actual.priceUsd === 0
    ? ''
    : ` for $${Number(actual.priceUsd.toPrecision(2))} (planned: at most $${Number((plan.priceUsd ?? 0).toPrecision(2))})`;

const keptBefore = ({ actual: { cached = 0 } }: RunRecord): string =>
  cached === 0 ? '' : ` (${formatCount(cached)} kept from before)`;

/** `, 40 of them kept from before`. */
const keptClause = ({ cachedCalls = 0, calls }: PreparedCheck['plan']): string =>
  cachedCalls === 0
    ? ''
    : cachedCalls >= calls
      ? ', all of them kept from before'
      : `, ${formatCount(cachedCalls)} of them kept from before`;

/** The verdict as it stands in a terminal, 80 columns wide. */
export function renderRun(record: RunRecord, terminal: Terminal, against?: RunRecord): string {
  const { bold, dim, green, red, yellow } = terminal.colors;
  const top = headline(record);
  const paint = { steady: green, wobbles: red, undecided: yellow, cancelled: yellow, failed: red }[top.state];
  const rest = top.sentence.slice(top.word.length);
  const lines = [`${paint(bold(top.word))}${wrapAfter(top.word, toPrintable(rest), terminal.columns)}`, ''];

  // Of a run that was stopped, what was never asked has nothing to say.
  const rows = byEffect(record).filter(
    ({ comparison: { n0, n1 } }) => record.state === 'complete' || (n0 > 0 && n1 > 0),
  );
  if (rows.length > 0) {
    lines.push(
      dim(
        `  ${'verdict'.padEnd(9)}  ${'change'.padEnd(nameWidth(terminal))}  ${'effect (95% CI)'.padEnd(EFFECT_WIDTH)} adj. p`,
      ),
    );
    for (const { comparison, perturbation } of rows) {
      lines.push(...rowOf(comparison, perturbation, record, terminal));
    }
    lines.push('');
    const composite = compositeSentence(record);
    if (composite !== null) lines.push(wrap(toPrintable(composite), terminal.columns), '');
    lines.push(
      dim(
        wrap(
          'Effect: 0 is the same behaviour, 1 is nothing in common; what chance alone would give is taken off. Adjusted p: how often chance alone would move the answers this much, corrected for trying several changes.',
          terminal.columns,
        ),
      ),
    );
    if (record.noiseFloor !== null) {
      lines.push(dim(wrap(noiseFloorSentence(record.noiseFloor), terminal.columns)));
    }
  }
  const looks = looksSentence(record);
  if (looks !== null) lines.push(dim(wrap(looks, terminal.columns)));
  if (against !== undefined) lines.push('', ...renderAgainst(record, against, terminal));
  for (const warning of record.conclusion.warnings) {
    lines.push(yellow(wrap(`Note: ${toPrintable(warning)}`, terminal.columns, '      ')));
  }
  lines.push(
    '',
    dim(
      wrap(
        `${countOf(record.actual.calls, 'answer')}${keptBefore(record)} in ${formatDuration(record.actual.seconds)}${paidClause(record)}, seed ${record.seed}, run ${record.id}`,
        terminal.columns,
      ),
    ),
  );
  return lines.join('\n');
}

/** The other run's verdicts beside this one's, where they differ. */
function renderAgainst(record: RunRecord, before: RunRecord, terminal: Terminal): string[] {
  const { sentence, differences, rows } = againstView(record, before);
  return [
    wrap(toPrintable(sentence), terminal.columns),
    ...differences.map((difference) => `  ${toPrintable(difference)}`),
    ...rows
      .filter(({ flipped }) => flipped)
      .map(
        ({ name, before: there, now }) =>
          `● ${clip(toPrintable(name), nameWidth(terminal)).padEnd(nameWidth(terminal))}  ${there?.verdictText ?? ''} → ${now?.verdictText ?? ''}`,
      ),
  ];
}

function byEffect(record: RunRecord): { comparison: Comparison; perturbation: Perturbation }[] {
  return record.comparisons
    .flatMap((comparison) => {
      const perturbation = record.perturbations.find((entry) => entry.id === comparison.perturbationId);
      return perturbation === undefined ? [] : [{ comparison, perturbation }];
    })
    .sort((a, b) => effectOf(b.comparison) - effectOf(a.comparison));
}

const effectOf = ({ effect }: Comparison): number => effect?.debiased ?? Number.NEGATIVE_INFINITY;

function rowOf(
  comparison: Comparison,
  perturbation: Perturbation,
  record: RunRecord,
  terminal: Terminal,
): string[] {
  const { colors } = terminal;
  const width = nameWidth(terminal);
  const changed = comparison.verdict === 'changed';
  const moved = changed || comparison.verdict === 'changedWithinRewordingNoise';
  const { effect } = comparison;
  const verdict = SHORT_VERDICT[comparison.verdict].padEnd(9);
  const name = clip(`${shortEdit(perturbation, record)}${toPrintable(perturbation.name)}`, width);
  const size = effect === null ? '' : `${formatNumber(effect.debiased)} (${formatInterval(effect.interval)})`;
  const p =
    comparison.adjustedP !== null ? formatP(comparison.adjustedP) : comparison.deterministic ? 'always' : '';
  const row = `${changed ? '●' : '·'} ${changed ? colors.red(verdict) : verdict}  ${name.padEnd(width)}  ${size.padEnd(EFFECT_WIDTH)} ${p}`;
  if (comparison.undecided !== null)
    return [row, `    ${hang(toPrintable(comparison.undecided.explanation), terminal.columns, '    ')}`];
  if (!moved) return [row];
  const answers = (conditionId: string) =>
    commonAnswers(
      record.samples.filter((sample) => sample.conditionId === conditionId && sample.outcome === 'ok'),
    );
  return [
    row,
    colors.dim(`    before  ${answers('baseline')}`),
    colors.dim(`    after   ${answers(perturbation.id)}`),
  ];
}

/** `hours → horus: `, where the change is one short replacement of words. */
function shortEdit({ edits }: Perturbation, record: RunRecord): string {
  const [edit] = edits;
  if (edit === undefined || edits.length > 1) return '';
  const before = record.prompt.text.slice(edit.start, edit.end);
  if (before.trim() === '' || edit.text.trim() === '' || before.length + edit.text.length > 22) return '';
  return `${toPrintable(before)} → ${toPrintable(edit.text)}: `;
}

/** `No 65% · Yes 35%`: the most common answers with their counts; long ones by their beginning. */
function commonAnswers(samples: Sample[]): string {
  const counts = new Map<string, number>();
  for (const { text } of samples) {
    const short = clip(toPrintable(text.trim().replaceAll(/\s+/g, ' ')), 30);
    counts.set(short, (counts.get(short) ?? 0) + 1);
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  const shown = sorted.slice(0, 2).map(([text, count]) => `${text} ${formatPercent(count / samples.length)}`);
  return sorted.length > 2 ? `${shown.join(' · ')} · ${sorted.length - 2} more kinds` : shown.join(' · ');
}

const clip = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1)}…`;

/** Wraps a sentence whose first word is already printed. */
const wrapAfter = (printed: string, rest: string, columns: number): string =>
  wrap(`${printed}${rest}`, columns).slice(printed.length);
