import { htmlSheet } from '../../compose/htmlReport';
import type { CompareRecord } from '../../contracts/compareRecord';
import { compareMarkdown } from '../../report/compareMarkdown';
import { compareView } from '../../report/compareView';
import { toPrintableJson } from '../../report/visibleText';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { renderCompare } from '../renderCompare';
import { writeReport } from '../writeReport';

/** `evenkeel report RUN` of a comparison of models. */
export async function compareReport(
  context: CliContext,
  record: CompareRecord,
  flags: { format: 'text' | 'json' | 'md' | 'html'; output?: string },
): Promise<number> {
  const view = compareView(record);
  const text = await {
    text: () => renderCompare(record, context.terminal),
    json: () => toPrintableJson(record),
    md: () => compareMarkdown(view),
    html: () => htmlSheet({ type: 'showCompare', view }, context.distDir),
  }[flags.format]();
  if (flags.output === undefined) context.terminal.out(text);
  else await writeReport(flags.output, text, record.id);
  return EXIT.policyMet;
}
