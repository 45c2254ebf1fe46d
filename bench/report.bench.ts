/**
 * How quick the report is, in Chromium on real answers: `npm run bench -- report`. First paint is from the start of the
 * navigation to the frame after the verdict stands, host and messages included; medians of five.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { createSampleBrowser } from '../src/report/sampleBrowser';
import { toReportView } from '../src/report/reportView';
import { buildPage, openChromium, openExport, openPanel, servePanel } from '../test/webview/pageUnderTest';
import { largeRun } from '../test/webview/recordedRuns';

const REPEATS = 5;
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Notes when the frame with the verdict was drawn. */
const watchPaint = `new MutationObserver((_, observer) => {
  if (!document.querySelector('.card .facts')) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.paintedAt = performance.now(); }));
}).observe(document, { childList: true, subtree: true });`;

const paintedAt = async (page: Page): Promise<number> => {
  await page.waitForFunction('window.paintedAt !== undefined');
  return page.evaluate<number>('window.paintedAt');
};

/** Milliseconds from a keystroke in the search field to the frame that shows what was found. */
const typed = (page: Page, text: string) =>
  page.evaluate<number>(`new Promise((resolve) => {
    const field = document.querySelector('.filters input');
    const from = performance.now();
    new MutationObserver((_, observer) => {
      if (!/found/.test(document.querySelector('[data-field="found"]')?.textContent ?? '')) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)));
    }).observe(document.querySelector('#browser'), { childList: true, subtree: true, characterData: true });
    field.value = ${JSON.stringify(text)};
    field.dispatchEvent(new Event('input', { bubbles: true }));
  })`);

/** @returns exit code 0 when every figure is under its limit */
export async function run(): Promise<number> {
  buildPage();
  const browser = await openChromium();
  const { origin, server } = await servePanel();
  let missed = 0;
  const report = (name: string, value: number, limit: number, unit: string) => {
    if (!(value < limit)) missed++;
    process.stdout.write(
      `${value < limit ? 'ok  ' : 'MISS'}  ${name.padEnd(52)} ${value.toFixed(unit === 'MB' ? 2 : 0)} ${unit} (limit ${limit})\n`,
    );
  };
  try {
    // The browser's own start is not the page's.
    await (await openPanel(browser, origin, { record: largeRun(1_000) })).context.close();
    for (const [samples, limitMs] of [
      [1_000, 300],
      [20_000, 1_000],
    ] as const) {
      const record = largeRun(samples);
      const times: number[] = [];
      for (let i = 0; i < REPEATS; i++) {
        const opened = await openPanel(browser, origin, { record, script: watchPaint });
        times.push(await paintedAt(opened.page));
        await opened.context.close();
      }
      report(`panel, first paint, ${samples} samples`, median(times), limitMs, 'ms');
    }

    const record = largeRun(20_000);
    const file = await openExport(browser, record, { script: watchPaint });
    report('exported file, first paint, 20000 samples', await paintedAt(file.page), 1_000, 'ms');
    await file.page.locator('#browser > summary').click();
    await file.page.getByText('20,000 found').waitFor();
    const words = ['negative', 'positive', 'battery', 'the', 'zzz'];
    await typed(file.page, 'review');
    const filters: number[] = [];
    for (const word of words) filters.push(await typed(file.page, word));
    report('filter over 20000 samples, keystroke to paint', median(filters), 50, 'ms');
    await file.context.close();

    const host = createSampleBrowser(record);
    const query = { conditionId: null, outcome: null, answer: null, offset: 0, limit: 100 };
    host.page({ ...query, search: '' });
    const hostMs = words.map((search) => {
      const from = performance.now();
      host.page({ ...query, search });
      return performance.now() - from;
    });
    report('filter over 20000 samples, host', median(hostMs), 50, 'ms');

    const messages = [toReportView(record), host.page({ ...query, search: '' })];
    report(
      'host to page, 20000 samples',
      messages.reduce((sum, each) => sum + JSON.stringify(each).length, 0) / 1e6,
      5,
      'MB',
    );
    const dist = path.resolve(import.meta.dirname, '../dist/webview');
    const bundle = ['report.js', 'report.css'].map(
      (name) => gzipSync(readFileSync(path.join(dist, name))).length,
    );
    report('bundle, gzip', bundle.reduce((sum, bytes) => sum + bytes, 0) / 1000, 150, 'kB');
  } finally {
    await browser.close();
    server.close();
  }
  return missed === 0 ? 0 : 1;
}
