import { build } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { VscodeHost } from '../../scripts/setup/vscodeHost';
import { injectTests, launchChromium, workbenchUrl, type HostServer } from './host';
import type { HostTestResult } from './suite/index';

export const ARTEFACTS = path.resolve(import.meta.dirname, '../artefacts');

/** Bundles the suite for the extension host; @returns its path and the folder of an empty companion extension. */
export async function buildSuite(entry = 'index'): Promise<{ suite: string; extension: string }> {
  const suite = path.join(ARTEFACTS, `suite/${entry}.cjs`);
  await build({
    entryPoints: [path.join(import.meta.dirname, `suite/${entry}.ts`)],
    outfile: suite,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
  // Test runs need an extension under development; the one that is tested is the installed VSIX.
  const extension = path.join(ARTEFACTS, 'companion');
  mkdirSync(extension, { recursive: true });
  writeFileSync(
    path.join(extension, 'package.json'),
    JSON.stringify({
      name: 'companion',
      publisher: 'evenkeel-tests',
      version: '0.0.1',
      engines: { vscode: '*' },
    }),
  );
  return { suite, extension };
}

/** Runs the suite in the extension host of `server` and returns what each test did. The server needs RESULT_FILE in its environment. */
export async function runInHost<Result = HostTestResult[]>(
  host: VscodeHost,
  server: HostServer,
  options: { folder: string; resultFile: string; timeoutMs: number; entry?: string },
): Promise<{ results: Result; log: string[] }> {
  rmSync(options.resultFile, { force: true });
  const development = await buildSuite(options.entry);
  const browser = await launchChromium(host);
  const log: string[] = [];
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    let finish: (code: number) => void = () => undefined;
    const finished = new Promise<number>((resolve) => (finish = resolve));
    await page.exposeFunction('codeAutomationExit', (code: number) => finish(code));
    await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
      log.push(`${type}: ${args.map(String).join(' ')}`);
    });
    await injectTests(page, server, development);
    await page.goto(workbenchUrl(server, options.folder));
    const timedOut = new Promise<'timeout'>((resolve) =>
      setTimeout(() => resolve('timeout'), options.timeoutMs),
    );
    const end = await Promise.race([finished, timedOut]);
    if (!existsSync(options.resultFile)) {
      await page.screenshot({ path: path.join(ARTEFACTS, 'host-failure.png') });
      throw new Error(
        `the suite in the extension host gave no results (${end}):\n${log.slice(-30).join('\n')}`,
      );
    }
    return { results: JSON.parse(readFileSync(options.resultFile, 'utf8')) as Result, log };
  } finally {
    await browser.close();
  }
}
