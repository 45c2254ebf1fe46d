import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { cacheDirOf } from '../../src/compose/paths';

export const root = path.resolve(import.meta.dirname, '..', '..');
/** What `npm test` installed from the npm package; what was built last where a suite is run by itself. */
export const dist = process.env['EVENKEEL_TEST_DIST'] ?? path.join(root, 'dist');

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A folder for one test file: an empty home, and a cache that shares the real weights but nothing else. */
export async function makePlace(): Promise<{ dir: string; cacheDir: string; env: NodeJS.ProcessEnv }> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-cli-'));
  const cacheDir = path.join(dir, 'cache');
  await mkdir(cacheDir);
  await symlink(path.join(cacheDirOf(process.env), 'models'), path.join(cacheDir, 'models'));
  return {
    dir,
    cacheDir,
    env: {
      PATH: process.env['PATH'],
      HOME: dir,
      EVENKEEL_CACHE: cacheDir,
      // Nothing listens there: no test may meet a server that happens to run on this machine.
      OLLAMA_HOST: '127.0.0.1:4',
      CI: 'true',
    },
  };
}

/** Runs the built command line as a person does. `onStart` gets the process, e.g. to interrupt it. */
export function runCli(
  args: string[],
  options: {
    env: NodeJS.ProcessEnv;
    cwd: string;
    input?: string;
    cli?: string;
    /** Another Node than the one that runs the tests. */
    node?: string;
    onStart?: (child: ChildProcess) => void;
  },
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      options.node ?? process.execPath,
      [options.cli ?? path.join(dist, 'cli.cjs'), ...args],
      {
        cwd: options.cwd,
        env: options.env,
      },
    );
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    options.onStart?.(child);
  });
}
