/** Each lint rule that guards an invariant is seen to fire, with its message, in every room that it is meant for. */
import path from 'node:path';
import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const eslint = new ESLint({ cwd: root });

const messagesOf = async (file: string, code: string) => {
  const [result] = await eslint.lintText(code, { filePath: path.join(root, file) });
  return result!.messages.map(({ ruleId, message }) => `${ruleId}: ${message}`);
};

const pureRooms = ['contracts', 'stats', 'perturb', 'prompts', 'answers', 'judge', 'report'];
const otherRooms = ['engine', 'providers', 'store', 'workers', 'compose', 'cli', 'extension'];
const everyRoom = [...pureRooms, ...otherRooms].map((room) => `src/${room}/offender.ts`);
const page = ['webview/offender.ts', 'webview/components/offender.tsx'];
const files = (rooms: string[]) => rooms.map((room) => `src/${room}/offender.ts`);

const PURE = 'This room is pure';
const HOSTILE = 'Model output is hostile text';

const pure = files(pureRooms);
const offences: { name: string; files: string[]; code: string; says: string }[] = [
  // invariant 1
  {
    name: 'node:fs',
    files: pure,
    code: "import { readFileSync } from 'node:fs';\nreadFileSync('a');",
    says: PURE,
  },
  {
    name: 'fs/promises',
    files: pure,
    code: "import { readFile } from 'fs/promises';\nreadFile('a');",
    says: PURE,
  },
  {
    name: 'node:crypto',
    files: pure,
    code: "import { randomUUID } from 'node:crypto';\nrandomUUID();",
    says: PURE,
  },
  { name: 'a dynamic import', files: pure, code: "export const a = import('zod');", says: PURE },
  { name: 'Math.random', files: pure, code: 'export const a = Math.random();', says: PURE },
  { name: "Math['random']", files: pure, code: "export const a = Math['random']();", says: PURE },
  { name: 'random taken off Math', files: pure, code: 'const { random } = Math;\nrandom();', says: PURE },
  { name: 'Date.now', files: pure, code: 'export const a = Date.now();', says: PURE },
  { name: 'new Date()', files: pure, code: 'export const a = new Date();', says: PURE },
  { name: 'Date()', files: pure, code: 'export const a = Date();', says: PURE },
  ...[
    'fetch',
    'process',
    'Buffer',
    'console',
    'setTimeout',
    'performance',
    'document',
    'crypto',
    'globalThis',
  ].map((name) => ({ name, files: pure, code: `export const a = ${name};`, says: PURE })),
  // invariants 2 and 3
  {
    name: 'fs in the engine',
    files: files(['engine']),
    code: "import 'node:fs/promises';",
    says: 'through its ports',
  },
  { name: 'Date.now in the engine', files: files(['engine']), code: 'Date.now();', says: 'take a Clock' },
  {
    name: 'new Date() in the engine',
    files: files(['engine']),
    code: 'export const a = new Date();',
    says: 'take a Clock',
  },
  { name: 'fetch in the engine', files: files(['engine']), code: "fetch('x');", says: 'through its ports' },
  {
    name: 'Math.random outside pure rooms',
    files: [...files(otherRooms), ...page],
    code: 'export const a = Math.random();',
    says: 'A run must be repeatable',
  },
  // invariant 5
  ...['innerHTML', 'outerHTML', 'srcdoc'].map((name) => ({
    name,
    files: [...everyRoom, ...page],
    code: `declare const node: { ${name}: string };\nnode.${name} = 'x';`,
    says: HOSTILE,
  })),
  {
    name: 'insertAdjacentHTML',
    files: [...everyRoom, ...page],
    code: "declare const node: { insertAdjacentHTML(...a: string[]): void };\nnode.insertAdjacentHTML('a', 'b');",
    says: HOSTILE,
  },
  {
    name: 'dangerouslySetInnerHTML',
    files: ['webview/offender.tsx'],
    code: "export const A = () => <p dangerouslySetInnerHTML={{ __html: 'x' }} />;",
    says: HOSTILE,
  },
  {
    name: 'dangerouslySetInnerHTML in spread props',
    files: ['webview/offender.tsx', 'webview/offender.ts'],
    code: "export const props = { dangerouslySetInnerHTML: { __html: 'x' } };",
    says: HOSTILE,
  },
  { name: 'eval', files: [...everyRoom, ...page], code: "eval('1');", says: 'no-eval' },
  { name: 'new Function', files: [...everyRoom, ...page], code: "new Function('1');", says: 'no-new-func' },
  {
    name: 'exec',
    files: files(otherRooms.filter((room) => room !== 'engine')),
    code: "import { exec } from 'node:child_process';\nexec('x');",
    says: 'Nothing reaches a shell',
  },
  {
    name: 'a shell',
    files: everyRoom,
    code: 'export const options = { shell: true };',
    says: 'Nothing reaches a shell',
  },
  {
    name: 'trusted Markdown',
    files: everyRoom,
    code: 'declare const a: { isTrusted: boolean };\na.isTrusted = true;',
    says: 'Trusted Markdown',
  },
  // invariant 6
  {
    name: 'process.env below the roots',
    files: files(['engine', 'providers', 'store', 'workers', 'compose']),
    code: "export const key = process.env['KEY'];",
    says: 'Only the composition roots',
  },
  {
    name: 'a key taken off process.env',
    files: files(['engine', 'providers', 'store', 'workers', 'compose']),
    code: 'export const { KEY } = process.env;',
    says: 'Only the composition roots',
  },
  // invariant 7
  {
    name: 'an inline style',
    files: ['webview/offender.tsx'],
    code: "export const A = () => <p style={{ color: 'red' }} />;",
    says: 'forbids inline styles',
  },
  {
    name: 'a style set as an attribute',
    files: page,
    code: "declare const node: { setAttribute(...a: string[]): void };\nnode.setAttribute('style', 'x');",
    says: 'forbids inline styles',
  },
  // shape of the code
  {
    name: 'a default export',
    files: [...everyRoom, ...page],
    code: 'export default 1;',
    says: 'Named exports only',
  },
  {
    name: 'a default export by name',
    files: [...everyRoom, ...page],
    code: 'const a = 1;\nexport { a as default };',
    says: 'Named exports only',
  },
  { name: 'a barrel', files: [...everyRoom, ...page], code: "export * from './other';", says: 'No barrels' },
  {
    name: 'a re-export',
    files: [...everyRoom, ...page],
    code: "export { a } from './other';",
    says: 'No barrels',
  },
  {
    name: 'console',
    files: files(otherRooms.filter((room) => room !== 'cli')),
    code: "console.log('x');",
    says: 'no-console',
  },
];

describe.each(offences)('$name', ({ files: offenders, code, says }) => {
  it.each(offenders)('is refused in %s', async (file) => {
    const messages = await messagesOf(file, code);
    expect(messages.filter((message) => message.includes(says))).not.toEqual([]);
  });
});

it('lets clean code pass everywhere', async () => {
  const code =
    "import type { Rng } from '../stats/rng';\n\nexport const roll = (rng: Rng) => rng.below(6) + 1;\n";
  for (const file of [...everyRoom, ...page]) expect(await messagesOf(file, code), file).toEqual([]);
});

it('lets the roots read the environment, a provider hand it on, and an exact time be given', async () => {
  expect(await messagesOf('src/cli/a.ts', "export const key = process.env['KEY'];\n")).toEqual([]);
  const handOn = "export const options = { env: { ...process.env, TMPDIR: 'x' } };\n";
  expect(await messagesOf('src/providers/a.ts', handOn)).toEqual([]);
  expect(await messagesOf('src/report/a.ts', 'export const day = new Date(0).getUTCDay();\n')).toEqual([]);
});
