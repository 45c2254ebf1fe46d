import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import type { Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatInterval, formatNumber, formatP } from '../../src/report/format';
import { toReportView } from '../../src/report/reportView';
import { headline, verdictWords } from '../../src/report/sentences';
import {
  buildPage,
  openChromium,
  openExport,
  openPanel,
  servePanel,
  type OpenPage,
  type Theme,
} from './pageUnderTest';
import { hostileRun, largeRun, recordedNames, recordedRun } from './recordedRuns';

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

async function clean<T extends OpenPage>(
  opening: Promise<T>,
  look: (opened: T) => Promise<void>,
): Promise<void> {
  const opened = await opening;
  try {
    await look(opened);
    expect(opened.violations).toEqual([]);
    expect(opened.errors).toEqual([]);
  } finally {
    await opened.context.close();
  }
}

const openEverything = async (page: Page) => {
  const row = page.locator('.row-toggle[aria-expanded="false"]').first();
  if ((await page.locator('.row-open').count()) === 0 && (await row.count()) > 0) await row.click();
  for (const summary of await page
    .locator('details.section > summary, .sure > summary, #forest > summary')
    .all())
    await summary.click();
};

test.each(recordedNames)(
  '%s: numbers on the page are the record’s, read back from the page',
  async (name) => {
    const record = recordedRun(name);
    await clean(openExport(browser, record), async ({ page }) => {
      expect(await page.locator('h1').textContent()).toBe(headline(record).word);
      expect(await page.locator('.caution').count()).toBe(toReportView(record).caution === null ? 0 : 1);
      for (const comparison of record.comparisons) {
        const row = page.locator(`[data-perturbation="${comparison.perturbationId}"]`);
        const field = async (key: string) =>
          (await row.locator(`[data-field="${key}"]`).textContent())?.trim();
        expect(await field('verdict')).toBe(verdictWords[comparison.verdict]);
        expect(await field('adjustedP')).toBe(formatP(comparison.adjustedP));
        if (comparison.effect === null) continue;
        expect(await field('effect')).toBe(formatNumber(comparison.effect.debiased));
        expect(await field('interval')).toBe(formatInterval(comparison.effect.interval));
      }
      await openEverything(page);
      const table = (chart: string) =>
        page
          .locator(`figure[data-chart^="${chart}"] .numbers tbody tr`)
          .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
      for (const cells of await table('Forest plot')) {
        const matching = record.comparisons.filter(
          ({ effect, adjustedP }) =>
            (effect === null ? '' : formatNumber(effect.debiased)) === cells[2] &&
            formatP(adjustedP) === cells[5],
        );
        expect(matching.length).toBeGreaterThan(0);
      }
      const timeline = await table('Time line');
      expect(timeline.reduce((sum, cells) => sum + Number(cells[2]), 0)).toBe(record.samples.length);
      if (record.roc !== undefined) {
        expect(await table('ROC')).toEqual(
          record.roc.fpr.map((fpr, i) => [
            formatP(record.roc!.thresholds[i] ?? null),
            fpr.toFixed(3),
            record.roc!.tpr[i]!.toFixed(3),
          ]),
        );
      }
      const shown = page.locator('.row-open').first();
      const id = await shown
        .locator('[data-perturbation]')
        .getAttribute('data-perturbation')
        .catch(() => null);
      const comparison = record.comparisons.find(({ perturbationId }) => perturbationId === id);
      if (comparison && comparison.members.length > 0) {
        const grid = await table('Sensitivity grid');
        expect(grid.map((cells) => cells[5])).toEqual(
          comparison.members.map((member) => (member.dropped === null ? formatP(member.adjustedP) : '')),
        );
        const total = record.samples.filter(
          ({ conditionId }) => conditionId === id || conditionId === 'baseline',
        );
        const map = await table('Map of answers');
        expect(map.reduce((sum, cells) => sum + Number(cells[2]), 0)).toBe(
          total.filter(({ outcome }) => outcome === 'ok').length,
        );
      }
    });
  },
);

