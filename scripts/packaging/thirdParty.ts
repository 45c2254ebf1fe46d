/** What a package holds that others wrote: found in what was bundled, told with its licence. */
import type { Metafile } from 'esbuild';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface ShippedPackage {
  name: string;
  version: string;
  license: string;
  /** Licence and notice files as they are. */
  texts: string[];
}

/** Licences that may be shipped under the MIT licence with nothing but their text. */
const ALLOWED = /^\(?(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|CC0-1\.0|Unlicense)\)?$/;

/** Files of dist/ that no metafile knows, and whose they are. */
const ASSETS: [file: RegExp, packageName: string][] = [
  [/(^|\/)ort-wasm[\w-]*\.(wasm|mjs)$/, 'onnxruntime-web'],
  [/(^|\/)tree-sitter[\w-]*\.(wasm|cjs)$/, '@vscode/tree-sitter-wasm'],
];

/** Packages of which any byte is in what was bundled, each once, by name. */
export function bundledPackages(folder: string, metafiles: Metafile[]): ShippedPackage[] {
  const folders = new Set<string>();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
        const found = /^(?:.*node_modules\/)(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
        if (bytesInOutput > 0 && found !== undefined) folders.add(path.resolve(folder, found));
      }
    }
  }
  return unique([...folders].map(readPackage));
}

/** Whose the other files of dist/ are. @throws Error for one that nobody is known for */
export function assetPackages(root: string, files: string[]): ShippedPackage[] {
  const names = files.map((file) => {
    const owner = ASSETS.find(([pattern]) => pattern.test(file))?.[1];
    if (owner === undefined)
      throw new Error(`${file} ships, but scripts/packaging/thirdParty.ts does not say whose it is`);
    return owner;
  });
  return unique([...new Set(names)].map((name) => readPackage(path.join(root, 'node_modules', name))));
}

export function readPackage(folder: string): ShippedPackage {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  const texts = readdirSync(folder)
    .filter((entry) => /^(licen[cs]e|notice|copying|third-?party-?notices)/i.test(entry))
    .sort()
    .map((entry) => readFileSync(path.join(folder, entry), 'utf8').replaceAll('\r\n', '\n').trim());
  return { name, version, license: license ?? '', texts };
}

/** Each name and version once, in order. */
export function unique(packages: ShippedPackage[]): ShippedPackage[] {
  const byId = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byId.keys()].sort().map((id) => byId.get(id)!);
}

/**
 * THIRD_PARTY_NOTICES.md.
 * @throws Error when a licence is not one of those that may ship, so that nothing else ever does by accident
 */
export function thirdPartyNotices(packages: ShippedPackage[], encoderLicence: string): string {
  for (const { name, version, license } of packages) {
    if (!ALLOWED.test(license))
      throw new Error(`${name}@${version} has the licence '${license}', which may not ship unread`);
  }
  const sections = packages.map(({ name, version, license, texts }) => {
    const text =
      texts.length > 0 ? texts.join('\n\n') : `The package holds no licence text; it states: ${license}.`;
    return `## ${name} ${version}\n\n${license}\n\n${fenced(text)}`;
  });
  return [
    '# Third-party notices',
    `Evenkeel holds ${packages.length} packages of others, and a sentence encoder. Their licences:`,
    `## all-MiniLM-L6-v2 (media/models)\n\nApache-2.0\n\n${fenced(encoderLicence.trim())}`,
    ...sections,
    '',
  ].join('\n\n');
}

const fenced = (text: string) => `~~~~text\n${text}\n~~~~`;
