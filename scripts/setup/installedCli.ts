import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Installs the npm package of the command line into an empty project, as a person does.
 * @param more e.g. `--omit=optional`
 * @returns the folder of the installed package
 */
export function installCli(tarball: string, project: string, more: string[] = []): string {
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  // Without one npm looks for a project further up.
  writeFileSync(path.join(project, 'package.json'), '{"private":true}\n');
  execFileSync(
    process.platform === 'win32' ? 'npm.cmd' : 'npm',
    [
      'install',
      tarball,
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--prefer-offline',
      '--silent',
      ...more,
    ],
    { cwd: project, stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' },
  );
  return path.join(project, 'node_modules/evenkeel');
}
