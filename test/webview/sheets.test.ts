/** Flip rates and comparisons of models on the page, from records that real models made. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Server } from 'node:http';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HostMessage } from '../../src/contracts/webviewProtocol';
import { compareView } from '../../src/report/compareView';
import { flipsView } from '../../src/report/flipsView';
import { formatInterval, formatNumber } from '../../src/report/format';
import { sheetHtml } from '../../src/report/html';
import { hostileTexts } from './hostileTexts';
import {
  buildPage,
  openChromium,
  openPanel,
  pageAssets,
  servePanel,
  themes,
  type Theme,
} from './pageUnderTest';
import { recordedComparison, recordedFlips } from './recordedRuns';

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

const comparison = (record = recordedComparison()): HostMessage => ({
  type: 'showCompare',
  view: compareView(record),
});
const flips = (record = recordedFlips()): HostMessage => ({ type: 'showFlips', view: flipsView(record) });

async function shown(message: HostMessage, theme: Theme = 'light') {
  const opened = await openPanel(browser, origin, { theme });
  await opened.send(message);
  await opened.page.waitForSelector('#read-title');
  return opened;
}

const numbers = (opened: Awaited<ReturnType<typeof shown>>, chart: string) =>
  opened.page
    .locator(`figure[data-chart^="${chart}"] .numbers tbody tr`)
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));

test('a comparison: its figures are the record’s, read back from the page', async () => {
  const record = recordedComparison();
  const opened = await shown(comparison(record));
  const { page } = opened;
  for (const [index, model] of record.models.entries()) {
    const name = compareView(record).models.find(({ runs }) => runs[0] === model.runs[0])!.name;
    const row = page.locator(`[data-model="${name}"]`);
    expect(await row.locator('[data-field="movement"]').textContent()).toBe(
      formatNumber(record.models[index]!.movement!.mean),
    );
    expect(await row.locator('[data-field="interval"]').textContent()).toBe(
      formatInterval(record.models[index]!.movement!.interval),
    );
  }
  const matrix = await numbers(opened, 'Model matrix');
  expect(matrix).toHaveLength(record.pairs.length * 2);
  // The two halves of the matrix say the opposite of each other.
  for (const [row, column, state, difference] of matrix) {
    const mirror = matrix.find((cells) => cells[0] === column && cells[1] === row)!;
    const opposite: Record<string, string> = { steadier: 'less steady', 'less steady': 'steadier' };
    expect(mirror[2]).toBe(opposite[state!] ?? state);
    expect(Math.abs(Number(mirror[3]!.replace('−', '-')) + Number(difference!.replace('−', '-')))).toBe(0);
  }
  await page.locator('#items > summary').click();
  expect(await page.locator('#items tbody tr').count()).toBe(record.items.length);
  expect(await page.locator('#items tbody').innerText()).toMatch(/\d\.\d\d/);
  expect(opened.errors).toEqual([]);
  expect(opened.violations).toEqual([]);
  await opened.context.close();
});

test('flip rates: drawn with n and intervals, greyed where too few, copied as numbers', async () => {
  const record = recordedFlips();
  const copied: string[] = [];
  const opened = await openPanel(browser, origin, {
    handlers: {
      copy({ text }) {
        copied.push(text);
        return { copied: true };
      },
    },
  });
  await opened.send(flips(record));
  await opened.page.waitForSelector('#read-title');
  const rows = await numbers(opened, 'Flip rates');
  const figures = record.figures[0]!.rows;
  expect(rows.map(([, , rate]) => rate)).toEqual(figures.map(({ rate }) => rate?.toFixed(3) ?? ''));
  expect(rows.map((cells) => cells[5])).toEqual(
    figures.map(({ suppressed, rate }) => (suppressed || rate === null ? 'no' : 'yes')),
  );
  expect(await opened.page.locator('.rate-point').count()).toBe(
    figures.filter(({ rate, suppressed }) => rate !== null && !suppressed).length,
  );
  await opened.page.getByRole('button', { name: /Copy as CSV: Flip rates/ }).click();
  await expect.poll(() => copied.length).toBe(1);
  expect(copied[0]).toContain('Strength,Flipped,Rate');
  expect(opened.violations).toEqual([]);
  await opened.context.close();
});

test.each(Object.keys(themes) as Theme[])('axe finds nothing, from 300 px up: %s', async (theme) => {
  for (const message of [comparison(), flips()]) {
    const opened = await shown(message, theme);
    for (const summary of await opened.page.locator('details > summary').all()) await summary.click();
    const { violations } = await new AxeBuilder({ page: opened.page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
      [],
    );
    for (const width of [300, 700, 1400]) {
      await opened.page.setViewportSize({ width, height: 800 });
      expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    await opened.context.close();
  }
});

test('hostile names and answers stay text, in the panel and in the file', async () => {
  const compared = recordedComparison();
  const flipped = recordedFlips();
  const hostile = hostileTexts.join(' ').slice(0, 20_000);
  compared.items[0]!.name = hostile;
  compared.models[0]!.problem = hostile;
  compared.models[0]!.identity!.runtime = hostile;
  flipped.warnings = [hostile];
  flipped.answers.forEach((answer) => (answer.answer = answer.answer && `${hostile}${answer.answer}`));
  for (const message of [comparison(compared), flips(flipped)] as Parameters<typeof sheetHtml>[0][]) {
    const inPanel = await shown(message);
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'evenkeel-sheet-')), 'sheet.html');
    writeFileSync(file, sheetHtml(message, pageAssets()));
    const context = await browser.newContext();
    await context.setOffline(true);
    const inFile = await context.newPage();
    await inFile.goto(`file://${file}`);
    await inFile.waitForSelector('#read-title');
    for (const page of [inPanel.page, inFile]) {
      expect(await page.evaluate('window.harmed')).toBeUndefined();
      expect(await page.locator('img, iframe, base, main a').count()).toBe(0);
      const text = (await page.locator('body').innerText()).replace(/\n/g, '');
      expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u202a-\u202e\u2066-\u2069]/);
    }
    expect(inPanel.violations).toEqual([]);
    await context.close();
    await inPanel.context.close();
  }
});
