import { AxeBuilder } from '@axe-core/playwright';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatInterval, formatNumber, formatP } from '../../src/report/format';
import { headline, verdictWords } from '../../src/report/sentences';
import { buildRunRecord, examplePrompt, type Scenario } from '../builders/runRecord';
import { hostileTexts } from './hostileTexts';
import { buildPage, openChromium, openExport, themes, type OpenPage, type Theme } from './pageUnderTest';

let browser: Browser;
beforeAll(async () => {
  buildPage();
  browser = await openChromium();
});
afterAll(() => browser.close());

async function withExport(
  record: Parameters<typeof openExport>[1],
  options: Parameters<typeof openExport>[2],
  look: (opened: OpenPage) => Promise<void>,
): Promise<void> {
  const opened = await openExport(browser, record, options);
  try {
    await look(opened);
    expect(opened.violations).toEqual([]);
    expect(opened.errors).toEqual([]);
  } finally {
    await opened.context.close();
  }
}

const openAll = async (page: Page) => {
  for (const summary of await page.locator('details.section > summary, .sure > summary').all()) {
    await summary.click();
  }
};

test('the file opens from disk without a network, and asks for nothing', async () => {
  await withExport(buildRunRecord(), {}, async ({ page, requests }) => {
    expect(await page.locator('h1').textContent()).toBe('Wobbles');
    expect(requests.filter((url) => !url.startsWith('file://'))).toEqual([]);
    expect(requests).toHaveLength(1);
  });
});

test('every number in the table is the record’s', async () => {
  const record = buildRunRecord();
  await withExport(record, {}, async ({ page }) => {
    for (const comparison of record.comparisons) {
      const row = page.locator(`[data-perturbation="${comparison.perturbationId}"]`);
      const field = async (name: string) =>
        (await row.locator(`[data-field="${name}"]`).textContent())?.trim();
      expect(await field('effect')).toBe(formatNumber(comparison.effect?.debiased ?? Number.NaN));
      expect(await field('interval')).toBe(
        formatInterval(comparison.effect?.interval ?? { low: 9, high: 9 }),
      );
      expect(await field('adjustedP')).toBe(formatP(comparison.adjustedP));
      expect(await field('verdict')).toBe(verdictWords[comparison.verdict]);
    }
    const order = await page
      .locator('[data-perturbation]')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-perturbation')));
    const byEffect = [...record.comparisons].sort(
      (a, b) => (b.effect?.debiased ?? 0) - (a.effect?.debiased ?? 0),
    );
    expect(order).toEqual(byEffect.map(({ perturbationId }) => perturbationId));
  });
});

test('marks and intervals of the forest plot stand where the numbers say', async () => {
  const record = buildRunRecord();
  await withExport(record, {}, async ({ page }) => {
    const points: { effect: number; x: number }[] = [];
    for (const { perturbationId, effect } of record.comparisons) {
      const mark = page.locator(`[data-perturbation="${perturbationId}"] .mark`).first();
      const box = await mark.boundingBox();
      // The last cell holds the verdict's glyph; the first mark is the plot's.
      if (box && effect) points.push({ effect: effect.debiased, x: box.x + box.width / 2 });
    }
    const ticks = await page.locator('.forest-axis text').evaluateAll((labels) =>
      labels.map((label) => ({
        effect: Number(label.textContent?.replace('\u2212', '-')),
        x: label.getBoundingClientRect().x + label.getBoundingClientRect().width / 2,
      })),
    );
    const [first, last] = [ticks[0], ticks.at(-1)];
    if (!first || !last) throw new Error('no axis');
    for (const point of points) {
      const share = (point.effect - first.effect) / (last.effect - first.effect);
      expect(Math.abs(first.x + share * (last.x - first.x) - point.x)).toBeLessThan(1.5);
    }
    expect(points).toHaveLength(record.comparisons.length);
  });
});

test('the prompt on the page is the prompt', async () => {
  await withExport(buildRunRecord(), {}, async ({ page }) => {
    const text = await page.locator('[aria-labelledby="prompt-title"] .prompt-text').evaluate((element) => {
      const copy = element.cloneNode(true) as typeof element;
      for (const heard of copy.querySelectorAll('.only-heard')) heard.remove();
      return copy.textContent;
    });
    expect(text).toBe(examplePrompt);
  });
});

test('hostile answers stay text', async () => {
  const record = buildRunRecord({ hostileTexts, samples: 3 * hostileTexts.length });
  await withExport(record, {}, async ({ page }) => {
    while ((await page.locator('.samples > .link').count()) > 0)
      await page.locator('.samples > .link').click();
    await openAll(page);
    expect(await page.evaluate('window.harmed')).toBeUndefined();
    expect(await page.locator('script').count()).toBe(2);
    expect(await page.locator('img, iframe, base, link, .raw a, .raw vscode-button').count()).toBe(0);
    const shown = await page.locator('.sample .raw').allTextContents();
    for (const text of hostileTexts.filter((each) => /^[\u0020-\u007e]*$/.test(each)))
      expect(shown).toContain(text);
    const everything = (await page.locator('body').innerText()).replace(/\n/g, '');
    expect(everything).not.toMatch(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
    );
    expect(shown.join('')).toContain('⟨RLO⟩');
    expect(shown.join('')).toContain('␛[31mred');
  });
});