const themes: Theme[] = ['light', 'dark', 'hcDark', 'hcLight'];
test.each(themes)('axe finds nothing with everything open: %s', async (theme) => {
  await clean(openExport(browser, recordedRun('everything'), { theme }), async ({ page }) => {
    await openEverything(page);
    await page.locator('a.piece').first().click();
    await page.locator('.pairs-choice button').last().click();
    await page.locator('.result').first().click();
    await page.locator('.result').nth(3).click();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
      [],
    );
    for (const widthPx of [300, 700, 1400]) {
      await page.setViewportSize({ width: widthPx, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(widthPx);
    }
  });
});

test('what a hostile model says is text everywhere, in the panel as in the file', async () => {
  const record = hostileRun();
  const look = async ({ page }: OpenPage) => {
    await openEverything(page);
    await page.locator('.result').first().click();
    await page.locator('.result').nth(1).click();
    expect(await page.evaluate('window.harmed')).toBeUndefined();
    expect(await page.locator('img, iframe, base, .raw a, .raw vscode-button').count()).toBe(0);
    const text = (await page.locator('body').innerText()).replace(/\n/g, '');
    expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u202a-\u202e\u2066-\u2069]/);
    await page.setViewportSize({ width: 300, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(300);
  };
  await clean(openExport(browser, record), look);
  await clean(openPanel(browser, origin, { record }), look);
});

test('all answers: filter, search, compare two, by mouse and by keyboard', async () => {
  const record = largeRun(20_000);
  await clean(openPanel(browser, origin, { record }), async ({ page, asked, kept }) => {
    await page.locator('#browser > summary').click();
    await page.getByText('20,000 found').waitFor();
    expect(await page.locator('.result').count()).toBeLessThan(40);

    const list = page.locator('.results');
    await list.focus();
    await page.keyboard.press('End');
    await page.locator('.result-active[aria-posinset="20000"] .result-text').waitFor();
    await page.keyboard.press('Space');
    await page.keyboard.press('Home');
    await page.locator('.result-active[aria-posinset="1"] .result-text').waitFor();
    await page.keyboard.press('Enter');
    expect(await page.locator('.reader article').count()).toBe(2);
    const last = record.samples.at(-1)!;
    expect(await page.locator('.reader article .raw').allTextContents()).toEqual([
      last.text,
      record.samples[0]!.text,
    ]);
    expect(await page.locator('.reader ins, .reader del').count()).toBeGreaterThan(0);
    // Only pages near what was looked at were asked for.
    const offsets = asked
      .filter(({ method }) => method === 'browse')
      .map(({ params }) => (params as { offset: number }).offset);
    expect(offsets.length).toBeLessThan(8);

    await page.locator('.filters select').first().selectOption(record.conditions[3]!.id);
    await page.getByText('1,000 found').waitFor();
    await page.locator('.filters input').fill('negative');
    const holding = record.samples.filter(
      ({ conditionId, text }) => conditionId === record.conditions[3]!.id && /negative/i.test(text),
    ).length;
    await page.getByText(`${holding.toLocaleString('en')} found`).waitFor();
    await expect
      .poll(() => kept()?.query)
      .toMatchObject({ conditionId: record.conditions[3]!.id, search: 'negative' });
  });
});

test('a span opens its changes as word diffs, a change its samples', async () => {
  await clean(openExport(browser, recordedRun('changed')), async ({ page }) => {
    await page.locator('a.piece').last().click();
    expect(await page.locator('.piece-changes .diff :is(ins, del)').count()).toBeGreaterThan(0);
    const name = (await page.locator('.piece-changes button').first().innerText()).trim();
    await page.locator('.piece-changes button').first().click();
    await page.waitForSelector('.row-open .sample');
    expect((await page.locator('.row-open .row-toggle').innerText()).trim()).toBe(name);
  });
});

test('the furthest pair is the record’s', async () => {
  const record = recordedRun('changed');
  await clean(openExport(browser, record), async ({ page }) => {
    const { furthest } = record.comparisons.find(({ verdict }) => verdict === 'changed')!.pairs!;
    await page.getByRole('button', { name: /^Furthest pair/ }).click();
    const texts = await page.locator('.pairs-choice article .raw').allTextContents();
    const textOf = (condition: string, index: number) =>
      record.samples.find((sample) => sample.conditionId === condition && sample.index === index)!.text;
    const open = await page.locator('.row-open [data-perturbation]').getAttribute('data-perturbation');
    expect(texts).toEqual([textOf('baseline', furthest.baseline), textOf(open!, furthest.perturbed)]);
  });
});

test('charts are copied as a picture that stands alone, and as CSV', async () => {
  const record = recordedRun('everything');
  await clean(openPanel(browser, origin, { record }), async ({ page, asked }) => {
    await page.locator('#forest > summary').click();
    await page.getByRole('button', { name: 'Copy as SVG: Forest plot' }).click();
    await page.getByRole('button', { name: 'Copy as CSV: Forest plot' }).click();
    await expect.poll(() => asked.filter(({ method }) => method === 'copy').length).toBe(2);
    const [svg, csv] = asked
      .filter(({ method }) => method === 'copy')
      .map(({ params }) => (params as { text: string }).text);
    expect(svg).toMatch(/^<svg[^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg).not.toContain('var(');
    expect(svg).not.toContain('class=');
    expect(csv!.split('\r\n')).toHaveLength(record.comparisons.length + 2);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as PNG: Forest plot' }).click();
    await page.getByText('The picture is on the clipboard.').waitFor();
    const size = await page.evaluate<number>(
      `navigator.clipboard.read().then(([item]) => item.getType('image/png')).then((blob) => blob.size)`,
    );
    expect(size).toBeGreaterThan(5_000);
  });
});

test('two runs beside each other', async () => {
  const [now, before] = [recordedRun('everything'), recordedRun('cancelled')];
  const view = toReportView(now, { against: before, kept: [before] });
  await clean(openPanel(browser, origin, {}), async ({ page, send }) => {
    await send({ type: 'show', view });
    await page.getByRole('heading', { name: 'Against another run' }).waitFor();
    expect(await page.locator('.against tbody tr').count()).toBe(view.against!.rows.length);
  });
});
