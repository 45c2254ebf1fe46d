import type { ChildProcess } from 'node:child_process';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runRecordSchema, type RunRecord } from '../../src/contracts/runRecord';
import { makePlace, runCli } from './runCli';

let place: Awaited<ReturnType<typeof makePlace>>;
beforeAll(async () => {
  place = await makePlace();
  await writeFile(
    path.join(place.dir, 'review.prompt'),
    'Is the review positive or negative? Answer with one word.\nReview: {{review}}\n',
  );
});
afterAll(() => rm(place.dir, { recursive: true, force: true }));

const QUICK = [
  '--model',
  'local:smollm2-135m',
  '--samples',
  '5',
  '--limit',
  '3',
  '--answer-tokens',
  '6',
  '--seed',
  '3',
];
const run = (args: string[], more: Partial<Parameters<typeof runCli>[1]> = {}) =>
  runCli(args, { env: place.env, cwd: place.dir, ...more });
const robustness = (args: string[], more = {}) =>
  run(['robustness', 'review.prompt', '--var', 'review=The soup was cold.', ...QUICK, ...args], more);

describe('evenkeel robustness, on a real model', () => {
  it('ends in a verdict, a kept run and a report; the record says how to repeat it, and repeating gives the same', async () => {
    const first = await robustness(['--json', '--report', 'out.html']);
    const record = runRecordSchema.parse(JSON.parse(first.stdout));
    expect(record.samples).toHaveLength(4 * 5);
    expect(record.prompt.variables).toEqual({ review: 'The soup was cold.' });
    expect(record.conditions[0]!.rendered).toContain('Review: The soup was cold.');
    expect(record.model.digest).toMatch(/^[0-9a-f]{64}$/);
    expect([0, 1, 3]).toContain(first.code);

    const html = await readFile(path.join(place.dir, 'out.html'), 'utf8');
    expect(html).toContain('Content-Security-Policy');
    expect(html).toContain(record.id);

    const again = await run([
      ...record.reproduce
        .split(' ')
        .slice(1)
        .join(' ')
        .match(/'[^']*'|\S+/g)!
        .map(unquote),
      '--json',
    ]);
    const second = JSON.parse(again.stdout) as RunRecord;
    expect(second.samples.map((sample) => sample.text)).toEqual(
      expect.arrayContaining(record.samples.map((sample) => sample.text)),
    );
    expect(second.comparisons).toEqual(record.comparisons);

    const shown = await run(['report', record.id]);
    expect(shown.stdout).toContain(record.id);
    const listed = await run(['report', '--list']);
    expect(listed.stdout.trim().split('\n')).toHaveLength(2);
    expect(listed.stdout).toMatch(/(?:steady|wobbles|undecided) {2}review\.prompt {2}smollm2-135m/);
  });

  it('says before anything is asked that the report cannot be written', async () => {
    const before = await run(['report', '--list']);
    const { code, stderr } = await robustness(['--report', 'no/such/folder/r.html']);
    expect(stderr).toContain('--report no/such/folder/r.html: the report cannot be written there');
    expect(code).toBe(2);
    expect((await run(['report', '--list'])).stdout).toBe(before.stdout);
  });

  it('takes a published statistic by name; the record says so and how to repeat it', async () => {
    const flags = ['--statistic', 'published-energy-cosine', '--permutations', '499', '--adjust', 'holm'];
    const record = runRecordSchema.parse(JSON.parse((await robustness([...flags, '--json'])).stdout));
    expect(record.options).toMatchObject({
      statistic: 'published-energy-cosine',
      permutations: 499,
      multiplicity: 'holm',
    });
    expect(record.reproduce).toContain(flags.join(' '));
    expect((await run(['report', record.id])).stdout).toContain('published-energy-cosine');
    const { code, stderr } = await robustness(['--statistic', 'jsd']);
    expect(stderr).toContain('published-jsd');
    expect(code).toBe(2);
  });

  it('stops at a cap, says which, and keeps what it has', async () => {
    const { code, stdout } = await robustness(['--max-calls', '12', '--no-cache', '--json']);
    const record = runRecordSchema.parse(JSON.parse(stdout));
    // Five answers are made side by side: a third batch would pass the cap.
    expect(record.samples).toHaveLength(10);
    expect(record.error).toMatchObject({
      code: 'budgetReached',
      message: 'The budget of 12 calls is used up.',
    });
    expect(record.plan.priceUsd).toBe(0);
    expect([0, 1, 3]).toContain(code);
  });

  it.each<[string, string[], string]>([
    [
      'a cap on money without a price',
      ['--endpoint', 'lab=http://127.0.0.1:9/v1', '--model', 'lab:m', '--max-cost', '1'],
      'the price of this model is not known',
    ],
    [
      'a value for a variable that the prompt has not',
      ['--var', 'reveiw=x'],
      '--var reveiw: the prompt has no such variable.',
    ],
    ['half a price', ['--price-in', '1'], 'Only one of the two prices is given.'],
    ['a cap of nothing', ['--max-calls', '0'], 'from 1 to'],
  ])('refuses %s', async (_, args, message) => {
    const { code, stderr } = await robustness(args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it('prints a verdict for people that fits 80 columns, and nothing but that on standard output', async () => {
    const { stdout, stderr } = await robustness([]);
    expect(stdout).toMatch(/^(Steady|Wobbles|Undecided)( a little| strongly)?: /);
    expect(stdout).toContain('seed 3');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(stderr).toMatch(/Plan: 3 changes, 20 answers/);
    expect(stdout + stderr).not.toContain('\u001b');
  });

  it('is quiet when asked to be', async () => {
    const { stderr } = await run([
      '--quiet',
      'robustness',
      'review.prompt',
      '--var',
      'review=Fine.',
      ...QUICK,
    ]);
    expect(stderr).toBe('');
  });

  it('shows changes and plan without asking a model', async () => {
    const { stdout, code } = await robustness(['--dry-run', '--json']);
    const { plan, perturbations } = JSON.parse(stdout) as {
      plan: RunRecord['plan'];
      perturbations: unknown[];
    };
    expect(plan).toMatchObject({ conditions: 4, calls: 20, priceUsd: 0 });
    expect(perturbations).toHaveLength(3);
    expect(code).toBe(0);
  });

  it('reads a prompt from standard input', async () => {
    const { stdout } = await run(['robustness', '-', '--dry-run', '--json'], {
      input: 'Name a colour. Answer with one word.',
    });
    expect(JSON.parse(stdout).perturbations.length).toBeGreaterThanOrEqual(8);
  });
});

describe('Ctrl-C', () => {
  it('in mid-run keeps what there is, tests it and exits with 130 (inspect #4859)', async () => {
    const before: string[] = await readdir(path.join(place.cacheDir, 'runs')).catch(() => []);
    const result = await run(
      [
        'robustness',
        'review.prompt',
        '--var',
        'review=Fine.',
        ...QUICK,
        '--limit',
        '10',
        '--samples',
        '20',
        '--answer-tokens',
        '40',
        '--json',
      ],
      {
        onStart: (child) => void interruptAfterAnswers(child, before),
      },
    );
    expect(result.code).toBe(130);
    expect(result.stderr).toContain('What was received is kept and tested');
    const record = runRecordSchema.parse(JSON.parse(result.stdout));
    expect(record.state).toBe('cancelled');
    expect(record.samples.length).toBeGreaterThanOrEqual(24);
    expect(record.samples.length).toBeLessThan(11 * 20);
  });

  it('twice ends at once', async () => {
    const before: string[] = await readdir(path.join(place.cacheDir, 'runs')).catch(() => []);
    const args = ['--var', 'review=Fine.', ...QUICK, '--samples', '200', '--no-cache'];
    const result = await run(['robustness', 'review.prompt', ...args], {
      onStart: (child) => {
        void interruptAfterAnswers(child, before);
        // The first one is being obeyed: answers that came are read and tested now, which takes a while.
        child.stderr!.on('data', (data: Buffer) => {
          if (data.toString().includes('Stopping.')) child.kill('SIGINT');
        });
      },
    });
    expect(result.code).toBe(130);
    expect(result.stdout).toBe('');
  });
});

/** Interrupts a run that is not among `before` once more than 20 of its answers are on disk. */
async function interruptAfterAnswers(child: ChildProcess, before: string[]): Promise<void> {
  const runs = path.join(place.cacheDir, 'runs');
  for (let lines = 0; lines < 25 && child.exitCode === null;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const id = (await readdir(runs).catch(() => [])).find((name) => !before.includes(name));
    const file = path.join(runs, id ?? 'none', 'samples.jsonl');
    lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').length;
  }
  child.kill('SIGINT');
}

describe('the other commands', () => {
  it('models lists the in-process ones, and what is not there with the reason', async () => {
    const { stdout, code } = await run(['models', '--json']);
    const { models } = JSON.parse(stdout) as { models: { id: string; state: string; detail: string }[] };
    expect(models.find((model) => model.id === 'local:smollm2-135m')?.state).toBe('ready');
    expect(models.find((model) => model.id === 'ollama:*')).toMatchObject({ state: 'unavailable' });
    expect(code).toBe(0);
  });

  it('doctor tries the parts for real', async () => {
    const { stdout } = await run(['doctor', '--json']);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; detail: string }[] };
    const status = Object.fromEntries(checks.map((line) => [line.name, line.status]));
    expect(status).toMatchObject({
      cache: 'ok',
      'in-process model': 'ok',
      'sentence encoder': 'ok',
      statistics: 'ok',
    });
    expect(checks.find((line) => line.name === 'statistics')!.detail).toMatch(/p = 0\.0[12]/);
  });

  it('version and help need nothing', async () => {
    const version = await run(['--version']);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const help = await run(['robustness', '--help']);
    expect(help.code).toBe(0);
    for (const line of help.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });
});

const unquote = (word: string): string => word.replace(/^'(.*)'$/, '$1');
