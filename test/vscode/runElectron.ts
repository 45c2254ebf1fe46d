/**
 * `npm run test:electron`: the suite of test/vscode/suite in a desktop VS Code that @vscode/test-electron downloads, on the packaged
 * VSIX. Exit code 0 passed, 1 failed, 2 VS Code cannot be had on this machine.
 */
import {
  downloadAndUnzipVSCode,
  resolveCliArgsFromVSCodeExecutablePath,
  runTests,
} from '@vscode/test-electron';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { prepareWorkspace } from './prepareHost';
import { ARTEFACTS, buildSuite } from './runInHost';
import type { HostTestResult } from './suite/index';

/** A mirror or a version may be named; by default the newest stable one. */
const version = process.env['VSCODE_VERSION'] ?? 'stable';

async function main(): Promise<number> {
  const prepared = prepareWorkspace('electron');
  if ('missing' in prepared) return report(2, prepared.missing);
  let executable: string;
  try {
    executable = await downloadAndUnzipVSCode({ version, timeout: 30_000 });
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error.message) : error;
    return report(
      2,
      `VS Code (${version}) cannot be downloaded from here: ${String(cause)}\n` +
        'The same suite runs without a download in the VS Code of `npm test -- vscode`.',
    );
  }

  const profile = path.join(ARTEFACTS, 'electron/profile');
  const extensions = path.join(ARTEFACTS, 'electron/extensions');
  mkdirSync(path.join(profile, 'User'), { recursive: true });
  writeFileSync(path.join(profile, 'User/settings.json'), JSON.stringify(prepared.settings));
  const [cli, ...cliArgs] = resolveCliArgsFromVSCodeExecutablePath(executable);
  const installed = spawnSync(
    cli ?? executable,
    [
      ...cliArgs,
      '--user-data-dir',
      profile,
      '--extensions-dir',
      extensions,
      '--install-extension',
      prepared.vsix,
    ],
    { stdio: 'inherit', shell: process.platform === 'win32' },
  );
  if (installed.status !== 0) return report(1, 'the VSIX could not be installed');

  const resultFile = path.join(ARTEFACTS, 'electron.json');
  const { suite, extension } = await buildSuite();
  await runTests({
    vscodeExecutablePath: executable,
    extensionDevelopmentPath: extension,
    extensionTestsPath: suite,
    extensionTestsEnv: { ...prepared.env, RESULT_FILE: resultFile },
    launchArgs: [
      prepared.workspace,
      ...['--user-data-dir', profile, '--extensions-dir', extensions],
      ...['--disable-workspace-trust', '--disable-gpu', '--skip-welcome'],
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  }).catch(() => undefined);

  const results = JSON.parse(readFileSync(resultFile, 'utf8')) as HostTestResult[];
  for (const { state, suite: name, title, error } of results) {
    process.stdout.write(`${state.padEnd(7)} ${name} › ${title}\n${error === null ? '' : `${error}\n`}`);
  }
  const failed = results.filter(({ state }) => state === 'failed').length;
  process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`);
  return failed === 0 && results.length > 0 ? 0 : 1;
}

function report(code: number, message: string): number {
  process.stderr.write(`${message}\n`);
  return code;
}

process.exit(await main());
