import { readFile } from 'node:fs/promises';
import { exportRun } from '../../compose/exportRun';
import { newestRuns } from '../../compose/newestRuns';
import type { ExportFormat } from '../../contracts/exportFormat';
import type { RunRecord } from '../../contracts/runRecord';
import { UserError } from '../../contracts/userError';
import { headline, modelName } from '../../report/sentences';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { openEvenkeel } from '../openEvenkeel';
import { compareReport } from './compareReport';
import { flipsReport } from './flipsReport';
import { renderRun } from '../renderRun';
import { writeReport } from '../writeReport';
import { toPrintable } from '../../report/visibleText';

export interface ReportFlags {
  format: 'text' | ExportFormat | 'md';
  output?: string;
  list?: boolean;
  against?: string;
  redact?: boolean;
}

function formatOfSheet(format: ReportFlags['format']): 'text' | 'json' | 'md' | 'html' {
  if (format === 'markdown') return 'md';
  if (format === 'text' || format === 'json' || format === 'md' || format === 'html') return format;
  throw new UserError(
    'usage',
    `Flip rates and comparisons are not written as ${format}.`,
    'Take --format text, html, json or markdown.',
  );
}

/** `wobbles  review.prompt  qwen2.5-coder-0.5b`. */
function whatOf(record: RunRecord | null): string {
  if (record === null) return 'damaged';
  const source = record.prompt.source?.path ?? 'standard input';
  return `${headline(record).word.toLowerCase()}  ${source}  ${modelName(record)}`;
}

/** `evenkeel report`: shows a kept run again. */
export async function report(
  context: CliContext,
  id: string | undefined,
  flags: ReportFlags,
): Promise<number> {
  const evenkeel = openEvenkeel(context, {});
  try {
    const kept = await evenkeel.runs.list();
    const flips = await evenkeel.flips.list();
    const comparisons = await evenkeel.comparisons.list();
    if (flags.list === true) {
      const flipLines = flips.map((run) => ({ id: run.id, finishedAt: run.finishedAt, what: 'flips' }));
      const runLines = await Promise.all(
        kept.map(async (run) => ({
          ...run,
          what: whatOf(await evenkeel.runs.read(run.id).catch(() => null)),
        })),
      );
      const comparisonLines = comparisons.map((run) => ({ ...run, what: 'comparison of models' }));
      const lines = [...runLines, ...flipLines, ...comparisonLines].sort((a, b) =>
        b.finishedAt.localeCompare(a.finishedAt),
      );
      context.terminal.out(
        lines.length === 0
          ? 'No run is kept yet.'
          : lines
              .map(({ id: run, finishedAt, what }) =>
                toPrintable(`${run}  ${finishedAt.slice(0, 16).replace('T', ' ')}  ${what}`),
              )
              .join('\n'),
      );
      return EXIT.policyMet;
    }
    if (id !== undefined && flips.some((run) => run.id === id)) {
      return await flipsReport(context, await evenkeel.flips.read(id), {
        ...flags,
        format: formatOfSheet(flags.format),
      });
    }
    if (id !== undefined && comparisons.some((run) => run.id === id)) {
      return await compareReport(context, await evenkeel.comparisons.read(id), {
        ...flags,
        format: formatOfSheet(flags.format),
      });
    }
    const wanted = id ?? kept[0]?.id;
    if (wanted === undefined) {
      throw new UserError(
        'fileNotFound',
        'There is no kept run yet.',
        'Run `evenkeel robustness FILE` first.',
      );
    }
    if (!kept.some((run) => run.id === wanted)) {
      throw new UserError(
        'fileNotFound',
        `There is no run '${wanted}'.`,
        '`evenkeel report --list` lists the kept runs.',
      );
    }
    const record = await evenkeel.runs.read(wanted);
    const against = flags.against === undefined ? undefined : await evenkeel.runs.read(flags.against);
    const text =
      flags.format === 'text'
        ? renderRun(record, context.terminal, against)
        : await exportRun(record, {
            format: flags.format === 'md' ? 'markdown' : flags.format,
            redact: flags.redact === true,
            distDir: context.distDir,
            kept: flags.format === 'html' && flags.redact !== true ? await newestRuns(evenkeel.runs) : [],
            against,
            readSource: (path) => readFile(path, 'utf8').catch(() => null),
          });
    if (flags.output === undefined) context.terminal.out(text);
    else await writeReport(flags.output, text, record.id);
    return EXIT.policyMet;
  } finally {
    await evenkeel.close();
  }
}
