/**
 * Runs every suite in order and adds up their counts. `npm test -- NAME…` runs only the named ones.
 * What this machine lacks is skipped with one line and a count; with CI set nothing is skipped: it fails.
 * The last line is `N passed, N failed` (`, N skipped`).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureChromium } from './setup/chromium';
import packageJson from '../package.json' with { type: 'json' };
import { installCli } from './setup/installedCli';
import { ensureModels } from './setup/models';
import { ensureOllama } from './setup/ollama';
import { ensureVscodeHost } from './setup/vscodeHost';

const root = path.resolve(import.meta.dirname, '..');
const required = process.env['CI'] !== undefined;
const { version } = packageJson;
const artefacts = path.join(root, 'test', 'artefacts');

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}
/** Makes something available; resolves to null, or to the reason why this machine cannot have it. */
type Ensure = () => Promise<string | null>;

interface Suite {
  name: string;
  needs: [what: string, ensure: Ensure][];
  run: () => Counts;
}

const ensureOllamaBuilt: Ensure = async () => {
  const found = await ensureOllama();
  return 'missing' in found ? found.missing : null;
};
const models: [string, Ensure] = ['in-process models', ensureModels];
const chromium: [string, Ensure] = ['Chromium', ensureChromium];

const suites: Suite[] = [
  { name: 'check', needs: [], run: () => script('scripts/check.ts') },
  { name: 'build', needs: [], run: () => script('scripts/build.ts') },
  { name: 'unit', needs: [], run: () => vitest('unit') },
  { name: 'oracles', needs: [], run: () => vitest('oracles') },
  { name: 'engine', needs: [models], run: () => vitest('engine') },
  { name: 'faults', needs: [], run: () => vitest('faults') },
  { name: 'contract', needs: [models, ['Ollama', ensureOllamaBuilt]], run: () => vitest('contract') },
  { name: 'packages', needs: [models], run: () => vitest('packages') },
  {
    name: 'cli',
    needs: [models],
    run: () => {
      const packaged = script('scripts/packageCli.ts', ['--out', artefacts]);
      if (packaged.failed > 0) return packaged;
      // What the tests run is what people install, not the source tree.
      const tarball = path.join(artefacts, `evenkeel-${version}.tgz`);
      const installed = installCli(tarball, path.join(artefacts, 'installed'));
      return vitest('cli', { EVENKEEL_TEST_DIST: path.join(installed, 'dist') });
    },
  },
  { name: 'webview', needs: [chromium], run: () => vitest('webview') },
  {
    name: 'vscode',
    needs: [models, chromium, ['VS Code', ensureVscodeHost]],
    run: () => {
      const packaged = script('scripts/packageVsix.ts');
      return packaged.failed > 0 ? packaged : vitest('vscode');
    },
  },
];

/** A script counts as one test. */
function script(file: string, args: string[] = []): Counts {
  const result = spawnSync(process.execPath, ['node_modules/tsx/dist/cli.mjs', file, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  return result.status === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

function vitest(project: string, env: Record<string, string> = {}): Counts {
  const report = path.join(artefacts, `${project}.json`);
  rmSync(report, { force: true });
  const result = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } },
  );
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const json = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    numTotalTests: number;
  };
  // A file that cannot be loaded, or an error outside any test, fails without a failed test in the count.
  const failed = json.numFailedTests === 0 && result.status !== 0 ? 1 : json.numFailedTests;
  return { passed: json.numPassedTests, failed, skipped: json.numPendingTests };
}

mkdirSync(artefacts, { recursive: true });
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0) {
  console.error(
    `no suite named ${unknown.join(', ')}; there are ${suites.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

const total: Counts = { passed: 0, failed: 0, skipped: 0 };
const lines: string[] = [];
for (const suite of suites) {
  if (wanted.length > 0 && !wanted.includes(suite.name)) continue;
  const startedMs = performance.now();
  console.log(`\n=== ${suite.name}`);
  let missing: string | null = null;
  for (const [what, ensure] of suite.needs) {
    missing = await ensure();
    if (missing !== null) {
      missing = `${what}: ${missing}`;
      break;
    }
  }
  let counts: Counts;
  if (missing === null) counts = suite.run();
  else if (required) counts = { passed: 0, failed: 1, skipped: 0 };
  else counts = { passed: 0, failed: 0, skipped: 1 };
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  const why = missing === null ? '' : `  (${missing})`;
  lines.push(
    `${suite.name.padEnd(9)} ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped, ${seconds} s${why}`,
  );
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
}
// CI has everything, so a skipped test there is a suite that quietly does less than it says.
const failed = total.failed + (required ? total.skipped : 0);
console.log(`\n${lines.join('\n')}\n`);
console.log(
  `${total.passed} passed, ${failed} failed${!required && total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
);
process.exit(failed === 0 ? 0 : 1);
