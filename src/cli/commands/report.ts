import { UserError } from '../../contracts/userError';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { openEvenkeel } from '../openEvenkeel';
import { renderRun } from '../renderRun';
import { writeReport } from '../writeReport';
import { toPrintable, toPrintableJson } from '../../report/visibleText';
import { htmlReport } from '../../compose/htmlReport';

export interface ReportFlags {
  format: 'text' | 'html' | 'json';
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
    if (flags.list === true) {
      context.terminal.out(kept.map((run) => toPrintable(`${run.id}  ${run.finishedAt}`)).join('\n'));
      return EXIT.policyMet;
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
