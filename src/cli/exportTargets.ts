import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { exportRuns, type JoinableFormat } from '../compose/exportRuns';
import type { RunRecord } from '../contracts/runRecord';
import { requireWritable, writeReport } from './writeReport';

export interface ExportTarget {
  path: string;
  format: JoinableFormat;
}

const FORMATS: Record<string, JoinableFormat> = {
  '.xml': 'junit',
  '.sarif': 'sarif',
  '.md': 'markdown',
  '.json': 'json',
};

/** `results/evenkeel.sarif`: the ending says what is written. @throws InvalidArgumentError for another ending */
export function exportTarget(text: string, before: ExportTarget[] | undefined): ExportTarget[] {
  const format = FORMATS[path.extname(text).toLowerCase()];
  if (format === undefined)
    throw new InvalidArgumentError('The name must end in .xml (JUnit), .sarif, .md (Markdown) or .json.');
  return [...(before ?? []), { path: text, format }];
}

/** @throws UserError `usage`, before anything is asked */
export async function requireTargets(targets: ExportTarget[] = []): Promise<void> {
  for (const target of targets) await requireWritable(target.path, '--export');
}

/** All runs of a command as one file each; an empty result is written too, as a build server waits for its file. */
export async function writeTargets(targets: ExportTarget[] = [], records: RunRecord[]): Promise<void> {
  for (const target of targets) {
    const text = await exportRuns(records, target.format, (file) => readFile(file, 'utf8').catch(() => null));
    await writeReport(target.path, text, records[0]?.id ?? 'RUN');
  }
}
