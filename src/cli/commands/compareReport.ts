import { createHash } from 'node:crypto';
import type { CompareRecord } from '../../contracts/compareRecord';
import { compareHtml } from '../../report/compareHtml';
import { compareMarkdown } from '../../report/compareMarkdown';
import { compareView } from '../../report/compareView';
import { toPrintableJson } from '../../report/visibleText';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { renderCompare } from '../renderCompare';
import { writeReport } from '../writeReport';

export const comparePage = (record: CompareRecord): string =>
  compareHtml(compareView(record), {
    sha256: (content) => createHash('sha256').update(content).digest('base64'),
  });

/** `evenkeel report ID` of a comparison of models. */
export async function compareReport(
  context: CliContext,
  record: CompareRecord,
  flags: { format: 'text' | 'json' | 'md' | 'html'; output?: string },
): Promise<number> {
  const text = {
    text: () => renderCompare(record, context.terminal),
    json: () => toPrintableJson(record),
    md: () => compareMarkdown(compareView(record)),
    html: () => comparePage(record),
  }[flags.format]();
  if (flags.output === undefined) context.terminal.out(text);
  else await writeReport(flags.output, text, record.id);
  return EXIT.policyMet;
}
