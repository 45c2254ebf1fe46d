/**
 * `npm run package [-- --target TARGET…|--all] [--out DIR]`: evenkeel-TARGET-VERSION.vsix with the in-process model's
 * native part, evenkeel-VERSION.vsix without it (`universal`: Ollama and other servers only). Without a target: this
 * project's tested one, linux-x64, and universal. Needs a build in dist/. The binaries of other platforms are fetched by npm.
 * Each is staged in a temporary folder of its own, so that what ships is exactly what is listed here. Two runs write the
 * same bytes.
 */
import { createVSIX } from '@vscode/vsce';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { binaryPackage } from './packaging/binaryPackage';
import { packageSize, partSizes, requireWithinBudget, sizeLine } from './packaging/budgets';
import { stageBinaries, stageNativeLibrary } from './packaging/nativePart';
import { bundlesBut, copyDist, copyInto, describeContents } from './packaging/stage';
import { BINARY_PACKAGES, packageEpochSeconds, type Target } from './packaging/targets';
import { bundledPackages, readPackage } from './packaging/thirdParty';

const root = path.resolve(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<string, unknown>;

/** Bundles of dist/ that the extension does not run. */
const LEFT_OUT = ['cli'];
const FILES = [
  ...['media', 'docs/images', 'docs/schema/suite.v1.json', 'l10n'],
  ...['LICENSE', 'README.md', 'CHANGELOG.md', 'package.nls.json', '.vscodeignore'],
];

/** Keys of package.json that mean nothing inside an installed extension. */
const DEVELOPMENT_KEYS = [
  ...['scripts', 'devDependencies', 'dependencies', 'optionalDependencies', 'overrides', 'bin', 'type'],
];

async function packageFor(target: Target | 'universal', outDir: string): Promise<string> {
  const stage = mkdtempSync(path.join(tmpdir(), 'evenkeel-vsix-'));
  const fetched = mkdtempSync(path.join(tmpdir(), 'evenkeel-binaries-'));
  try {
    copyDist(root, stage, LEFT_OUT);
    copyInto(root, stage, FILES);
    const staged = Object.fromEntries(
      Object.entries(manifest).filter(([key]) => !DEVELOPMENT_KEYS.includes(key)),
    );
    writeFileSync(path.join(stage, 'package.json'), `${JSON.stringify(staged, null, 2)}\n`);
    // In dist/, where dist/inProcessChild.cjs resolves it: vsce leaves a top-level node_modules out.
    const modules = path.join(stage, 'dist/node_modules');
    const native = [];
    if (target !== 'universal') {
      const name = BINARY_PACKAGES[target];
      const binaries = await binaryPackage(root, name, fetched);
      stageBinaries(binaries, modules, name);
      const bundled = await stageNativeLibrary(root, modules);
      native.push(...bundledPackages(root, bundled), readPackage(binaries));
    }
    await describeContents(root, stage, bundlesBut(root, LEFT_OUT), native);

    const name = target === 'universal' ? 'evenkeel' : `evenkeel-${target}`;
    const packagePath = path.join(outDir, `${name}-${String(manifest['version'])}.vsix`);
    // vsce dates and sorts the files by it; dates in a zip are local times.
    process.env['SOURCE_DATE_EPOCH'] = String(packageEpochSeconds(process.env));
    process.env['TZ'] = 'UTC';
    await createVSIX({
      cwd: stage,
      packagePath,
      dependencies: false,
      allowMissingRepository: true,
      // No public repository yet: links stay relative, and the pictures ship.
      rewriteRelativeLinks: false,
      ...(target === 'universal' ? {} : { target }),
    });
    return packagePath;
  } finally {
    rmSync(stage, { recursive: true, force: true });
    rmSync(fetched, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    all: { type: 'boolean', default: false },
    out: { type: 'string', default: root },
  },
});
const known = [...(Object.keys(BINARY_PACKAGES) as Target[]), 'universal' as const];
const wanted = values.all ? known : (values.target ?? ['linux-x64', 'universal']);
const unknown = wanted.filter((one) => !known.some((target) => target === one));
if (unknown.length > 0) {
  console.error(`no target ${unknown.join(', ')}; there are ${known.join(', ')}`);
  process.exit(2);
}
mkdirSync(values.out, { recursive: true });
const sizes = partSizes(root);
for (const target of known.filter((one) => wanted.includes(one))) {
  sizes.push(packageSize(await packageFor(target, path.resolve(values.out))));
}
process.stdout.write(`${sizes.map(sizeLine).join('\n')}\n`);
requireWithinBudget(sizes);
