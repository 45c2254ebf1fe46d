/** The built page in Chromium: as the editor's panel with a host behind it, or as a file from disk. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { RunRecord } from '../../src/contracts/runRecord';
import { PROTOCOL_VERSION } from '../../src/contracts/protocolVersion';
import type { HostMessage, PageState, RequestMethod } from '../../src/contracts/webviewProtocol';
import { toHtml, toPanelHtml, type PageAssets } from '../../src/report/html';
import { answerPage, type PageHandlers } from '../../src/report/pageHost';
import { createSampleBrowser } from '../../src/report/sampleBrowser';
import { toReportView } from '../../src/report/reportView';
import { sampleViews } from '../../src/report/sampleView';
import editorThemes from './editorThemes.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../..');
const built = (name: string) => path.join(root, 'dist/webview', name);

export const themes = {
  light: { colorScheme: 'light', contrast: 'no-preference' },
  dark: { colorScheme: 'dark', contrast: 'no-preference' },
  hcDark: { colorScheme: 'dark', contrast: 'more' },
  hcLight: { colorScheme: 'light', contrast: 'more' },
} as const;
export type Theme = keyof typeof themes;

/** Builds the page anew, so that no stale bundle is tested. */
export function buildPage(): void {
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', 'page'], {
    cwd: root,
    stdio: 'inherit',
  });
}

export function pageAssets(): PageAssets {
  return {
    script: readFileSync(built('report.js'), 'utf8'),
    css: readFileSync(built('report.css'), 'utf8'),
    sha256: (text) => createHash('sha256').update(text).digest('base64'),
  };
}

export function openChromium(): Promise<Browser> {
  const installed = '/usr/bin/chromium';
  return chromium.launch({
    ...(existsSync(installed) ? { executablePath: installed } : { channel: 'chromium' }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
}

export interface OpenPage {
  page: Page;
  context: BrowserContext;
  /** Violations of the content-security policy, errors of the page, and requests that left it. */
  violations: string[];
  errors: string[];
  requests: string[];
}

async function newPage(browser: Browser, theme: Theme, widthPx: number): Promise<OpenPage> {
  const context = await browser.newContext({
    ...themes[theme],
    viewport: { width: widthPx, height: 900 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const violations: string[] = [];
  const errors: string[] = [];
  const requests: string[] = [];
  await page.exposeFunction('reportViolation', (text: string) => violations.push(text));
  // Scripts for the page are texts: this program has no DOM types, on purpose.
  await page.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', (event) => {
      reportViolation([event.violatedDirective, event.blockedURI, event.sample].join(' '));
    });`,
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('request', (request) => requests.push(request.url()));
  return { page, context, violations, errors, requests };
}

/** The exported file, opened from disk without a network. */
export async function openExport(
  browser: Browser,
  record: RunRecord,
  options: { theme?: Theme; widthPx?: number; script?: string } = {},
): Promise<OpenPage> {
  const opened = await newPage(browser, options.theme ?? 'light', options.widthPx ?? 1100);
  await opened.context.setOffline(true);
  if (options.script) await opened.page.addInitScript({ content: options.script });
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'evenkeel-report-')), 'report.html');
  writeFileSync(file, toHtml(record, pageAssets()));
  await opened.page.goto(`file://${file}`);
  await opened.page.waitForSelector('h1');
  return opened;
}

export interface PanelHost {
  /** Requests of the page, in order, as far as they were valid. */
  asked: { method: RequestMethod; params: unknown }[];
  send: (message: HostMessage) => Promise<void>;
  /** The page's newest state. */
  kept: () => PageState | null;
}

/** The panel as the extension shows it: the same HTML and policy, and the real answering side. */
export async function openPanel(
  chromiumBrowser: Browser,
  origin: string,
  options: {
    record?: RunRecord;
    theme?: Theme;
    state?: PageState;
    handlers?: Partial<PageHandlers>;
    script?: string;
  } = {},
): Promise<OpenPage & PanelHost> {
  const opened = await newPage(chromiumBrowser, options.theme ?? 'dark', 1100);
  const { page } = opened;
  const { record } = options;
  if (options.script) await page.addInitScript({ content: options.script });
  const browser = record && createSampleBrowser(record);
  const send = (message: HostMessage) =>
    page.evaluate<undefined>(`window.postMessage(${JSON.stringify(message)}, '*')`);
  let kept = options.state ?? null;
  const host: PanelHost = { asked: [], send, kept: () => kept };
  const noted =
    <P, R>(method: RequestMethod, answer: (params: P) => R) =>
    (params: P): R => {
      host.asked.push({ method, params });
      return answer(params);
    };
  const handlers: PageHandlers = {
    ready: noted('ready', () => ({ protocol: PROTOCOL_VERSION })),
    samples: noted('samples', ({ conditionId, offset, limit }) =>
      record ? sampleViews(record, conditionId, offset, limit) : { total: 0, samples: [] },
    ),
    browse: noted('browse', (query) => browser?.page(query) ?? { total: 0, samples: [] }),
    reveal: noted('reveal', () => ({ shown: true })),
    export: noted('export', ({ format }) => ({ path: `report.${format}` })),
    copy: noted('copy', () => ({ copied: true })),
    cancel: noted('cancel', () => ({ cancelled: true })),
    ...options.handlers,
  };
  await page.exposeFunction('toHost', async (message: { method?: string }) => {
    const answer = await answerPage(message, handlers);
    if (answer) await send(answer);
    if (message.method === 'ready' && record) await send({ type: 'show', view: toReportView(record) });
  });
  await page.exposeFunction('keepState', (state: PageState) => {
    kept = state;
  });
  const { bodyClass, variables } = editorThemes.themes[options.theme ?? 'dark'];
  await page.addInitScript({
    content: `document.addEventListener('DOMContentLoaded', () => {
      document.body.className = ${JSON.stringify(bodyClass)};
      for (const [name, value] of Object.entries(${JSON.stringify(variables)})) document.documentElement.style.setProperty(name, value);
    });
    let state = ${JSON.stringify(options.state ?? null)} ?? undefined;
    window.acquireVsCodeApi = () => ({
      postMessage: (message) => void toHost(message),
      getState: () => state,
      setState: (next) => { state = next; void keepState(next); },
    });`,
  });
  await page.goto(`${origin}/panel`);
  await page.waitForSelector('h1');
  return Object.assign(opened, host);
}

/** Serves the panel's HTML and assets on loopback, as the editor's resource scheme would. */
export async function servePanel(): Promise<{ origin: string; server: Server }> {
  const server = createServer((request, response) => {
    if (request.url === '/panel') {
      const origin = `http://${request.headers.host}`;
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        toPanelHtml({
          scriptUri: `${origin}/report.js`,
          styleUri: `${origin}/report.css`,
          cspSource: origin,
          nonce: createHash('sha256').update(String(request.socket.remotePort)).digest('hex'),
        }),
      );
      return;
    }
    const name =
      request.url === '/report.js' ? 'report.js' : request.url === '/report.css' ? 'report.css' : null;
    if (name === null) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', name.endsWith('.js') ? 'text/javascript' : 'text/css');
    response.end(readFileSync(built(name)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
