import { toPrintable, toPrintableJson } from '../../report/visibleText';
import { UserError } from '../../contracts/userError';
import { countOf } from '../../report/format';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { openEvenkeel } from '../openEvenkeel';
import { bytes } from '../words';

export type CacheAction = 'show' | 'verify' | 'prune';

const MEGABYTE = 1_000_000;
const DAY_MS = 24 * 3_600_000;

/** `evenkeel cache`: answers kept for later runs. Kept runs hold their answers themselves and lose nothing here. */
export async function cache(
  context: CliContext,
  action: CacheAction,
  flags: { olderThan?: number; maxSize?: number; json?: boolean },
): Promise<number> {
  const limited = flags.olderThan !== undefined || flags.maxSize !== undefined;
  if (action === 'prune' ? !limited : limited) {
    throw new UserError(
      'usage',
      action === 'prune' ? 'It is not said what to remove.' : 'Only `evenkeel cache prune` removes answers.',
      'Write `evenkeel cache prune --older-than 30` (days) or `--max-size 500` (megabytes).',
    );
  }
  const evenkeel = openEvenkeel(context, {});
  try {
    const { answers } = evenkeel;
    const done: { dropped?: number; removed?: number; freedBytes?: number } =
      action === 'verify'
        ? await answers.verify()
        : action === 'prune'
          ? await answers.prune({
              nowMs: Date.now(),
              ...(flags.olderThan === undefined ? {} : { olderThanMs: flags.olderThan * DAY_MS }),
              ...(flags.maxSize === undefined ? {} : { maxBytes: flags.maxSize * MEGABYTE }),
            })
          : {};
    const summary = await answers.summary();
    if (flags.json === true) {
      context.terminal.out(toPrintableJson({ ...summary, ...done }));
      return EXIT.policyMet;
    }
    if (done.dropped !== undefined) {
      context.terminal.out(
        done.dropped === 0
          ? 'All kept answers are whole.'
          : `${countOf(done.dropped, 'damaged answer')} dropped; they will be asked for again.`,
      );
    }
    if (done.removed !== undefined)
      context.terminal.out(`${countOf(done.removed, 'answer')} removed (${bytes(done.freedBytes ?? 0)}).`);
    context.terminal.out(
      summary.entries === 0
        ? `No answers are kept (${toPrintable(summary.path)}).`
        : `${countOf(summary.entries, 'answer')} kept for later runs, ${bytes(summary.bytes)}, in ${toPrintable(summary.path)}`,
    );
    for (const { modelId, entries, bytes: size, oldestMs } of summary.byModel) {
      context.terminal.out(
        `  ${toPrintable(modelId)}: ${countOf(entries, 'answer')}, ${bytes(size)}, oldest of ${new Date(oldestMs).toISOString().slice(0, 10)}`,
      );
    }
    return EXIT.policyMet;
  } finally {
    await evenkeel.close();
  }
}
