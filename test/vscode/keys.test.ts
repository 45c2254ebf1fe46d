/** API keys in the editor: kept, sent to their own server only, and gone when cleared. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chunk, startFakeOpenAi } from '../contract/fakeOpenAiServer';
import { launchChromium, startHost, type HostServer } from './host';
import { prepareHost } from './prepareHost';
import { ARTEFACTS } from './runInHost';
import { openWorkbench, type Workbench } from './workbench';

const prepared = await prepareHost('keys');
const CHECK = 'Evenkeel: Check Prompt Robustness';
const FILE = 'sentiment.prompt.md';
const KEY = 'key-of-test-n0tToBeFound';
/** Of a server that has read the whole prompt. */
const USAGE = { choices: [], usage: { prompt_tokens: 60, completion_tokens: 2 } };

if ('missing' in prepared) {
  test.skip(`VS Code host: ${prepared.missing}`, () => undefined);
} else {
  const { host, vsix, workspace, cacheDir, env } = prepared;
  let servers: Awaited<ReturnType<typeof startFakeOpenAi>>[];
  let server: HostServer;
  let browser: Browser;
  let page: Page;
  let workbench: Workbench;

  beforeAll(async () => {
    servers = await Promise.all(
      [1, 2].map(() =>
        startFakeOpenAi((_, answer) => answer.stream([chunk('Positive', 'stop'), USAGE, '[DONE]'])),
      ),
    );
    server = await startHost(host, {
      vsix,
      settings: {
        'editor.minimap.enabled': false,
        'evenkeel.endpoints': servers.map(({ baseUrl }, i) => ({ name: `lab${i}`, baseUrl })),
        'evenkeel.model': 'lab0:m',
        'evenkeel.samples': 4,
        'evenkeel.perturbations': 1,
        'evenkeel.useCache': false,
      },
      env,
      log: path.join(ARTEFACTS, 'keys.log'),
    });
    browser = await launchChromium(host);
    page = await browser.newPage({ viewport: { width: 1360, height: 820 } });
    page.setDefaultTimeout(30_000);
    workbench = await openWorkbench(page, server, { folder: workspace, file: FILE });
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    await Promise.all(servers.map((one) => one.stop()));
  });

  const input = () => page.locator('.quick-input-widget input').first();
  const choose = async (label: string) => {
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: label }).first().click();
  };
  const sent = (i: number) => servers[i]!.requests.map(({ headers }) => headers.authorization);
  /** Runs a check of the prompt to its end; a server whose price is not known is asked about first. */
  const check = async (model: string) => {
    const before = servers.reduce((sum, { requests }) => sum + requests.length, 0);
    await workbench.run(CHECK);
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.filter({ hasText: `Check with ${model}?` }).waitFor();
    await dialog.getByRole('button', { name: 'Start' }).click();
    await expect
      .poll(() => servers.reduce((sum, { requests }) => sum + requests.length, 0), { timeout: 60_000 })
      .toBe(before + 8);
    await workbench.report().getByRole('button', { name: /^Save/ }).first().waitFor({ timeout: 60_000 });
  };

  test('a key is asked for, hidden while it is typed, and sent to its own server only', async () => {
    await workbench.run('Evenkeel: Set API Key');
    await choose('lab0');
    await page.locator('.quick-input-widget', { hasText: 'sent to http://127.0.0.1' }).waitFor();
    expect(await input().getAttribute('type')).toBe('password');
    await input().fill(KEY);
    await page.keyboard.press('Enter');
    await workbench.notification(/the key for http:\/\/127\.0\.0\.1:\d+ is kept/).waitFor();
    await check('lab0:m');
    expect(new Set(sent(0))).toEqual(new Set([`Bearer ${KEY}`]));
    expect(sent(1)).toEqual([]);
  });

  test('it is in no file that was written, but for the secret storage, and there not in the clear', () => {
    const folders = [path.join(server.dir, 'data'), workspace, cacheDir, ARTEFACTS];
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name)),
    );
    expect(files.some((name) => name.endsWith('samples.jsonl'))).toBe(true);
    const holding = files.filter(
      (name) => !name.includes(`${path.sep}models${path.sep}`) && readFileSync(name).includes(KEY),
    );
    expect(holding).toEqual([]);
  });

  test('cleared, it is sent no more', async () => {
    await workbench.run('Evenkeel: Clear API Key');
    await choose('lab0');
    await workbench.notification(/the key for http:\/\/127\.0\.0\.1:\d+ is gone/).waitFor();
    servers[0]!.requests.length = 0;
    await check('lab0:m');
    expect(sent(0).some((header) => header?.includes(KEY))).toBe(false);
  });

  test('a server on another machine is asked about by its address, and no answer sends nothing', async () => {
    const runs = () => readdirSync(path.join(cacheDir, 'runs'));
    const before = runs();
    mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
    // An address that is set aside for documentation: nothing is there.
    const settings = { 'evenkeel.model': 'ollama:m', 'evenkeel.ollama.url': 'http://192.0.2.1:11434' };
    writeFileSync(path.join(workspace, '.vscode/settings.json'), JSON.stringify(settings));
    await page.locator('.statusbar-item', { hasText: 'ollama:m' }).waitFor();
    await workbench.run(CHECK);
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.filter({ hasText: 'Send this prompt to http://192.0.2.1:11434?' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await workbench.run('Evenkeel: Doctor');
    await page.locator('.tab', { hasText: 'Evenkeel Doctor' }).waitFor({ timeout: 90_000 });
    expect(runs()).toEqual(before);
  });
}
