import type { ExportFormat } from '../contracts/exportFormat';
import type { RunRecord } from '../contracts/runRecord';
import { holdsText } from '../contracts/sourceMap';
import { toJunit } from '../report/exports/junit';
import { toMarkdown } from '../report/exports/markdown';
import { toSarif } from '../report/exports/sarif';
import { perturbationsCsv, samplesCsv } from '../report/exports/tables';
import { redactRun } from '../report/redact';
import type { OtherRuns } from '../report/reportView';
import { toPrintableJson } from '../report/visibleText';
import { htmlReport } from './htmlReport';

interface ExportRequest extends OtherRuns {
  format: ExportFormat;
  /** Leave out every text of prompt and answers. */
  redact: boolean;
  distDir: string;
  /** The prompt's file as it is now; null where it cannot be read. Asked for only where lines are needed. */
  readSource: (path: string) => Promise<string | null>;
}

/** A kept run in one of the formats. */
export async function exportRun(record: RunRecord, request: ExportRequest): Promise<string> {
  const clean = (run: RunRecord) => (request.redact ? redactRun(run) : run);
  const shown = clean(record);
  const against = request.against && clean(request.against);
  switch (request.format) {
    case 'html':
      return htmlReport(shown, request.distDir, { kept: request.kept ?? [], against });
    case 'json':
      return `${toPrintableJson(shown)}\n`;
    case 'markdown':
      return toMarkdown(shown, against);
    case 'csv':
      return samplesCsv(shown);
    case 'perturbations':
      return perturbationsCsv(shown);
    case 'junit':
      return toJunit(shown);
    case 'sarif':
      return toSarif(shown, await fileOf(record, request.readSource));
  }
}

/** The prompt's file, where it still holds the prompt as it was checked. */
async function fileOf(
  { prompt }: RunRecord,
  readSource: ExportRequest['readSource'],
): Promise<string | null> {
  if (prompt.source === null) return null;
  const text = await readSource(prompt.source.path);
  const { range, map } = prompt.source;
  const { start, end } = range;
  if (text !== null && map !== undefined) return holdsText(map, prompt.text, text) ? text : null;
  return text !== null && text.slice(start, end) === prompt.text ? text : null;
}
