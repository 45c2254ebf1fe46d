import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { VscodeHost } from '../../scripts/setup/vscodeHost';

export interface HostServer {
  url: string;
  authority: string;
  /** Holds the settings, the logs and the extensions of this server only. */
  dir: string;
  stop: () => Promise<void>;
}

const SETTINGS = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'update.mode': 'none',
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.reduceMotion': 'on',
  'window.menuBarVisibility': 'classic',
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.enabled': false,
};

/**
 * Starts VS Code's own server on 127.0.0.1 with the packaged extension installed.
 * @param options.trust asks for workspace trust as a desktop does; without it every folder is trusted
 */
export async function startHost(
  host: VscodeHost,
  options: { vsix: string; settings?: object; env?: Record<string, string>; trust?: boolean; log: string },
): Promise<HostServer> {
  const port = await freePort();
  const dir = mkdtempSync(path.join(tmpdir(), 'evenkeel-host-'));
  const settings = JSON.stringify({
    ...SETTINGS,
    ...(options.trust === true ? { 'security.workspace.trust.enabled': true } : {}),
    ...options.settings,
  });
  for (const folder of ['data/User', 'data/Machine', 'extensions', 'tmp']) {
    mkdirSync(path.join(dir, folder), { recursive: true, mode: 0o700 });
  }
  writeFileSync(path.join(dir, 'data/User/settings.json'), settings);
  writeFileSync(path.join(dir, 'data/Machine/settings.json'), settings);

  const common = ['--server-data-dir', dir, '--user-data-dir', path.join(dir, 'data')];
  common.push('--extensions-dir', path.join(dir, 'extensions'), '--accept-server-license-terms');
  const env = {
    ...process.env,
    EXTENSIONS_GALLERY: '{}',
    TMPDIR: path.join(dir, 'tmp'),
    XDG_RUNTIME_DIR: path.join(dir, 'tmp'),
    ...options.env,
  };
  const install = spawn(host.node, [host.server, ...common, '--install-extension', options.vsix], { env });
  let said = '';
  install.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  install.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => install.once('exit', resolve));
  if (code !== 0 || !said.includes('successfully installed')) {
    throw new Error(`the VSIX could not be installed (${String(code)}):\n${said}`);
  }

  const log = openSync(options.log, 'w');
  const child = spawn(
    host.node,
    [
      ...[host.server, ...common, '--host', '127.0.0.1', '--port', String(port)],
      ...['--without-connection-token', '--telemetry-level', 'off'],
      ...(options.trust === true ? [] : ['--disable-workspace-trust']),
    ],
    { stdio: ['ignore', log, log], detached: true, env },
  );
  closeSync(log);
  const kill = (signal: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid ?? 0), signal);
    } catch {
      // Gone already.
    }
  };
  const killAtExit = () => kill('SIGKILL');
  process.once('exit', killAtExit);

  const url = `http://127.0.0.1:${port}/`;
  for (let attempt = 0; !(await answers(url)); attempt++) {
    if (child.exitCode !== null || attempt > 300) {
      throw new Error(`VS Code's server did not start:\n${readFileSync(options.log, 'utf8')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    authority: `127.0.0.1:${port}`,
    dir,
    stop: async () => {
      const gone = new Promise<void>((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) resolve();
        else child.once('exit', () => resolve());
      });
      kill('SIGTERM');
      const hard = setTimeout(() => kill('SIGKILL'), 5_000);
      await gone;
      clearTimeout(hard);
      process.off('exit', killAtExit);
      rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

export const launchChromium = (host: VscodeHost): Promise<Browser> =>
  chromium.launch({
    executablePath: host.chromium,
    headless: true,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update'],
    ],
  });

export function workbenchUrl(server: HostServer, folder: string): string {
  const url = new URL(server.url);
  url.searchParams.set('folder', folder);
  return url.toString();
}

/**
 * Has the workbench load development extensions and run a test suite inside the extension host. It rewrites the page's
 * configuration before the workbench reads it: rewriting the HTML on its way makes Chromium refuse the WebSocket.
 */
export async function injectTests(
  page: Page,
  server: HostServer,
  development: { extension: string; suite: string },
): Promise<void> {
  const uri = (file: string) => ({
    $mid: 1,
    scheme: 'vscode-remote',
    authority: server.authority,
    path: file,
  });
  // As text: the functions of a bundle carry helpers that the page lacks.
  await page.addInitScript(`(() => {
    if (window !== window.top) return;
    const development = ${JSON.stringify({
      extensions: [uri(development.extension)],
      extensionTestsPath: uri(development.suite),
    })};
    const rewrite = () => {
      const meta = document.getElementById('vscode-workbench-web-configuration');
      if (!meta) return false;
      const settings = JSON.parse(meta.getAttribute('data-settings'));
      settings.developmentOptions = { ...settings.developmentOptions, ...development };
      meta.setAttribute('data-settings', JSON.stringify(settings));
      return true;
    };
    if (!rewrite()) {
      new MutationObserver((_, observer) => { if (rewrite()) observer.disconnect(); })
        .observe(document, { childList: true, subtree: true });
    }
  })()`);
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { redirect: 'manual' });
    return true;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
