import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RunRecord } from '../contracts/runRecord';
import { sheetHtml, toHtml, type PageAssets } from '../report/html';
import type { OtherRuns } from '../report/reportView';

/** The report as one HTML file that works from disk without a network: the same page as the editor's panel. */
export const htmlReport = async (
  record: RunRecord,
  distDir: string,
  others: OtherRuns = {},
): Promise<string> => toHtml(record, await assetsOf(distDir), others);

/** The same of flip rates or of a comparison of models. */
export const htmlSheet = async (message: Parameters<typeof sheetHtml>[0], distDir: string): Promise<string> =>
  sheetHtml(message, await assetsOf(distDir));

async function assetsOf(distDir: string): Promise<PageAssets> {
  const [script, css] = await Promise.all(
    ['report.js', 'report.css'].map((file) => readFile(path.join(distDir, 'webview', file), 'utf8')),
  );
  return {
    script: script!,
    css: css!,
    sha256: (text) => createHash('sha256').update(text).digest('base64'),
  };
}
