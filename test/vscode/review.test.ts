/** Reviewing perturbations as a person does it. Screenshots go to test/artefacts/ui, with UPDATE_IMAGES=1 to docs/images. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium, startHost, type HostServer } from './host';
import { prepareHost } from './prepareHost';
import { ARTEFACTS } from './runInHost';
import { openWorkbench, policyViolations } from './workbench';

const prepared = await prepareHost('review');
const imageDir =
  process.env['UPDATE_IMAGES'] === undefined
    ? path.join(ARTEFACTS, 'ui')
    : path.resolve(import.meta.dirname, '../../docs/images');
const FILE = 'review.prompt.md';

if ('missing' in prepared) {
  test.skip(`VS Code host: ${prepared.missing}`, () => undefined);
} else {
  const { host, vsix, workspace, env } = prepared;
  let server: HostServer;
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(imageDir, { recursive: true });
    writeFileSync(
      path.join(workspace, FILE),
      'Read the review. If the customer would come back, say so.\nAnswer Yes or No.\n\nReview: the soup was cold, and nobody cared.\n',
    );
    server = await startHost(host, {
      vsix,
      settings: {
        'editor.minimap.enabled': false,
        'editor.wordWrap': 'on',
        'evenkeel.model': 'local:smollm2-135m',
        'evenkeel.perturbations': 24,
      },
      env,
      log: path.join(ARTEFACTS, 'review.log'),
    });
    browser = await launchChromium(host);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  test('the set opens beside the prompt; its lens runs it; the rates are shown', async () => {
    const page = await browser.newPage({ viewport: { width: 1360, height: 820 } });
    page.setDefaultTimeout(20_000);
    const violations = policyViolations(page);
    const workbench = await openWorkbench(page, server, { folder: workspace, file: FILE });
    await workbench.run('Evenkeel: Review Perturbations');
    const lens = page.locator('.codelens-decoration a', { hasText: 'Run Flips on This Set' });
    await lens.waitFor({ timeout: 60_000 });
    await page.locator('.codelens-decoration', { hasText: /\d+ of \d+ used/ }).waitFor();
    await page.screenshot({ path: path.join(imageDir, 'review-set.png') });

    await lens.click();
    await page.locator('.tab', { hasText: /Flip rates/ }).waitFor({ timeout: 120_000 });
    const preview = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await preview.getByText('Changes of the prompt', { exact: true }).waitFor();
    const shown = (await preview.locator('main').textContent()) ?? '';
    expect(shown).toMatch(/0 negligible\s*\d+ of \d+/);
    expect(shown).toContain('By kind: ');
    await page.screenshot({ path: path.join(imageDir, 'review-result.png') });
    expect(violations).toEqual([]);
    await page.close();
  });
}
