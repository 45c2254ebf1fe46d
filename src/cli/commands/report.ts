import { UserError } from '../../contracts/userError';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { openEvenkeel } from '../openEvenkeel';
import { flipsReport } from './flipsReport';
import { renderRun } from '../renderRun';
import { writeReport } from '../writeReport';
import { toPrintable, toPrintableJson } from '../../report/visibleText';
import { htmlReport } from '../../compose/htmlReport';

export interface ReportFlags {
  format: 'text' | 'html' | 'json' | 'md';
  output?: string;
  list?: boolean;
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
    if (flags.list === true) {
      const lines = [...kept, ...flips.map((run) => ({ ...run, finishedAt: `${run.finishedAt}  flips` }))];
      context.terminal.out(lines.map((run) => toPrintable(`${run.id}  ${run.finishedAt}`)).join('\n'));
      return EXIT.policyMet;
    }
    if (id !== undefined && flips.some((run) => run.id === id)) {
      return await flipsReport(context, await evenkeel.flips.read(id), flags);
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
    if (flags.format === 'md') {
      throw new UserError('usage', 'Only flips runs are written as Markdown.', 'Take --format html or text.');
    }
    const record = await evenkeel.runs.read(wanted);
    const text =
      flags.format === 'json'
        ? toPrintableJson(record)
        : flags.format === 'html'
          ? await htmlReport(record, context.distDir)
          : renderRun(record, context.terminal);
    if (flags.output === undefined) context.terminal.out(text);
    else await writeReport(flags.output, text, record.id);
    return EXIT.policyMet;
  } finally {
    await evenkeel.close();
  }
}
