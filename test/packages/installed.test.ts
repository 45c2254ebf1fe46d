/** The command line as npm installs it: on every supported Node, with the in-process model and without. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installCli } from '../../scripts/setup/installedCli';
import { ensureNodes, nodeOf } from '../../scripts/setup/nodes';
import { makePlace, runCli } from '../cli/runCli';
import { chunk, startFakeOpenAi, USAGE } from '../contract/fakeOpenAiServer';
import packageJson from '../../package.json' with { type: 'json' };
import { newFolder, root, runScript } from './makePackages';

const folder = newFolder('installed');
const missingNodes = await ensureNodes();
if (missingNodes !== null && process.env['CI'] !== undefined) throw new Error(missingNodes);
const others =
  missingNodes === null ? ([22, 24] as const).map((line) => [`Node ${line}`, nodeOf(line)] as const) : [];
const nodes = [['this Node', process.execPath] as const, ...others];

let place: Awaited<ReturnType<typeof makePlace>>;
let [withNative, without] = ['', ''];
beforeAll(async () => {
  place = await makePlace();
  await writeFile(path.join(place.dir, 'a.prompt'), 'Is the soup cold? Answer yes or no, in one word.\n');
  await runScript('scripts/packageCli.ts', ['--out', folder]);
  const tarball = path.join(folder, `evenkeel-${packageJson.version}.tgz`);
  withNative = installCli(tarball, path.join(folder, 'with'));
  without = installCli(tarball, path.join(folder, 'without'), ['--omit=optional']);
});
afterAll(async () => {
  await rm(place.dir, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

describe.each(nodes)('on %s', (_name, node) => {
  const run = (from: string, args: string[], env = place.env) =>
    runCli(args, { env, cwd: place.dir, node, cli: path.join(from, 'dist/cli.cjs') });

  it('tells its version', async () => {
    expect(await run(withNative, ['--version'])).toEqual({
      code: 0,
      stdout: `${packageJson.version}\n`,
      stderr: '',
    });
  });

  it('checks a prompt with the in-process model', async () => {
    const doctor = await run(withNative, ['doctor']);
    expect(doctor.stdout).toMatch(/ok +in-process model +node-llama-cpp/);
    expect(doctor.code).toBe(0);
    const checked = await run(withNative, [
      ...['robustness', 'a.prompt', '--model', 'local:smollm2-135m', '--samples', '4', '--limit', '1'],
      ...['--answer-tokens', '2', '--seed', '1', '--report', 'out.html'],
    ]);
    expect(checked.stderr).not.toMatch(/^error/m);
    expect([0, 1, 3]).toContain(checked.code);
    expect(await readFile(path.join(place.dir, 'out.html'), 'utf8')).toContain('Content-Security-Policy');
  });

  it('without the optional packages doctor says so, and a server is still asked', async () => {
    const doctor = await run(without, ['doctor']);
    expect(doctor.stdout).toMatch(/problem +in-process model/);
    expect(doctor.stdout).toMatch(/optional\s+packages/);
    expect(doctor.stdout).toMatch(/ok +sentence encoder/);
    const server = await startFakeOpenAi((_request, answer) =>
      answer.stream([chunk('Yes', 'stop'), USAGE, '[DONE]']),
    );
    try {
      const checked = await run(without, [
        ...['robustness', 'a.prompt', '--endpoint', `here=${server.baseUrl}`, '--model', 'here:m'],
        ...['--samples', '4', '--limit', '1', '--seed', '1'],
      ]);
      expect(checked.stdout).toContain('Steady');
      expect(checked.code).toBe(0);
    } finally {
      await server.stop();
    }
  });
});

it('is the whole of what npm installs: one package, and the binaries of this platform', async () => {
  const lock = JSON.parse(
    await readFile(path.join(folder, 'without/node_modules/.package-lock.json'), 'utf8'),
  ) as { packages: object };
  expect(Object.keys(lock.packages).sort()).toEqual([
    'node_modules/evenkeel',
    'node_modules/evenkeel/node_modules/node-llama-cpp',
  ]);
  expect(withNative.startsWith(root)).toBe(false);
});
