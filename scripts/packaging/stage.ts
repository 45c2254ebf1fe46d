/** What the packages have in common: files copied, notices and bill of materials written. */
import type { Metafile } from 'esbuild';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundledPackages, assetPackages, thirdPartyNotices, unique, type ShippedPackage } from './thirdParty';
import { npmBom, shippedBom } from './sbom';
import { packageEpochSeconds } from './targets';

const SENTENCE_ENCODER = 'minilm-l6-v2-w8.onnx';

/** Copies files and folders of the project. @throws Error for one that is missing */
export function copyInto(root: string, stage: string, entries: string[]): void {
  for (const entry of entries) {
    const from = path.join(root, entry);
    if (!existsSync(from))
      throw new Error(`${entry} is missing${entry.startsWith('dist') ? ': npm run build' : ''}`);
    cpSync(from, path.join(stage, entry), { recursive: true });
  }
}

/** The built bundles but some, e.g. `cli` for dist/cli.cjs and dist/cli.meta.json. */
export const bundlesBut = (root: string, left: string[]): string[] =>
  filesUnder(path.join(root, 'dist'))
    .flatMap((file) => /^(\w+)\.meta\.json$/.exec(file)?.[1] ?? [])
    .filter((name) => !left.includes(name));

/** All that lies in dist/ but what some bundles wrote. */
export function copyDist(root: string, stage: string, leftBundles: string[]): void {
  const left = new Set(leftBundles.map((name) => `${name}.cjs`));
  const files = filesUnder(path.join(root, 'dist')).filter(
    (file) => !left.has(file) && !file.endsWith('.meta.json'),
  );
  copyInto(
    root,
    stage,
    files.map((file) => `dist/${file}`),
  );
}

const metafilesOf = (root: string, bundles: string[]): Metafile[] =>
  bundles.map(
    (name) => JSON.parse(readFileSync(path.join(root, `dist/${name}.meta.json`), 'utf8')) as Metafile,
  );

/**
 * Writes THIRD_PARTY_NOTICES.md and sbom.cdx.json into the package.
 * @param bundles built bundles that the package holds
 * @param more packages that are in it besides: the native part
 */
export async function describeContents(
  root: string,
  stage: string,
  bundles: string[],
  more: ShippedPackage[],
): Promise<ShippedPackage[]> {
  const metafiles = metafilesOf(root, bundles);
  const written = new Set(metafiles.flatMap(({ outputs }) => Object.keys(outputs)));
  const assets = filesUnder(path.join(stage, 'dist')).filter(
    (file) => !file.startsWith('node_modules/') && !written.has(`dist/${file}`),
  );
  const shipped = unique([...bundledPackages(root, metafiles), ...assetPackages(root, assets), ...more]);
  const models = path.join(root, 'media/models');
  writeFileSync(
    path.join(stage, 'THIRD_PARTY_NOTICES.md'),
    thirdPartyNotices(shipped, readFileSync(path.join(models, 'LICENSE-Apache-2.0.txt'), 'utf8')),
  );
  const encoderSha256 = new RegExp(`^([0-9a-f]{64})\\s+\\*?${SENTENCE_ENCODER}$`, 'm').exec(
    readFileSync(path.join(models, 'SHA256SUMS'), 'utf8'),
  )?.[1];
  if (encoderSha256 === undefined)
    throw new Error(`media/models/SHA256SUMS does not name ${SENTENCE_ENCODER}`);
  const bom = shippedBom(await npmBom(root), shipped, {
    name: 'evenkeel',
    encoderSha256,
    epochSeconds: packageEpochSeconds(process.env),
  });
  writeFileSync(path.join(stage, 'sbom.cdx.json'), bom);
  // Modes are part of a zip, and else those of whoever installed the dependencies.
  for (const file of filesUnder(stage)) chmodSync(path.join(stage, file), 0o644);
  return shipped;
}

/** Paths of all files, with forward slashes, from the folder. */
export const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
