/**
 * `npm run package:cli [-- --out DIR]`: evenkeel-VERSION.tgz, the command line for npm. Needs a build in dist/.
 * It has a package.json of its own: no dependency but node-llama-cpp, which is inside in two files, and the binaries of each
 * platform as optional packages, of which npm takes the one that fits. Without them everything but the in-process model
 * works. Two runs write the same bytes: npm pack dates every file the same.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { lockedPackage } from './packaging/binaryPackage';
import { packageSize, requireWithinBudget, sizeLine } from './packaging/budgets';
import { stageNativeLibrary } from './packaging/nativePart';
import { bundlesBut, copyDist, copyInto, describeContents, filesUnder } from './packaging/stage';
import { BINARY_PACKAGES } from './packaging/targets';
import { bundledPackages } from './packaging/thirdParty';

const root = path.resolve(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<string, unknown>;

/** Bundles of dist/ that only the editor runs. */
const LEFT_OUT = ['extension', 'editor', 'discovery'];
const FILES = ['media/models', 'LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md'];

const { values } = parseArgs({ options: { out: { type: 'string', default: root } } });
const outDir = path.resolve(values.out);
mkdirSync(outDir, { recursive: true });
const stage = mkdtempSync(path.join(tmpdir(), 'evenkeel-cli-package-'));
try {
  copyDist(root, stage, LEFT_OUT);
  copyInto(root, stage, FILES);
  // The reading matter and the schemas; pictures stay with the source.
  for (const file of filesUnder(path.join(root, 'docs')).filter(
    (one) => !/^(images|validation)\//.test(one),
  )) {
    cpSync(path.join(root, 'docs', file), path.join(stage, 'docs', file));
  }
  const bundled = await stageNativeLibrary(root, path.join(stage, 'node_modules'));
  const pick = (...keys: string[]) => Object.fromEntries(keys.map((key) => [key, manifest[key]]));
  const packageJson = {
    ...pick('name', 'version', 'description', 'license', 'keywords', 'bin'),
    engines: { node: (manifest['engines'] as { node: string }).node },
    files: [
      'dist',
      'media',
      'docs',
      'CHANGELOG.md',
      'SECURITY.md',
      'THIRD_PARTY_NOTICES.md',
      'sbom.cdx.json',
    ],
    dependencies: { 'node-llama-cpp': lockedPackage(root, 'node-llama-cpp').version },
    bundleDependencies: ['node-llama-cpp'],
    optionalDependencies: Object.fromEntries(
      Object.values(BINARY_PACKAGES).map((name) => [name, lockedPackage(root, name).version]),
    ),
  };
  writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(packageJson, null, 2)}\n`);
  await describeContents(root, stage, bundlesBut(root, LEFT_OUT), bundledPackages(root, bundled));
  execFileSync(
    process.platform === 'win32' ? 'npm.cmd' : 'npm',
    ['pack', '--pack-destination', outDir, '--silent', '--ignore-scripts'],
    { cwd: stage, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' },
  );
} finally {
  rmSync(stage, { recursive: true, force: true });
}
const size = packageSize(path.join(outDir, `evenkeel-${String(manifest['version'])}.tgz`));
process.stdout.write(`${sizeLine(size)}\n`);
requireWithinBudget([size]);
