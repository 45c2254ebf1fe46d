import { htmlReport } from '../../compose/htmlReport';
import { isUserError, UserError } from '../../contracts/userError';
import { toPrintable, toPrintableJson } from '../../report/visibleText';
import type { CliContext } from '../context';
import { exitCodeOfRun } from '../exitCodes';
import { openEvenkeel } from '../openEvenkeel';
import { renderRun } from '../renderRun';
import { showProgress } from '../runProgress';
import type { ServerFlags } from '../serverFlags';
import { requireWritable, writeReport } from '../writeReport';

/** `evenkeel resume RUN`: goes on with a check that was stopped or killed, from what is kept of it. */
export async function resume(
  context: CliContext,
  runId: string,
  flags: ServerFlags & { json?: boolean; report?: string },
): Promise<number> {
  await requireWritable(flags.report);
  const evenkeel = openEvenkeel(context, flags);
  try {
    const hooks = {
      signal: context.signal,
      onEvent: (event: Parameters<typeof showProgress>[0]) => showProgress(event, context),
    };
    const record = await evenkeel.resume(runId, hooks).catch(async (error: unknown) => {
      const plan =
        isUserError(error) && error.code === 'fileNotFound'
          ? await evenkeel.flips.planOf(runId).catch(() => null)
          : null;
      if (plan === null) throw error;
      throw new UserError(
        'usage',
        'This is a run of flip rates.',
        `Go on with it: evenkeel flips --resume ${runId}`,
      );
    });
    context.terminal.settle();
    context.terminal.out(flags.json === true ? toPrintableJson(record) : renderRun(record, context.terminal));
    if (flags.report !== undefined) {
      await writeReport(flags.report, await htmlReport(record, context.distDir), record.id);
      context.terminal.detail(`Report: ${toPrintable(flags.report)}`);
    }
    return exitCodeOfRun(record);
  } finally {
    await evenkeel.close();
  }
}
