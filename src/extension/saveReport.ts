import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Evenkeel } from '../compose/evenkeel';
import { exportRun } from '../compose/exportRun';
import { newestRuns } from '../compose/newestRuns';
import type { ExportFormat } from '../contracts/exportFormat';
import type { RunRecord } from '../contracts/runRecord';
import { reportFileName } from '../report/reportFileName';

const FILE_TYPES: Record<ExportFormat, { extension: string; name: string; detail: string }> = {
  html: { extension: 'html', name: 'HTML', detail: 'The report as one file that opens without a network' },
  markdown: { extension: 'md', name: 'Markdown', detail: 'The verdicts, for a pull request or a document' },
  json: { extension: 'json', name: 'JSON', detail: 'The whole record, with every answer' },
  csv: { extension: 'csv', name: 'CSV', detail: 'The answers, one a line' },
  perturbations: { extension: 'csv', name: 'CSV', detail: 'The changes and their figures, one a line' },
  junit: { extension: 'xml', name: 'JUnit', detail: 'One test per change, for a build server' },
  sarif: { extension: 'sarif', name: 'SARIF', detail: 'What moved the answers, for code scanning' },
};

/** Asks for the format first. @returns undefined on Escape */
export async function pickFormat(): Promise<ExportFormat | undefined> {
  const items = (Object.keys(FILE_TYPES) as ExportFormat[]).map((format) => ({
    label: format === 'perturbations' ? 'CSV of changes' : FILE_TYPES[format].name,
    detail: FILE_TYPES[format].detail,
    format,
  }));
  return (
    await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Evenkeel: export the report as') })
  )?.format;
}

/** Asks where to unless it is told, and writes. @returns the path; null when the person presses Escape */
export async function saveReport(
  deps: { evenkeel(): Promise<Evenkeel>; distDir: string },
  record: RunRecord,
  format: ExportFormat,
  redact: boolean,
  told?: vscode.Uri,
): Promise<string | null> {
  const target = told ?? (await askWhere(record, format));
  if (target === undefined) return null;
  const { runs } = await deps.evenkeel();
  const text = await exportRun(record, {
    format,
    redact,
    distDir: deps.distDir,
    kept: format === 'html' && !redact ? await newestRuns(runs) : [],
    readSource: () => sourceText(record),
  });
  if (target.scheme === 'file') await writeFile(target.fsPath, text);
  else await vscode.workspace.fs.writeFile(target, Buffer.from(text));
  return target.fsPath;
}

function askWhere(record: RunRecord, format: ExportFormat): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const { extension, name } = FILE_TYPES[format];
  const file = `${reportFileName(record)}.${extension}`;
  return vscode.window.showSaveDialog({
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, file) }),
    filters: { [name]: [extension] },
  });
}

async function sourceText(record: RunRecord): Promise<string | null> {
  const uri = record.prompt.source?.uri;
  if (uri === null || uri === undefined) return null;
  return vscode.workspace.openTextDocument(vscode.Uri.parse(uri)).then(
    (document) => document.getText(),
    () => null,
  );
}
