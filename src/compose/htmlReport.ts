import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FlipsRecord } from '../contracts/flipsRecord';
import type { RunRecord } from '../contracts/runRecord';
import { flipsPage } from '../report/flipsPage';
import { flipsToHtml, toHtml, type PageAssets } from '../report/html';
import type { OtherRuns } from '../report/reportView';

/** The report as one HTML file that works from disk without a network: the same page as the editor's panel. */
export async function htmlReport(
  record: RunRecord,
  distDir: string,
  others: OtherRuns = {},
): Promise<string> {
  return toHtml(record, await pageAssets(distDir), others);
}

/** The same of a flips run. */
export async function flipsHtmlReport(record: FlipsRecord, distDir: string): Promise<string> {
  return flipsToHtml(flipsPage(record), await pageAssets(distDir));
}

async function pageAssets(distDir: string): Promise<PageAssets> {
  const [script, css] = await Promise.all(
    ['report.js', 'report.css'].map((file) => readFile(path.join(distDir, 'webview', file), 'utf8')),
  );
  return {
    script: script!,
    css: css!,
    sha256: (text) => createHash('sha256').update(text).digest('base64'),
  };
}
