import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { openPromise } from 'yauzl';
import packageJson from '../../package.json' with { type: 'json' };

export const root = path.resolve(import.meta.dirname, '../..');
const execute = promisify(execFile);

export const newFolder = (name: string): string => mkdtempSync(path.join(tmpdir(), `evenkeel-${name}-`));

/** Runs a script of scripts/ with tsx, under a mask for the modes of new files. */
export function runScript(
  script: string,
  args: string[],
  options: { env?: Record<string, string>; umask?: string } = {},
): Promise<{ stdout: string; stderr: string }> {
  const tsx = path.join(root, 'node_modules/tsx/dist/cli.mjs');
  return execute(
    'sh',
    ['-c', `umask ${options.umask ?? '022'} && exec "$@"`, 'sh', process.execPath, tsx, script, ...args],
    { cwd: root, env: { ...process.env, ...options.env }, maxBuffer: 1 << 26 },
  );
}

export interface Packages {
  tarball: string;
  vsix: string;
  universal: string;
  output: string;
}

/** Builds, and makes the packages that are tested here. */
export async function makePackages(
  out: string,
  options: { env?: Record<string, string>; umask?: string } = {},
): Promise<Packages> {
  await runScript('scripts/build.ts', [], options);
  const cli = await runScript('scripts/packageCli.ts', ['--out', out], options);
  const vsix = await runScript('scripts/packageVsix.ts', ['--out', out], options);
  const { version } = packageJson;
  return {
    tarball: path.join(out, `evenkeel-${version}.tgz`),
    vsix: path.join(out, `evenkeel-linux-x64-${version}.vsix`),
    universal: path.join(out, `evenkeel-${version}.vsix`),
    output: [cli.stdout, cli.stderr, vsix.stdout, vsix.stderr].join('\n'),
  };
}

/** Text of every file in a package, by its path in it; null for one that is no text. */
export async function filesOf(archive: string): Promise<Map<string, string | null>> {
  const files = new Map<string, string | null>();
  const isText = (name: string) => /\.(md|json|cjs|mjs|js|css|txt)$|LICENSE/i.test(name);
  if (archive.endsWith('.tgz')) {
    const { stdout } = await execute('tar', ['tzf', archive], { maxBuffer: 1 << 26 });
    for (const name of stdout.trim().split('\n')) {
      const text = isText(name)
        ? (await execute('tar', ['xzOf', archive, name], { maxBuffer: 1 << 28 })).stdout
        : null;
      files.set(name.replace(/^package\//, ''), text);
    }
    return files;
  }
  const zip = await openPromise(archive);
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName;
    if (name.endsWith('/')) continue;
    const chunks: Buffer[] = [];
    if (isText(name))
      for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    files.set(name.replace(/^extension\//, ''), isText(name) ? Buffer.concat(chunks).toString() : null);
  }
  return files;
}
