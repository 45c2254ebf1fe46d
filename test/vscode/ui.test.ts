/**
 * The editor as a person uses it: palette, progress, panel, squiggle, hover, reload, messages.
 * Screenshots go to test/artefacts/ui; with UPDATE_IMAGES=1 the main flow runs on the default model and they go to docs/images.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchChromium, startHost, type HostServer } from './host';
import { keepKnownRun } from './knownRun';
import { prepareHost } from './prepareHost';
import { ARTEFACTS } from './runInHost';
import { openWorkbench, policyViolations, type Workbench } from './workbench';

const prepared = await prepareHost('ui');
const pictures = process.env['UPDATE_IMAGES'] !== undefined;
const imageDir = pictures
  ? path.resolve(import.meta.dirname, '../../docs/images')
  : path.join(ARTEFACTS, 'ui');
const MODEL = pictures ? 'local:qwen2.5-coder-0.5b' : 'local:smollm2-135m';
const CHECK = 'Evenkeel: Check Prompt Robustness';
const FILE = 'sentiment.prompt.md';

if ('missing' in prepared) {
  test.skip(`VS Code host: ${prepared.missing}`, () => undefined);
} else {
  const { host, vsix, workspace, cacheDir, env } = prepared;
  // What people see is the example that `npm start` checks.
  if (pictures) {
    copyFileSync(
      path.resolve(import.meta.dirname, '../../examples/review.prompt'),
      path.join(workspace, FILE),
    );
  }
  let server: HostServer;
  let browser: Browser;
  let page: Page;
  let violations: string[];

  const start = async (settings: object, options: { trust?: boolean } = {}) => {
    server = await startHost(host, {
      vsix,
      settings: {
        'editor.minimap.enabled': false,
        'editor.wordWrap': 'on',
        'remote.autoForwardPorts': false,
        ...settings,
      },
      env,
      log: path.join(ARTEFACTS, 'ui.log'),
      ...options,
    });
    browser = await launchChromium(host);
  };
  const stop = async () => {
    await browser.close();
    await server.stop();
  };
  const newPage = async () => {
    page = await browser.newPage({ viewport: { width: 1360, height: 820 } });
    page.setDefaultTimeout(20_000);
    violations = policyViolations(page);
  };
  const open = (file = FILE) => openWorkbench(page, server, { folder: workspace, file });
  const shoot = (name: string) => page.screenshot({ path: path.join(imageDir, `${name}.png`) });
  const configure = (settings: object) => {
    mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
    writeFileSync(path.join(workspace, '.vscode/settings.json'), JSON.stringify(settings));
  };
  const fileUri = (file: string) => `file://${workspace}/${file}`;
  const write = (file: string, text: string) => writeFileSync(path.join(workspace, file), text);
  mkdirSync(imageDir, { recursive: true });

  describe.each([
    ['dark', 'Default Dark Modern'],
    ['light', 'Default Light Modern'],
  ])('the main flow, %s', (name, colorTheme) => {
    beforeAll(() =>
      start({
        'workbench.colorTheme': colorTheme,
        'evenkeel.model': MODEL,
        // Kept answers would be there before the progress could be looked at.
        'evenkeel.useCache': false,
        ...(pictures
          ? {}
          : { 'evenkeel.samples': 6, 'evenkeel.perturbations': 3, 'evenkeel.answerTokens': 8 }),
      }),
    );
    afterAll(stop);
    beforeEach(newPage);
    afterEach(() => page.close());

    test('palette, progress, report', async () => {
      const workbench = await open();
      const offered = await workbench.palette('Evenkeel', CHECK);
      // Nothing runs and nothing is underlined: these would be dead.
      expect(offered.join('\n')).not.toMatch(/Cancel Run|Clear Findings/);
      await shoot(`palette-${name}`);
      await workbench.closeQuickInput();

      await workbench.run(CHECK);
      await workbench
        .notification(/perturbations × \d+ answers of local:.*calls/)
        .waitFor({ timeout: 60_000 });
      const report = workbench.report();
      await report.getByText(/\d+ of \d+ answers/).waitFor({ timeout: 120_000 });
      await shoot(`progress-${name}`);
      await workbench.palette('Evenkeel', 'Evenkeel: Cancel Run');
      await workbench.closeQuickInput();

      await report.getByRole('button', { name: 'Save' }).waitFor({ timeout: 480_000 });
      expect(await report.locator('body').innerText()).toMatch(/Steady|Wobbles|Undecided/);
      await page.waitForTimeout(500);
      await shoot(`report-${name}`);
      if (pictures) {
        await workbench.squiggles().first().hover({ force: true });
        await page.locator('.monaco-hover', { hasText: 'WITH THE CHANGE' }).waitFor();
        await shoot(`hover-${name}`);
      }
      expect(violations).toEqual([]);
    });

    test('squiggle, hover, answers, reload', async () => {
      const text = 'Say positive or negative.\n';
      write('known.prompt.md', text);
      await keepKnownRun(cacheDir, { path: 'known.prompt.md', uri: fileUri('known.prompt.md') }, text, [
        { id: 'order', span: { start: 4, end: 24 }, replacement: 'negative or positive', verdict: 'changed' },
      ]);
      const workbench = await open('known.prompt.md');
      await workbench.run('Evenkeel: Open Last Report');
      await workbench.report().getByText('Wobbles').first().waitFor({ timeout: 60_000 });
      await workbench.squiggles().first().hover({ force: true });
      const hover = page.locator('.monaco-hover', { hasText: 'WITH THE CHANGE' });
      await hover.waitFor({ timeout: 30_000 });
      expect(await hover.innerText()).toContain('4 of 4 answers:');
      if (!pictures) await shoot(`known-hover-${name}`);
      await page.locator('.monaco-hover a', { hasText: 'show answers' }).click({ force: true });
      await page.locator('.tab', { hasText: 'Change order.txt' }).waitFor({ timeout: 30_000 });

      await workbench.reload();
      await workbench.report().getByText('Wobbles').first().waitFor({ timeout: 60_000 });
      await workbench.show('known.prompt.md');
      await workbench.squiggles().first().waitFor({ timeout: 30_000 });
      expect(violations).toEqual([]);
    });
  });

  describe('bad input gets one message that says what, why and the next step', () => {
    let workbench: Workbench;
    beforeAll(async () => {
      write(FILE, 'Please answer politely.\n');
      await start({ 'evenkeel.samples': 4, 'evenkeel.perturbations': 1, 'evenkeel.answerTokens': 4 });
      await newPage();
      workbench = await open();
    });
    afterAll(stop);
    afterEach(() => workbench.tidy());
    let count = 0;
    /** A new file with this text, and the model that the settings name. */
    const begin = async (text: string, settings: Record<string, unknown> = {}) => {
      const all: Record<string, unknown> = { 'evenkeel.model': 'local:smollm2-135m', ...settings };
      configure(all);
      const file = `bad${++count}.prompt.md`;
      write(file, text);
      await workbench.show(file);
      await page.locator('.statusbar-item', { hasText: String(all['evenkeel.model']) }).waitFor();
    };

    const PROMPT = 'Please answer the customer politely, in one sentence.\n';
    const cases: {
      name: string;
      text: string;
      settings?: Record<string, unknown>;
      says: RegExp;
      prepare?: () => Promise<void>;
      answer?: () => Promise<void>;
    }[] = [
      { name: 'an empty file', text: '', says: /There is no prompt.*Select the prompt/ },
      { name: 'only white space', text: ' \n\n\t\n', says: /only spaces and line breaks.*Select/ },
      {
        name: 'a selection of white space',
        text: `\n\n\n${PROMPT}`,
        says: /The selection holds only spaces.*clear the selection/,
        async prepare() {
          await page.locator('.view-lines').first().click();
          await page.keyboard.press('Control+Home');
          await page.keyboard.press('Shift+ArrowDown');
        },
      },
      {
        name: '200,000 characters',
        text: `${'word '.repeat(40_000)}.`,
        says: /200,001 characters; at most 100,000.*Select/,
      },
      {
        name: 'an unbound variable',
        text: 'Answer {{customer}} politely.\n',
        says: /variable of the prompt has no value \(customer\).*Run the command again/,
        async answer() {
          await page.locator('.quick-input-widget', { hasText: 'customer' }).waitFor();
          await page.keyboard.press('Escape');
        },
      },
      {
        name: 'a model that does not exist',
        text: PROMPT,
        settings: { 'evenkeel.model': 'local:no-such-model' },
        says: /Select Model.*no-such-model/,
      },
      {
        name: 'a server that is down',
        text: PROMPT,
        settings: { 'evenkeel.model': 'ollama:smollm2:135m', 'evenkeel.ollama.url': 'http://127.0.0.1:9' },
        says: /Select Model.*Ollama.*127\.0\.0\.1:9/,
      },
      {
        name: 'an endpoint whose price is not known: it is asked about, and Escape starts nothing',
        text: PROMPT,
        settings: {
          'evenkeel.model': 'mine:m',
          'evenkeel.endpoints': [{ name: 'mine', baseUrl: 'http://127.0.0.1:9/v1' }],
        },
        says: /^$/,
        async answer() {
          const dialog = page.locator('.monaco-dialog-box');
          await dialog.waitFor();
          expect(await dialog.innerText()).toMatch(
            /Check with mine:m\?.*8 calls.*price not known|price: price not known/is,
          );
          await page.keyboard.press('Escape');
          await dialog.waitFor({ state: 'hidden' });
        },
      },
    ];
    test.each(cases)('$name', async ({ text, settings, says, prepare, answer }) => {
      await begin(text, settings);
      await prepare?.();
      await workbench.run(CHECK);
      await answer?.();
      if (says.source === '^$') return;
      const messages = workbench.notification(/Source: Evenkeel/);
      // The progress notification may still be going.
      await expect.poll(() => messages.count(), { timeout: 20_000 }).toBe(1);
      const message = messages.first();
      await expect.poll(() => message.innerText(), { timeout: 20_000 }).toMatch(new RegExp(says.source, 's'));
      expect(await message.innerText()).not.toMatch(/should not|undefined|\[object/);
    });

    test('a binary file', async () => {
      await begin('GIF89a\u0000\u0001');
      await workbench.run(CHECK);
      await workbench.notification(/No text is open.*Open the file/).waitFor({ timeout: 30_000 });
    });

    test('the native part is missing', async () => {
      await begin(PROMPT);
      const extensions = path.join(server.dir, 'extensions');
      const installed = readdirSync(extensions).find((name) => name.startsWith('evenkeel.')) ?? '';
      const native = path.join(extensions, installed, 'dist/node_modules');
      renameSync(native, `${native}.away`);
      try {
        await workbench.run(CHECK);
        await workbench.notification(/node-llama-cpp|in-process|native/i).waitFor({ timeout: 60_000 });
        await shoot('native-missing');
      } finally {
        renameSync(`${native}.away`, native);
      }
    });

    test('weights that are not there are downloaded only with consent', async () => {
      await begin(PROMPT);
      renameSync(path.join(cacheDir, 'models'), path.join(cacheDir, 'models.away'));
      try {
        await workbench.run(CHECK);
        const dialog = page.locator('.monaco-dialog-box');
        await dialog.waitFor({ timeout: 60_000 });
        expect(await dialog.innerText()).toMatch(/not on this machine yet.*98 MB.*SHA-256/s);
        await shoot('download-consent');
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
        expect(existsSync(path.join(cacheDir, 'models', 'SmolLM2-135M-Instruct.Q4_1.gguf'))).toBe(false);
      } finally {
        rmSync(path.join(cacheDir, 'models'), { recursive: true, force: true });
        renameSync(path.join(cacheDir, 'models.away'), path.join(cacheDir, 'models'));
      }
    });

    test('the cache cannot be written', async () => {
      await begin(PROMPT);
      const runs = path.join(cacheDir, 'runs');
      rmSync(runs, { recursive: true, force: true });
      writeFileSync(runs, 'a file where a folder should be');
      try {
        await workbench.run(CHECK);
        await workbench.notification(/cannot be written/).waitFor({ timeout: 60_000 });
      } finally {
        rmSync(runs);
      }
    });

    test('the model picker says what is ready and why something is not', async () => {
      await begin(PROMPT, { 'evenkeel.ollama.url': 'http://127.0.0.1:9' });
      await workbench.run('Evenkeel: Select Model');
      const rows = page.locator('.quick-input-list .monaco-list-row');
      await rows.filter({ hasText: 'local:smollm2-135m' }).waitFor({ timeout: 60_000 });
      await page.waitForTimeout(500);
      await shoot('models');
      expect((await rows.allInnerTexts()).join('\n')).toMatch(/local:smollm2-135m\s*ready · 98 MB/);
      expect((await rows.allInnerTexts()).join('\n')).toMatch(/ollama:.*not available/s);
      await workbench.closeQuickInput();
    });

    test('Doctor shows what works on this machine', async () => {
      await workbench.run('Evenkeel: Doctor');
      await page.locator('.tab', { hasText: 'Evenkeel Doctor' }).waitFor({ timeout: 90_000 });
      await shoot('doctor');
      expect(await page.locator('.view-lines').last().innerText()).toMatch(/✔/);
    });
  });

  describe('an untrusted workspace', () => {
    beforeAll(() => start({}, { trust: true }));
    afterAll(stop);
    beforeEach(newPage);
    afterEach(() => page.close());

    test('does not decide which model a prompt is sent to', async () => {
      configure({
        'evenkeel.model': 'evil:model',
        'evenkeel.endpoints': [{ name: 'evil', baseUrl: 'http://127.0.0.1:9' }],
      });
      const workbench = await open();
      await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor({ timeout: 30_000 });
      await page
        .locator('.statusbar-item', { hasText: 'local:qwen2.5-coder-0.5b' })
        .waitFor({ timeout: 30_000 });
      await workbench.run('Evenkeel: Select Model');
      const rows = page.locator('.quick-input-list .monaco-list-row');
      await rows.filter({ hasText: 'local:smollm2-135m' }).waitFor({ timeout: 60_000 });
      expect((await rows.allInnerTexts()).join('\n')).not.toContain('evil');
    });
  });
}
