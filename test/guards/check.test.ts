/** `npm run check`, its tools and the push hook fail on a small repository that breaks a rule, and pass once mended. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-check-'));
const repository = path.join(folder, 'repository');
/** Seven tools start afresh, each some seconds long on a busy machine. */
const TOOLS_MS = 300_000;
afterAll(() => rmSync(folder, { recursive: true }));

// A hook or an outer git must not lead these commands to the real repository.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
const git = (...args: string[]) =>
  spawnSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
    cwd: repository,
    env,
    encoding: 'utf8',
  });
const write = (file: string, text: string) => {
  mkdirSync(path.join(repository, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(repository, file), text);
};
const check = (...names: string[]) => {
  const script = path.join(root, 'scripts/check.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script, ...names], {
    cwd: repository,
    env,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
};

beforeAll(() => {
  mkdirSync(repository);
  for (const file of [
    'eslint.config.js',
    '.dependency-cruiser.cjs',
    'tsconfig.json',
    'tsconfig.pure.json',
    'webview/tsconfig.json',
    'knip.json',
    '.prettierrc.json',
  ]) {
    write(file, readFileSync(path.join(root, file), 'utf8'));
  }
  cpSync(path.join(root, '.githooks'), path.join(repository, '.githooks'), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(repository, 'node_modules'));
  write('.gitignore', 'node_modules\n');
  write('.prettierignore', '*.md\npackage.json\n');
  write('package.json', '{ "name": "small", "type": "module", "scripts": { "check": "exit 1" } }\n');
  const table = ['src/stats', 'src/cli', 'webview'].map((room) => `| \`${room}\` | … |\n`).join('');
  write('ARCHITECTURE.md', `| room | holds |\n| ---- | ----- |\n${table}`);
  write('src/stats/mean.ts', 'export const mean = (a: number, b: number) => (a + b) / 2;\n');
  write('src/cli/start.ts', "import { mean } from '../stats/mean';\n\nprocess.exitCode = mean(0, 0);\n");
  write('webview/main.tsx', "import { title } from './title';\n\ndocument.title = title;\n");
  write('webview/title.ts', "export const title = 'Report';\n");
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: repository, env });
});

const offenders: [check: string, file: string, text: string, says: string][] = [
  ['formatting', 'src/cli/ugly.ts', 'process.exitCode   = 0\n', 'src/cli/ugly.ts'],
  ['lint', 'src/stats/random.ts', 'export const random = () => Math.random();\n', 'This room is pure'],
  ['types', 'src/cli/wrongType.ts', 'process.exitCode = [1][0].toFixed();\n', 'src/cli/wrongType.ts'],
  ['pure-types', 'src/stats/pid.ts', 'export const pid = () => process.pid;\n', 'src/stats/pid.ts'],
  ['page-types', 'webview/node.ts', 'export const pid = () => process.pid;\n', 'webview/node.ts'],
  ['imports', 'src/stats/upward.ts', "import '../cli/start';\n", 'stats is pure numerics'],
  ['dead-code', 'src/stats/unused.ts', 'export const unused = 1;\n', 'src/stats/unused.ts'],
  ['names', 'src/stats/utils.ts', 'export const a = 1;\n', "'utils.ts' says nothing"],
  ['fakes', 'src/stats/imitation.ts', 'export const fakeMean = 1;\n', 'names a fake'],
  ['rooms', 'src/magic/wand.ts', 'export const a = 1;\n', 'does not list the room src/magic'],
  ['generated', 'docs/glossary.md', 'by hand\n', 'docs/glossary.md is not current'],
  ['doc-links', 'README.md', '[a](none.md)\n', 'links to none.md'],
  ['machine-paths', 'docs/path.md', `see /${'root'}/x\n`, 'docs/path.md:1 holds a path'],
  [
    'registry-hosts',
    'docs/host.md',
    `see ${['pypi', 'org'].join('.')}\n`,
    'docs/host.md:1 names a package registry',
  ],
  ['file-length', 'src/stats/long.ts', 'export {};\n'.repeat(401), 'src/stats/long.ts is longer'],
];

/** What each check said, by its name: the lines from its verdict to the next one. */
const sections = (output: string) =>
  new Map(
    output
      .split(/^(?=ok {4}|FAIL {2}|\d+ )/m)
      .map((section) => [/^\w+ +(\S+)/.exec(section)?.[1] ?? '', section]),
  );

it('every check passes on a clean repository', { timeout: TOOLS_MS }, () => {
  const { status, output } = check();
  expect(output).toContain(`${offenders.length} checks passed`);
  expect(status).toBe(0);
});

it('every check fails on its offender, and says which', { timeout: TOOLS_MS }, () => {
  for (const [, file, text] of offenders) write(file, text);
  const { status, output } = check();
  for (const [, file] of offenders) rmSync(path.join(repository, file));
  const said = sections(output);
  for (const [name, , , says] of offenders) {
    expect(said.get(name), name).toMatch(/^FAIL/);
    expect(said.get(name), name).toContain(says);
  }
  expect(output).toContain(`${offenders.length} of ${offenders.length} checks failed`);
  expect(status).toBe(1);
});

it('a check that does not exist is refused with the names of those that do', () => {
  const { status, output } = check('nonsense');
  expect(status).toBe(2);
  expect(output).toContain('doc-links');
});

it('the hook stops a push while the check fails', () => {
  execFileSync('git', ['init', '--quiet', '--bare', path.join(folder, 'remote.git')], { env });
  git('config', 'core.hooksPath', '.githooks');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'First');
  const push = () => git('push', '--quiet', path.join(folder, 'remote.git'), 'main');
  expect(push().status).not.toBe(0);
  write('package.json', '{ "name": "small", "type": "module", "scripts": { "check": "exit 0" } }\n');
  const allowed = push();
  expect(allowed.stderr).toBe('');
  expect(allowed.status).toBe(0);
});
