/**
 * `npm run check [-- NAME…]`: everything that can be said about the code without running it. Before every push
 * (`npm run hooks` once), and the first suite of `npm test`. Exit code 1 when any check fails, 2 on a wrong name.
 */
import { spawn } from 'node:child_process';
import { availableParallelism, homedir } from 'node:os';
import path from 'node:path';
import PQueue from 'p-queue';
import { docLinks } from './check/docLinks';
import { ownRegistryHosts } from './check/ownRegistries';
import { staleFiles } from './generated';
import { readRepository } from './check/readRepository';
import {
  fakesInProduct,
  longFiles,
  machinePaths,
  names,
  registryHosts,
  rooms,
  type TextGuard,
} from './check/textGuards';

const folder = process.cwd();

interface Outcome {
  passed: boolean;
  output: string;
}
interface Check {
  name: string;
  run: () => Promise<Outcome>;
}

/** Runs a tool of node_modules by its script, as `npx` costs a second and Windows has other launchers. */
const tool =
  (script: string, ...args: string[]): Check['run'] =>
  () =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [path.join('node_modules', script), ...args], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      const append = (chunk: Buffer) => (output += chunk.toString('utf8'));
      child.stdout.on('data', append);
      child.stderr.on('data', append);
      child.on('error', (error) => resolve({ passed: false, output: error.message }));
      child.on('close', (code) => resolve({ passed: code === 0, output }));
    });

const textGuard =
  (guard: () => TextGuard): Check['run'] =>
  async () => {
    const faults = guard()(readRepository(folder));
    const output = faults.map(
      ({ path: file, line, message }) => `${file}${line === null ? '' : `:${line}`} ${message}`,
    );
    return { passed: faults.length === 0, output: output.join('\n') };
  };

const checks: Check[] = [
  { name: 'formatting', run: tool('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.') },
  { name: 'lint', run: tool('eslint/bin/eslint.js', '.', '--max-warnings', '0') },
  { name: 'types', run: tool('typescript/bin/tsc', '-p', 'tsconfig.json') },
  { name: 'pure-types', run: tool('typescript/bin/tsc', '-p', 'tsconfig.pure.json') },
  { name: 'page-types', run: tool('typescript/bin/tsc', '-p', 'webview/tsconfig.json') },
  {
    name: 'imports',
    run: tool(
      'dependency-cruiser/bin/dependency-cruise.mjs',
      ...['src', 'webview', '--config', '.dependency-cruiser.cjs', '--output-type', 'err-long'],
    ),
  },
  { name: 'dead-code', run: tool('knip/bin/knip.js') },
  { name: 'registry-hosts', run: textGuard(() => registryHosts(ownRegistryHosts())) },
  { name: 'machine-paths', run: textGuard(() => machinePaths([homedir(), folder])) },
  { name: 'file-length', run: textGuard(() => longFiles) },
  { name: 'fakes', run: textGuard(() => fakesInProduct) },
  { name: 'names', run: textGuard(() => names) },
  { name: 'rooms', run: textGuard(() => rooms) },
  {
    name: 'generated',
    run: async () => {
      const stale = await staleFiles(folder);
      return {
        passed: stale.length === 0,
        output: stale.map((file) => `${file} is not current: npm run generate`).join('\n'),
      };
    },
  },
  { name: 'doc-links', run: textGuard(() => docLinks) },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(
    `no check named ${unknown.join(', ')}; there are ${checks.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

const failed: string[] = [];
const selected = checks.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const startedMs = performance.now();
const queue = new PQueue({ concurrency: Math.min(4, availableParallelism()) });
await queue.addAll(
  selected.map(({ name, run }) => async () => {
    const checkStartedMs = performance.now();
    const { passed, output } = await run();
    const seconds = ((performance.now() - checkStartedMs) / 1000).toFixed(1);
    console.log(`${passed ? 'ok  ' : 'FAIL'}  ${name.padEnd(15)} ${seconds.padStart(5)} s`);
    if (!passed) {
      failed.push(name);
      console.log(output.trimEnd().replace(/^/gm, '      '));
    }
  }),
);
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
console.log(
  failed.length === 0
    ? `${selected.length} checks passed in ${seconds} s`
    : `${failed.length} of ${selected.length} checks failed in ${seconds} s: ${failed.join(', ')}`,
);
process.exit(failed.length === 0 ? 0 : 1);
