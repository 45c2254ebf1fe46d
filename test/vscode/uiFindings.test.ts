/** What people see of findings, first use, tests and a reload in mid-run. Screenshots go to test/artefacts/ui. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium, startHost, type HostServer } from './host';
import { keepKnownRun } from './knownRun';
import { prepareHost } from './prepareHost';
import { ARTEFACTS } from './runInHost';
import { openWorkbench, policyViolations, type Workbench } from './workbench';

const prepared = await prepareHost('ui-findings');
const TEXT = 'You are terse.\nSay positive or negative, and never explain.\nReview: it broke.\n';
const FILE = 'known.prompt.md';
const VARYING = ['Positive', 'negative.', 'It is bad', 'Negative', 'bad', 'No', 'poor', 'Neg', 'hm', 'sad'];

if ('missing' in prepared) {
  test.skip(`VS Code host: ${prepared.missing}`, () => undefined);
} else {
  const { host, vsix, workspace, cacheDir, env } = prepared;
  const imageDir = path.join(ARTEFACTS, 'ui');
  mkdirSync(imageDir, { recursive: true });

  describe.each([
    ['dark', 'Default Dark Modern'],
    ['light', 'Default Light Modern'],
    ['contrast', 'Default High Contrast'],
  ])('findings and first use, %s', (name, colorTheme) => {
    let server: HostServer;
    let browser: Browser;
    let page: Page;
    let workbench: Workbench;
    let violations: string[];
    const shoot = (what: string) => page.screenshot({ path: path.join(imageDir, `${what}-${name}.png`) });

    beforeAll(async () => {
      writeFileSync(path.join(workspace, FILE), TEXT);
      const start = TEXT.indexOf('positive');
      await keepKnownRun(
        cacheDir,
        { path: FILE, uri: `file://${workspace}/${FILE}` },
        TEXT,
        [
          {
            id: 'order',
            name: 'Options in another order',
            span: { start, end: start + 'positive or negative'.length },
            replacement: 'negative or positive',
            verdict: 'changed',
            answer: 'Negative',
          },
          {
            id: 'brief',
            name: 'Synonym',
            span: { start: 8, end: 13 },
            replacement: 'brief',
            verdict: 'noChangeDetected',
            effect: 0.05,
          },
        ],
        VARYING,
      );
      server = await startHost(host, {
        vsix,
        settings: {
          'workbench.colorTheme': colorTheme,
          'editor.minimap.enabled': false,
          'editor.wordWrap': 'on',
          'remote.autoForwardPorts': false,
          'evenkeel.model': 'local:smollm2-135m',
          'evenkeel.samples': 200,
          'evenkeel.perturbations': 3,
          'evenkeel.useCache': false,
        },
        env,
        log: path.join(ARTEFACTS, 'ui-findings.log'),
      });
      browser = await launchChromium(host);
      page = await browser.newPage({ viewport: { width: 1360, height: 820 } });
      page.setDefaultTimeout(30_000);
      violations = policyViolations(page);
      workbench = await openWorkbench(page, server, { folder: workspace, file: FILE });
    });
    afterAll(async () => {
      await browser.close();
      await server.stop();
    });

    test('a hover with answers, plot and links; a light bulb with a steadier wording', async () => {
      await workbench.run('Evenkeel: Open Last Report');
      await workbench.squiggles().first().waitFor();
      await page.waitForTimeout(1_000);
      await workbench.squiggles().first().hover({ force: true });
      const hover = page.locator('.monaco-hover', { hasText: 'WITH THE CHANGE' });
      await hover.waitFor();
      const picture = hover.locator('img[src^="data:image/svg+xml"]');
      await picture.waitFor();
      expect(
        await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      ).toBeGreaterThan(100);
      await hover.getByText('Silence here').waitFor();
      await page.waitForTimeout(300);
      await shoot('finding-hover');

      await page.keyboard.press('Escape');
      await page
        .locator('.view-line', { hasText: 'positive or negative' })
        .first()
        .click({ position: { x: 60, y: 8 } });
      await page.keyboard.press('Control+.');
      const menu = page.locator('.action-widget:not(.action-list-submenu-panel)');
      await menu.getByText('Use this steadier wording').first().waitFor();
      // The steadier wording of another sentence is no matter of this place.
      expect(await menu.innerText()).not.toContain('brief');
      await shoot('finding-actions');
      await page.keyboard.press('Escape');
      expect(violations).toEqual([]);
    });

    test('a walkthrough that opens the samples', async () => {
      await workbench.run('View: Close All Editors');
      await workbench.run('Welcome: Open Walkthrough...');
      await page
        .locator('.quick-input-list .monaco-list-row', { hasText: 'Get Started with Evenkeel' })
        .click();
      await page.getByText('See what a check finds').first().waitFor();
      await page.waitForTimeout(1_000);
      await shoot('walkthrough');
      await page.getByText('Open the Sample Report').first().click();
      await workbench.report().getByText('Wobbles').first().waitFor({ timeout: 60_000 });
      await shoot('sample-report');
    });

    test('prompts in the Test Explorer', async () => {
      await workbench.run('Testing: Focus on Test Explorer View');
      const row = page.locator('.test-explorer .monaco-list-row', { hasText: FILE });
      await row.waitFor();
      await row.click();
      await page.keyboard.press('ArrowRight');
      await page.locator('.test-explorer .monaco-list-row', { hasText: 'Rewordings' }).waitFor();
      await shoot('tests');
    });

    if (name === 'dark') {
      test('a reload in mid-run offers to go on, and nothing is asked twice', async () => {
        await workbench.run('View: Close All Editors');
        await workbench.run('View: Show Explorer');
        await workbench.show(FILE);
        await workbench.run('Evenkeel: Check Prompt Robustness');
        await workbench
          .report()
          .getByText(/[1-9]\d* of \d+ answers/)
          .waitFor({ timeout: 120_000 });
        await shoot('progress-rate');
        await workbench.reload();
        const offer = workbench.notification(/stopped before its end.*kept and will not be asked for again/s);
        await offer.waitFor({ timeout: 60_000 });
        await shoot('resume');
        await offer.getByText('Go On').click();
        await workbench
          .notification(/going on with known\.prompt\.md from \d+ answers/)
          .waitFor({ timeout: 60_000 });
        await workbench.run('Evenkeel: Pause Run');
        await page.locator('.statusbar-item', { hasText: '1 paused' }).waitFor({ timeout: 60_000 });
        await shoot('paused');
      });
    }
  });
}
