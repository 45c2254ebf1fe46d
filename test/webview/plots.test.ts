/**
 * Every plot in four themes against a kept picture: `UPDATE_SCREENSHOTS=1 npx vitest run --project webview plots` keeps
 * new ones. Tolerant of how a machine draws letters; not of a mark that moved, a colour or a line that is gone.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import path from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Browser, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunRecord } from '../../src/contracts/runRecord';
import { compareView } from '../../src/report/compareView';
import { flipsView } from '../../src/report/flipsView';
import { toReportView } from '../../src/report/reportView';
import { buildPage, openChromium, openPanel, servePanel, themes, type Theme } from './pageUnderTest';
import { recordedComparison, recordedFlips, recordedRun } from './recordedRuns';

const ALLOWED_SHARE = 0.02;
const ALLOWED_PX = 4;
const kept = path.join(import.meta.dirname, 'screenshots');

let browser: Browser;
let origin: string;
let server: Server;
beforeAll(async () => {
  buildPage();
  browser = await openChromium();
  ({ origin, server } = await servePanel());
});
afterAll(async () => {
  await browser.close();
  server.close();
});

const charts: [file: string, selector: string][] = [
  ['verdict', '.card'],
  ['rows', '.row-changed .row-main'],
  ['forest', 'figure[data-chart="Forest plot"]'],
  ['p0p1', 'figure[data-chart^="P0 and P1"]'],
  ['null', 'figure[data-chart^="Permutation null"]'],
  ['map', 'figure[data-chart^="Map of answers"]'],
  ['grid', 'figure[data-chart^="Sensitivity grid"]'],
  ['heat', '[aria-labelledby="prompt-title"] .prompt-text'],
  ['timeline', 'figure[data-chart="Time line"]'],
  ['roc', 'figure[data-chart="ROC curve"]'],
  ['history', 'figure[data-chart="History"]'],
];

const comparisonCharts: typeof charts = [
  ['movement', 'figure[data-chart="Movement by model"]'],
  ['matrix', 'figure[data-chart="Model matrix"]'],
];
const flipsCharts: typeof charts = [['flipRates', 'figure[data-chart^="Flip rates"]']];

/** Plots that only some runs have. */
const elsewhere: [file: string, run: 'looks' | 'editChanged', selector: string][] = [
  ['boundary', 'looks', 'figure[data-chart="Looks and their boundary"]'],
  ['composite', 'editChanged', 'figure[data-chart="The edit among rewordings"]'],
  ['edit', 'editChanged', '[aria-labelledby="edit-title"] .prompt-text'],
];

/** Earlier runs of the same prompt: the recorded one, on other days. */
const earlier = (record: RunRecord): RunRecord[] =>
  [1, 2, 3].map((day) => ({
    ...record,
    id: `${record.id}-${day}`,
    startedAt: record.startedAt.replace(/-\d\d-\d\dT/, `-0${day}-01T`),
    commit: { hash: `${day}`.repeat(40), edited: day === 2 },
    comparisons: record.comparisons.map((comparison) => ({
      ...comparison,
      effect: comparison.effect && { ...comparison.effect, debiased: comparison.effect.debiased * (day / 3) },
    })),
  }));

test.each(Object.keys(themes) as Theme[])('plots in %s', async (theme) => {
  const record = recordedRun('everything');
  const opened = await openPanel(browser, origin, { theme });
  const { page } = opened;
  await opened.send({ type: 'show', view: toReportView(record, { kept: earlier(record) }) });
  await page.waitForSelector('.row-open');
  for (const summary of ['.sure > summary', '#forest > summary']) await page.locator(summary).first().click();
  const differing = await differingFrom(page, theme, charts);
  for (const [name, run, selector] of elsewhere) {
    await opened.send({ type: 'show', view: toReportView(recordedRun(run)) });
    differing.push(...(await differingFrom(page, theme, [[name, selector]])));
  }
  await opened.send({ type: 'showCompare', view: compareView(recordedComparison()) });
  await page.waitForSelector('#models-title');
  differing.push(...(await differingFrom(page, theme, comparisonCharts)));
  await opened.send({ type: 'showFlips', view: flipsView(recordedFlips()) });
  await page.waitForSelector('#flips-0-title');
  differing.push(...(await differingFrom(page, theme, flipsCharts)));
  await opened.context.close();
  expect(differing).toEqual([]);
});

async function differingFrom(page: Page, theme: Theme, which: typeof charts): Promise<string[]> {
  const differing: string[] = [];
  for (const [name, selector] of which) {
    const file = path.join(kept, theme, `${name}.png`);
    const shot = await page.locator(selector).first().screenshot({ animations: 'disabled' });
    if (process.env['UPDATE_SCREENSHOTS']) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, shot);
    }
    if (!existsSync(file)) {
      differing.push(`${name}: no picture is kept`);
      continue;
    }
    const share = differenceOf(PNG.sync.read(shot), PNG.sync.read(readFileSync(file)));
    if (share > ALLOWED_SHARE) differing.push(`${name}: ${(100 * share).toFixed(1)}% of the pixels`);
  }
  return differing;
}

/** Share of pixels that differ in what both pictures cover; 1 where their sizes are not nearly alike. */
function differenceOf(a: PNG, b: PNG): number {
  if (Math.abs(a.width - b.width) > ALLOWED_PX || Math.abs(a.height - b.height) > ALLOWED_PX) return 1;
  const width = Math.min(a.width, b.width);
  const height = Math.min(a.height, b.height);
  const cut = (png: PNG) => {
    const out = new PNG({ width, height });
    PNG.bitblt(png, out, 0, 0, width, height, 0, 0);
    return out.data;
  };
  return pixelmatch(cut(a), cut(b), undefined, width, height, { threshold: 0.2 }) / (width * height);
}
