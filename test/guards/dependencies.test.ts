/** Each rule about who imports whom is seen to fire on a tree with one offending import. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cruise, type ICruiseResult, type IConfiguration } from 'dependency-cruiser';
import { afterAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const rules = createRequire(import.meta.url)(path.join(root, '.dependency-cruiser.cjs')) as IConfiguration;
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'evenkeel-rooms-')));
afterAll(() => rmSync(folder, { recursive: true }));

let trees = 0;
/** Violated rules of a tree of files, each given by its imports. */
async function violations(files: Record<string, string>): Promise<string[]> {
  const tree = path.join(folder, String(++trees));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.join(tree, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(tree, file), text);
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(tree, 'node_modules'));
  const { output } = await cruise([...new Set(Object.keys(files).map((file) => file.split('/')[0]!))], {
    baseDir: tree,
    ruleSet: { forbidden: rules.forbidden ?? [] },
    validate: true,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  });
  const names = (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
  return [...new Set(names)].sort();
}

const leaf = 'export const a = 1;\n';
/** `from` imports `to`; a second importer keeps `to` and `from` from being orphans in every case. */
const importing = (from: string, to: string, how = 'import { a } from') => {
  const relative = path.posix.relative(path.posix.dirname(from), to).replace(/\.tsx?$/, '');
  return {
    [from]: `${how} '${relative.startsWith('.') ? relative : `./${relative}`}';\nexport const b = a;\n`,
    [to]: leaf,
  };
};

const offences: [rule: string, from: string, to: string][] = [
  ['contracts-import-no-room', 'src/contracts/x.ts', 'src/stats/y.ts'],
  ['stats-is-pure', 'src/stats/x.ts', 'src/engine/y.ts'],
  ['perturb-is-pure', 'src/perturb/x.ts', 'src/engine/y.ts'],
  ['prompts-is-pure', 'src/prompts/x.ts', 'src/perturb/y.ts'],
  ['answers-is-pure', 'src/answers/x.ts', 'src/stats/y.ts'],
  ['report-is-pure', 'src/report/x.ts', 'src/store/y.ts'],
  ['engine-imports-ports-never-adapters', 'src/engine/x.ts', 'src/providers/y.ts'],
  ['engine-imports-ports-never-adapters', 'src/engine/x.ts', 'src/store/y.ts'],
  ['engine-imports-ports-never-adapters', 'src/engine/x.ts', 'src/workers/y.ts'],
  ['judge-is-pure', 'src/judge/x.ts', 'src/engine/y.ts'],
  ['providers-implement-ports', 'src/providers/x.ts', 'src/store/y.ts'],
  ['store-implements-ports', 'src/store/x.ts', 'src/providers/y.ts'],
  ['workers-implement-ports', 'src/workers/x.ts', 'src/providers/y.ts'],
  ['compose-serves-both-roots', 'src/compose/x.ts', 'src/cli/y.ts'],
  ['compose-serves-both-roots', 'src/compose/x.ts', 'src/extension/y.ts'],
  ['only-roots-import-compose', 'src/engine/x.ts', 'src/compose/y.ts'],
  ['only-roots-import-compose', 'src/providers/x.ts', 'src/compose/y.ts'],
  ['only-roots-import-compose', 'webview/x.ts', 'src/compose/y.ts'],
  ['nobody-imports-a-root', 'src/providers/x.ts', 'src/cli/y.ts'],
  ['roots-do-not-meet', 'src/cli/x.ts', 'src/extension/y.ts'],
  ['roots-do-not-meet', 'src/extension/x.ts', 'src/cli/y.ts'],
  ['page-knows-no-host', 'webview/x.ts', 'src/engine/y.ts'],
  ['page-takes-types-of-report', 'webview/x.ts', 'src/report/y.ts'],
  ['host-knows-no-page', 'src/extension/x.ts', 'webview/y.ts'],
  ['product-knows-no-tests', 'src/engine/x.ts', 'test/builders/y.ts'],
  ['product-knows-no-tests', 'src/engine/x.ts', 'src/engine/y.test.ts'],
];

describe('an import against the rules is found', () => {
  it.each(offences)('%s: %s imports %s', async (rule, from, to) => {
    expect(await violations(importing(from, to))).toContain(rule);
  });

  it.each(offences.slice(0, 13))('%s, even for a type: %s imports %s', async (rule, from, to) => {
    expect(await violations(importing(from, to, 'import { type a } from'))).toContain(rule);
  });

  it('a cycle', async () => {
    const files = {
      'src/engine/x.ts': "import { y } from './y';\nexport const x = () => y;\n",
      'src/engine/y.ts': "import { x } from './x';\nexport const y = () => x;\n",
    };
    expect(await violations(files)).toEqual(['no-cycles']);
  });

  it("'vscode' outside the extension", async () => {
    const code = "import * as vscode from 'vscode';\nexport const a = vscode.env;\n";
    for (const file of ['src/engine/x.ts', 'src/cli/x.ts', 'src/compose/x.ts', 'webview/x.ts']) {
      expect(await violations({ [file]: code }), file).toEqual(['vscode-only-in-extension']);
    }
    expect(await violations({ 'src/extension/x.ts': code })).toEqual([]);
  });

  it('Node in a pure room, and packages other than zod in contracts', async () => {
    const node = "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n";
    expect(await violations({ 'src/stats/x.ts': node })).toEqual(['pure-rooms-know-no-node']);
    expect(await violations({ 'src/store/x.ts': node })).toEqual([]);
    const contract = (name: string) => ({
      'src/contracts/x.ts': `import { z } from '${name}';\nexport const a = z;\n`,
    });
    expect(await violations(contract('yaml'))).toEqual(['contracts-import-zod-only']);
    expect(await violations(contract('zod'))).toEqual([]);
  });

  it('a file that nobody imports', async () => {
    expect(await violations({ 'src/engine/x.ts': leaf })).toEqual(['no-orphans']);
  });
});

describe('an import along the rules passes', () => {
  it.each([
    ['src/engine/x.ts', 'src/stats/y.ts'],
    ['src/providers/x.ts', 'src/engine/y.ts'],
    ['src/compose/x.ts', 'src/providers/y.ts'],
    ['src/compose/x.ts', 'src/workers/y.ts'],
    ['src/cli/x.ts', 'src/compose/y.ts'],
    ['src/extension/x.ts', 'src/compose/y.ts'],
    ['webview/x.ts', 'src/contracts/y.ts'],
    ['src/engine/x.test.ts', 'test/builders/y.ts'],
  ])('%s imports %s', async (from, to) => {
    expect(await violations(importing(from, to))).toEqual([]);
  });

  it('the page imports a type of report', async () => {
    expect(await violations(importing('webview/x.ts', 'src/report/y.ts', 'import type { a } from'))).toEqual(
      [],
    );
  });
});

it('every rule of the configuration is proven above', () => {
  const proven = new Set([
    ...offences.map(([rule]) => rule),
    'no-cycles',
    'vscode-only-in-extension',
    'pure-rooms-know-no-node',
    'contracts-import-zod-only',
    'no-orphans',
  ]);
  expect([...proven].sort()).toEqual((rules.forbidden ?? []).map(({ name }) => name).sort());
});