test('a line of a million characters is cut, and the cut is told', async () => {
  const record = buildRunRecord({ hostileTexts: ['x'.repeat(1_000_000)], samples: 4 });
  await withExport(record, { widthPx: 300 }, async ({ page }) => {
    const sample = page.locator('.sample').first();
    await sample.getByRole('button', { name: 'Show more' }).click();
    expect(await sample.locator('.raw').textContent()).toBe('x'.repeat(20_000));
    expect(await sample.textContent()).toContain('980,000 more characters');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(300);
  });
});

const scenarios: Scenario[] = ['wobbles', 'steady', 'undecided', 'cancelled', 'failed', 'empty'];
test.each(scenarios)(
  '%s: one sentence, no violation, no sideways scrolling from 300 px on',
  async (scenario) => {
    const record = buildRunRecord({ scenario });
    await withExport(record, { widthPx: 300 }, async ({ page }) => {
      const { word, sentence } = headline(record);
      expect(await page.locator('h1').textContent()).toBe(word);
      const shown = await page.locator('.sentence').textContent();
      expect(`${word}: ${shown}`.toLowerCase()).toBe(sentence.toLowerCase());
      await openAll(page);
      for (const widthPx of [300, 700, 1400]) {
        await page.setViewportSize({ width: widthPx, height: 800 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(widthPx);
      }
    });
  },
);

const views: [Theme, Scenario, number][] = (Object.keys(themes) as Theme[]).flatMap((theme) => [
  [theme, 'wobbles', 1100] as [Theme, Scenario, number],
  [theme, 'undecided', 320] as [Theme, Scenario, number],
]);
test.each(views)('axe finds nothing: %s, %s, %i px', async (theme, scenario, widthPx) => {
  await withExport(buildRunRecord({ scenario }), { theme, widthPx }, async ({ page, context }) => {
    if (scenario === 'undecided') await page.locator('.row-toggle').first().click();
    await openAll(page);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual(
      [],
    );
    expect(context.pages()).toHaveLength(1);
  });
});

test('the keyboard reaches everything: rows open and close, terms lead to their meaning', async () => {
  const record = buildRunRecord();
  await withExport(record, {}, async ({ page }) => {
    const second = page.locator('.row-toggle').nth(1);
    await second.focus();
    await page.keyboard.press('Enter');
    expect(await second.getAttribute('aria-expanded')).toBe('true');
    expect(await page.locator('.detail').count()).toBe(1);
    await page.keyboard.press('Space');
    expect(await second.getAttribute('aria-expanded')).toBe('false');

    const wobbling = page.locator('a.piece-wobbles').last();
    await wobbling.focus();
    await page.keyboard.press('Enter');
    expect(await wobbling.getAttribute('aria-expanded')).toBe('true');
    await page.locator('.piece-changes button').first().focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement?.className')).toBe('row-toggle');
    expect(await page.locator('.row-open .row-toggle').textContent()).toBe('Trailing space');

    await page.locator('button.term').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('.term-card:popover-open').textContent()).toContain(
      'A small change of the prompt',
    );
    await page.keyboard.press('Escape');
    expect(await page.locator('.term-card:popover-open').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.locator('.term-card:popover-open button').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement?.id')).toMatch(/^term-/);
    expect(await page.locator('#glossary').getAttribute('open')).not.toBeNull();

    // Tab visits every control once, and comes back out.
    const controls = page.locator(
      '#root :is(a[href], button, summary, select, input, vscode-button, [tabindex="0"]):visible',
    );
    const wanted = await controls.count();
    await page.evaluate('document.activeElement.blur(); window.scrollTo(0, 0)');
    await page.locator('body').click({ position: { x: 2, y: 2 } });
    const visited = new Set<string>();
    for (let i = 0; i < wanted + 2; i++) {
      await page.keyboard.press('Tab');
      visited.add(
        await page.evaluate<string>(
          `(() => { const all = [...document.querySelectorAll('#root *')]; return String(all.indexOf(document.activeElement)); })()`,
        ),
      );
    }
    visited.delete('-1');
    expect(visited.size).toBe(wanted);
  });
});

test('printed, nothing is folded away but tables of charts', async () => {
  await withExport(buildRunRecord(), {}, async ({ page }) => {
    const pdf = await page.pdf();
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(await page.locator('details:not([open], .numbers)').count()).toBe(0);
  });
});

test('the bundle stays under 150 kB gzipped', () => {
  const dist = path.resolve(import.meta.dirname, '../../dist/webview');
  const bytes = ['report.js', 'report.css'].map((name) => {
    expect(existsSync(path.join(dist, name))).toBe(true);
    return gzipSync(readFileSync(path.join(dist, name))).length;
  });
  expect(bytes.reduce((a, b) => a + b)).toBeLessThan(150_000);
});
