import { htmlSheet } from '../../compose/htmlReport';
import type { FlipsRecord } from '../../contracts/flipsRecord';
import { flipsMarkdown } from '../../report/flipsMarkdown';
import { flipsView } from '../../report/flipsView';
import { toPrintableJson } from '../../report/visibleText';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { renderFlips } from '../renderFlips';
import { writeReport } from '../writeReport';

/** `evenkeel report RUN` of a flips run. */
export async function flipsReport(
  context: CliContext,
  record: FlipsRecord,
  flags: { format: 'text' | 'json' | 'md' | 'html'; output?: string },
): Promise<number> {
  const text = await {
    text: () => renderFlips(record, context.terminal),
    json: () => toPrintableJson(record),
    md: () => flipsMarkdown(flipsView(record)),
    html: () => htmlSheet({ type: 'showFlips', view: flipsView(record) }, context.distDir),
  }[flags.format]();
  if (flags.output === undefined) context.terminal.out(text);
  else await writeReport(flags.output, text, record.id);
  return EXIT.policyMet;
}
