/** Weights in the editor, as a person gets them: from a mirror on this machine that hands out the real file. */
import { execFileSync } from 'node:child_process';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchChromium, startHost, type HostServer } from './host';
import { prepareHost } from './prepareHost';
import { ARTEFACTS } from './runInHost';
import { openWorkbench, type Workbench } from './workbench';

const prepared = await prepareHost('downloads');
const CHECK = 'Evenkeel: Check Prompt Robustness';
const FILE = 'sentiment.prompt.md';
const WEIGHTS = 'SmolLM2-135M-Instruct.Q4_1.gguf';
const original = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'evenkeel/models',
  WEIGHTS,
);

if ('missing' in prepared) {
  test.skip(`VS Code host: ${prepared.missing}`, () => undefined);
} else {
  const { host, vsix, workspace, cacheDir, env } = prepared;
  const models = path.join(cacheDir, 'models');
  const file = path.join(models, WEIGHTS);
  const part = `${file}.part`;
  let mirror: Server;
  /** `range` headers of what was asked. */
  let asked: (string | undefined)[] = [];
  /** Bytes after which the mirror sends no more until told; null: all at once. */
  let heldAt: number | null = null;
  let server: HostServer;
  let browser: Browser;
  let page: Page;
  let workbench: Workbench;

  beforeAll(async () => {
    mirror = createServer((request, response) => {
      if (!request.url?.endsWith(WEIGHTS)) return response.writeHead(404).end();
      const { range } = request.headers;
      asked.push(range);
      const { size } = statSync(original);
      const start = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
      response.writeHead(start > 0 ? 206 : 200, { 'content-length': String(size - start) });
      const end = heldAt === null ? size - 1 : Math.max(start, heldAt) - 1;
      createReadStream(original, { start, end }).pipe(response, { end: heldAt === null });
    }).listen(0, '127.0.0.1');
    await once(mirror, 'listening');
    server = await startHost(host, {
      vsix,
      settings: {
        'editor.minimap.enabled': false,
        'evenkeel.model': 'local:smollm2-135m',
        'evenkeel.samples': 4,
        'evenkeel.perturbations': 1,
        'evenkeel.answerTokens': 6,
      },
      env: { ...env, EVENKEEL_MODEL_MIRROR: `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/` },
      log: path.join(ARTEFACTS, 'downloads.log'),
    });
    browser = await launchChromium(host);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    mirror.closeAllConnections();
    mirror.close();
  });

  beforeEach(async () => {
    // A folder of its own: the weights that all tests share must not be harmed.
    rmSync(models, { recursive: true, force: true });
    mkdirSync(models, { recursive: true });
    asked = [];
    heldAt = null;
    page = await browser.newPage({ viewport: { width: 1360, height: 820 } });
    page.setDefaultTimeout(30_000);
    workbench = await openWorkbench(page, server, { folder: workspace, file: FILE });
  });
  afterEach(async () => {
    await shoot('downloads-last');
    await page.close();
  });

  const dialog = () => page.locator('.monaco-dialog-box');
  const accept = async (says: RegExp) => {
    await dialog().waitFor({ timeout: 60_000 });
    expect(await dialog().innerText()).toMatch(says);
    await dialog()
      .getByRole('button', { name: /^Download \(98 MB\)/ })
      .click();
  };
  const ended = () =>
    workbench.report().getByRole('button', { name: /^Save/ }).first().waitFor({ timeout: 30_000 });
  const shoot = (name: string) => page.screenshot({ path: path.join(ARTEFACTS, 'ui', `${name}.png`) });

  describe('weights', () => {
    test('are fetched with consent and progress; a cancelled download goes on where it stopped', async () => {
      heldAt = 30_000_000;
      await workbench.run(CHECK);
      await accept(/not on this machine yet.*SHA-256/s);
      const progress = workbench.notification(/downloading local:smollm2-135m/);
      await progress.filter({ hasText: /\d+ MB of 98 MB/ }).waitFor({ timeout: 60_000 });
      await shoot('download-progress');
      await expect.poll(() => existsSync(part) && statSync(part).size, { timeout: 30_000 }).toBe(heldAt);
      await progress.getByRole('button', { name: 'Cancel' }).click();
      await progress.waitFor({ state: 'hidden' });
      expect(existsSync(file)).toBe(false);
      expect(statSync(part).size).toBe(30_000_000);

      heldAt = null;
      await workbench.run(CHECK);
      await accept(/not on this machine yet/);
      await ended();
      expect(asked).toEqual([undefined, 'bytes=30000000-']);
      expect(statSync(file).size).toBe(statSync(original).size);
    });

    test.each<[string, (bytes: Buffer) => Buffer | null]>([
      ['cut short', () => null],
      ['changed in the middle', (bytes) => bytes.fill(7, 5_000_000, 5_000_100)],
    ])('that are %s are told, and fetched again', async (_, damage) => {
      const bytes = damage(readFileSync(original));
      writeFileSync(file, bytes ?? readFileSync(original));
      if (bytes === null) truncateSync(file, 1_000_000);
      await workbench.run(CHECK);
      await accept(/damaged|not on this machine/);
      await ended();
      expect(asked).toHaveLength(1);
      expect(readFileSync(file).equals(readFileSync(original))).toBe(true);
    });

    test('that find no room say so, and are fetched once there is', async () => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=50m', 'tmpfs', models]);
      try {
        await workbench.run(CHECK);
        await accept(/not on this machine yet/);
        const message = workbench.notification(/Source: Evenkeel/).filter({ hasText: /full|room|space/i });
        await message.waitFor({ timeout: 60_000 });
        expect(await message.innerText()).toMatch(/Free|free/);
        await shoot('download-no-room');
        expect(existsSync(file)).toBe(false);
      } finally {
        execFileSync('umount', [models]);
      }
      await workbench.run(CHECK);
      await accept(/not on this machine yet/);
      await ended();
    });
  });
}
