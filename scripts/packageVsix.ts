/**
 * `npm run package`: evenkeel-linux-x64-VERSION.vsix with the in-process model's native part, and
 * evenkeel-VERSION.vsix without it (Ollama and OpenAI-compatible servers only). Needs a build in dist/.
 * Each is staged in a temporary folder of its own, so that what ships is exactly what is listed here.
 */
import { createVSIX } from '@vscode/vsce';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stageNativePart } from './nativePart';

const root = path.resolve(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<string, unknown>;

/** Keys of package.json that mean nothing inside an installed extension. */
const DEVELOPMENT_KEYS = [
  'scripts',
  'devDependencies',
  'dependencies',
  'optionalDependencies',
  'overrides',
  'bin',
  'type',
];

async function packageFor(target: 'linux-x64' | null): Promise<string> {
  const stage = mkdtempSync(path.join(tmpdir(), 'evenkeel-vsix-'));
  try {
    const copy = (entry: string) =>
      cpSync(path.join(root, entry), path.join(stage, entry), {
        recursive: true,
        filter: (source) => !source.endsWith('.meta.json') && !source.includes(`${path.sep}node_modules`),
      });
    for (const entry of [
      'dist',
      'media',
      'docs/images',
      'docs/schema/suite.v1.json',
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'package.nls.json',
      '.vscodeignore',
    ]) {
      if (existsSync(path.join(root, entry))) copy(entry);
    }
    const staged = Object.fromEntries(
      Object.entries(manifest).filter(([key]) => !DEVELOPMENT_KEYS.includes(key)),
    );
    writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(staged, null, 2)}\n`);
    // In dist/, where dist/inProcessChild.cjs resolves it: vsce leaves a top-level node_modules out.
    if (target !== null) await stageNativePart(root, path.join(stage, 'dist/node_modules'), target);

    const name = target === null ? 'evenkeel' : `evenkeel-${target}`;
    const packagePath = path.join(root, `${name}-${String(manifest['version'])}.vsix`);
    await createVSIX({
      cwd: stage,
      packagePath,
      dependencies: false,
      allowMissingRepository: true,
      // No public repository yet: links stay relative, and the pictures ship.
      rewriteRelativeLinks: false,
      ...(target === null ? {} : { target }),
    });
    return packagePath;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

const wanted = process.argv.includes('--native-only')
  ? (['linux-x64'] as const)
  : (['linux-x64', null] as const);
for (const target of wanted) {
  const file = await packageFor(target);
  process.stdout.write(`${path.basename(file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB\n`);
}
