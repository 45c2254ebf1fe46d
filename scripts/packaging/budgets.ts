/** How large each part may become; a package that is larger is not made. Raise one on purpose, with its reason. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const KB = 1000;
const MB = 1e6;

/** What the editor and its page load, as compressed in the package. */
const PARTS: [file: string, gzipBytes: number][] = [
  ['dist/extension.cjs', 10 * KB],
  ['dist/editor.cjs', 600 * KB],
  ['dist/webview/report.js', 150 * KB],
];

/** Packages: 23 MB of sentence encoder and 14 MB of ONNX Runtime are the most of each, 27 MB compressed. */
const PACKAGES: [name: RegExp, bytes: number][] = [
  [/^evenkeel-(linux|darwin|win32)-.*\.vsix$/, 45 * MB],
  [/^evenkeel-.*\.(vsix|tgz)$/, 31 * MB],
];

const LABELS = { B: 1, kB: KB, MB } as const;
function sizeText(bytes: number): string {
  const unit = bytes >= MB ? 'MB' : bytes >= KB ? 'kB' : 'B';
  return `${(bytes / LABELS[unit]).toFixed(unit === 'B' ? 0 : 1)} ${unit}`;
}

export interface Size {
  what: string;
  bytes: number;
  budgetBytes: number;
}

/** Sizes of the parts of a build, compressed. */
export const partSizes = (root: string): Size[] =>
  PARTS.map(([file, budgetBytes]) => ({
    what: `${file} (gzip)`,
    bytes: gzipSync(readFileSync(path.join(root, file))).length,
    budgetBytes,
  }));

export function packageSize(file: string): Size {
  const name = path.basename(file);
  const budgetBytes = PACKAGES.find(([pattern]) => pattern.test(name))?.[1];
  if (budgetBytes === undefined) throw new Error(`${name} has no budget`);
  return { what: name, bytes: statSync(file).size, budgetBytes };
}

export const sizeLine = ({ what, bytes, budgetBytes }: Size): string =>
  `${what.padEnd(36)} ${sizeText(bytes).padStart(9)} of ${sizeText(budgetBytes)}`;

/** @throws Error that names what is too large */
export function requireWithinBudget(sizes: Size[]): void {
  const over = sizes.filter(({ bytes, budgetBytes }) => bytes > budgetBytes);
  if (over.length > 0)
    throw new Error(
      `over the budget of scripts/packaging/budgets.ts:\n${over.map((size) => `  ${sizeLine(size)}`).join('\n')}`,
    );
}
