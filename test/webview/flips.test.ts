import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { flipsRecordOf } from '../builders/flipsRecord';
import { hostileTexts } from './hostileTexts';
import { buildPage, openChromium, openFlipsExport, themes, type Theme } from './pageUnderTest';

let browser: Browser;
beforeAll(async () => {
  buildPage();
  browser = await openChromium();
});
afterAll(() => browser.close());

test.each(Object.keys(themes) as Theme[])(
  'flip rates in %s: numbers, no violation, no overflow',
  async (theme) => {
    const record = flipsRecordOf(4);
    const opened = await openFlipsExport(browser, record, theme);
    const { page } = opened;
    expect(await page.locator('figure[data-chart^="Flip rates"]').count()).toBe(record.figures.length);
    await page.locator('.numbers summary').first().click();
    const rows = await page
      .locator('.numbers tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
    expect(rows.map((cells) => cells[1])).toEqual(
      record.figures[0]!.rows.map(({ flips, n }) => (n === 0 ? 'none' : `${flips} of ${n}`)),
    );
    // Under ten: greyed.
    expect(await page.locator('g.rate-few').count()).toBe(
      record.figures[0]!.rows.filter(({ suppressed }) => suppressed).length,
    );
    expect(await page.locator('.flipped tbody tr').count()).toBe(7);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
      [],
    );
    for (const width of [300, 1200]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    expect([opened.violations, opened.errors]).toEqual([[], []]);
    await opened.context.close();
  },
);

test('what a hostile prompt says is text', async () => {
  const record = flipsRecordOf(12, hostileTexts.join(' '));
  const opened = await openFlipsExport(browser, record);
  expect(await opened.page.evaluate('window.harmed')).toBeUndefined();
  expect(await opened.page.locator('img, iframe, base').count()).toBe(0);
  expect([opened.violations, opened.errors]).toEqual([[], []]);
  await opened.context.close();
});
