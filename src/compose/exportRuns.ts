import type { RunRecord } from '../contracts/runRecord';
import { joinJunit, joinMarkdown, joinSarif } from '../report/exports/join';
import { toPrintableJson } from '../report/visibleText';
import { exportRun } from './exportRun';

/** Formats that hold the runs of several prompts in one file. */
export type JoinableFormat = 'junit' | 'sarif' | 'markdown' | 'json';

/** Several runs, or none, as one file. JSON is the list of the records. */
export async function exportRuns(
  records: RunRecord[],
  format: JoinableFormat,
  readSource: (path: string) => Promise<string | null>,
): Promise<string> {
  if (format === 'json') return `${toPrintableJson(records)}\n`;
  const texts = await Promise.all(
    records.map((record) => exportRun(record, { format, redact: false, distDir: '', readSource })),
  );
  switch (format) {
    case 'junit':
      return joinJunit(texts);
    case 'sarif':
      return joinSarif(texts);
    case 'markdown':
      return joinMarkdown(texts);
  }
}
