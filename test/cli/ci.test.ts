/** action.yml run step by step on real repositories; the exports that a build server reads. No network but this machine's. */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readAction, runAction } from './githubJob';
import { makePlace, root, runCli } from './runCli';

const BEFORE = 'You are a helpful assistant. Tell me about the city of Paris in a short sentence.\n';
const CHANGED = 'You are a helpful assistant. Count from 1 to 30 in digits. Write only the numbers.\n';
const QUICK = ['--samples=8', '--answer-tokens=10', '--seed=3'];
const MODEL = 'local:smollm2-135m';

let place: Awaited<ReturnType<typeof makePlace>>;
let tarball: string;
let base: string;
let origin: string;
const git = (cwd: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'init.defaultBranch=main', ...args],
    {
      cwd,
      env: { PATH: process.env['PATH'], HOME: place.dir },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  ).trim();

beforeAll(async () => {
  place = await makePlace();
  execFileSync(
    process.execPath,
    [path.join(root, 'node_modules/tsx/dist/cli.mjs'), 'scripts/packageCli.ts', '--out', place.dir],
    {
      cwd: root,
      stdio: 'ignore',
    },
  );
  tarball = path.join(place.dir, `evenkeel-${packageJson.version}.tgz`);
  origin = path.join(place.dir, 'origin');
  git(place.dir, 'init', '--quiet', origin);
  // As GitHub does: a commit may be fetched by its id.
  git(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  await writeFile(path.join(origin, 'city.prompt'), BEFORE);
  git(origin, 'add', '--all');
  git(origin, 'commit', '--quiet', '--message', 'The prompt');
  base = git(origin, 'rev-parse', 'HEAD');
  await writeFile(path.join(origin, 'notes.md'), 'No prompt.\n');
  git(origin, 'add', '--all');
  git(origin, 'commit', '--quiet', '--message', 'Notes');
  git(origin, 'switch', '--quiet', '--create', 'edit');
  await writeFile(path.join(origin, 'city.prompt'), CHANGED);
  git(origin, 'commit', '--quiet', '--all', '--message', 'Another task');
});
afterAll(() => rm(place.dir, { recursive: true, force: true }));

/** npm finds packages as it does for whoever runs the tests. */
const npmSettings = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => /^npm_config_/i.test(name))),
  npm_config_userconfig: path.join(homedir(), '.npmrc'),
  npm_config_cache: execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim(),
  npm_config_prefer_offline: 'true',
  npm_config_fetch_retries: '0',
};

let [clones, jobs] = [0, 0];
function clone(branch: string): string {
  const folder = path.join(place.dir, `clone${++clones}`);
  git(place.dir, 'clone', '--quiet', '--depth=1', '--branch', branch, `file://${origin}`, folder);
  return folder;
}
async function action(repository: string, inputs: Record<string, string>, github: Record<string, string>) {
  const folder = path.join(place.dir, `job${++jobs}`);
  // The weights that an earlier job kept.
  await mkdir(path.join(folder, 'evenkeel-cache'), { recursive: true });
  await symlink(path.join(place.cacheDir, 'models'), path.join(folder, 'evenkeel-cache/models'));
  return runAction(
    repository,
    folder,
    { ...place.env, ...npmSettings },
    { package: tarball, model: MODEL, arguments: QUICK.join('\n'), ...inputs },
    github,
  );
}

describe('action.yml', () => {
  it('puts nothing of an event or an input into a script', async () => {
    const { runs, inputs } = await readAction();
    expect(runs.steps.filter(({ run }) => run?.includes('${{') === true)).toEqual([]);
    const used = await readFile(path.join(root, 'action.yml'), 'utf8');
    for (const name of Object.keys(inputs)) expect(used).toContain(`inputs.${name}`);
  });

  it('fetches the base of a pull request into a shallow clone, refuses the edit, and writes what build servers read', async () => {
    const repository = clone('edit');
    const { code, log, summary, outputs } = await action(
      repository,
      {},
      { 'github.event.pull_request.base.sha': base },
    );
    expect(log).toContain(`Fetching ${base}`);
    expect(log).toContain('::error title=Evenkeel::An edit of a prompt changed the answers.');
    expect(code).toBe(1);
    expect(outputs).toMatchObject({
      'exit-code': '1',
      skipped: 'false',
      junit: 'evenkeel-results/evenkeel.xml',
    });
    expect(summary).toMatch(/### Changed: city\.prompt/);
    const read = (name: string) => readFile(path.join(repository, outputs[name]!), 'utf8');
    expect(await read('junit')).toMatch(/<testsuite id="0" .*failures="1"/);
    expect(JSON.parse(await read('sarif'))).toMatchObject({
      version: '2.1.0',
      runs: [{ results: [expect.anything()] }],
    });
  });

  it('a push that changes no prompt passes, with empty results', async () => {
    const { code, summary, outputs } = await action(clone('main'), {}, { 'github.event.before': base });
    expect({ code, summary }).toEqual({ code: 0, summary: 'No prompt has changed.\n' });
    expect(outputs['exit-code']).toBe('0');
  });

  it('a new branch is held against the commit before its last, which is fetched', async () => {
    const before = '0'.repeat(40);
    const { code, log } = await action(
      clone('edit'),
      { paths: 'city.prompt' },
      { 'github.event.before': before },
    );
    expect(log).toContain('Deepening the clone by one commit');
    expect(code).toBe(1);
  });

  it('a base that cannot be had says what to fetch', async () => {
    const { code, log } = await action(clone('edit'), { against: 'no-such-branch' }, {});
    expect(log).toContain('Give actions/checkout fetch-depth: 0');
    expect(code).toBe(2);
  });

  it('a fork without the key is skipped with a notice; the same without a fork is not', async () => {
    const model = { model: 'openai:gpt-4o-mini' };
    const repository = clone('edit');
    const fork = await action(repository, model, { 'github.event.pull_request.head.repo.fork': 'true' });
    expect(fork.log).toContain('::notice title=Evenkeel::Skipped');
    expect(fork.summary).toContain('Evenkeel skipped');
    expect(fork).toMatchObject({ code: 0, outputs: { skipped: 'true', 'exit-code': '' } });
    const own = await action(repository, model, { 'github.event.pull_request.base.sha': base });
    expect(own.log).toMatch(/key/i);
    expect(own.code).not.toBe(0);
  });
});

describe('evenkeel check in a build', () => {
  it('in a shallow clone without the base says what to fetch; after that it checks', async () => {
    const repository = clone('edit');
    const check = () =>
      runCli(['check', '--against', base, '--model', MODEL, '--dry-run'], {
        env: place.env,
        cwd: repository,
      });
    const before = await check();
    expect(before.stderr).toContain('This clone is shallow');
    expect(before.code).toBe(2);
    const advice = /git fetch --depth=1 origin [0-9a-f]{40}/.exec(before.stderr.replaceAll(/\s+/g, ' '))?.[0];
    expect(advice).toBe(`git fetch --depth=1 origin ${base}`);
    git(repository, ...advice!.split(' ').slice(1));
    const after = await check();
    expect(after.stderr).not.toContain('error');
    expect(after.code).toBe(0);
  });

  it('refuses an export whose ending it does not know, and one that cannot be written', async () => {
    const run = (target: string) => runCli(['check', '--export', target], { env: place.env, cwd: origin });
    const unknown = await run('out.pdf');
    expect(unknown.stderr).toContain('.xml (JUnit), .sarif, .md (Markdown) or .json');
    expect(unknown.code).toBe(2);
    const nowhere = await run('no/such/out.md');
    expect(nowhere.stderr).toContain('--export no/such/out.md');
    expect(nowhere.code).toBe(2);
  });
});
