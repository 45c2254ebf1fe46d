import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flipsRecordSchema, type FlipsRecord } from '../../src/contracts/flipsRecord';
import { perturbationSetSchema } from '../../src/contracts/perturbationSet';
import type { FlipsComparison } from '../../src/engine/flipsAgainst';
import { formatPerturbationSet } from '../../src/perturb/perturbationSetFile';
import { makePlace, root, runCli } from './runCli';

const PROMPT = 'Is the review positive or negative? Answer Yes if it is positive, No if it is negative.';
const QUESTIONS = path.join(root, 'test', 'fixtures', 'questions.jsonl');
const MODEL = ['--model', 'local:smollm2-135m', '--seed', '3'];

let place: Awaited<ReturnType<typeof makePlace>>;
beforeAll(async () => {
  place = await makePlace();
  await writeFile(
    path.join(place.dir, 'review.prompt'),
    'Is the review good? Answer Yes or No.\nReview: {{review}}\n',
  );
  await writeFile(path.join(place.dir, 'free.prompt'), `${PROMPT.slice(0, 10)} you like it?\n`);
});
afterAll(() => rm(place.dir, { recursive: true, force: true }));

const run = (args: string[], more: Partial<Parameters<typeof runCli>[1]> = {}) =>
  runCli(args, { env: place.env, cwd: place.dir, ...more });
const recordOf = (stdout: string) => flipsRecordSchema.parse(JSON.parse(stdout));
const fits = (text: string) => {
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
};
const withoutTime = ({ answers, figures }: FlipsRecord) => ({
  figures,
  answers: answers.map(({ latencyMs: _, startedAtMs: __, ...entry }) => entry),
});

describe('evenkeel flips FILE, on a real model', () => {
  it('makes the changes by rules, says how answers are read, and prints rates for people', async () => {
    const { stdout, stderr, code } = await run([
      ...['flips', 'review.prompt', '--var', 'review=The soup was cold and the waiter was rude.'],
      ...MODEL,
      ...['--limit', '14'],
    ]);
    expect(stderr).toContain('Answer: one of Yes, No');
    expect(stderr).toMatch(/evenkeel flips --resume \S+/);
    expect(stdout).toMatch(/0 negligible +\d+ of \d+/);
    expect(stdout).toContain('Flip rate: ');
    expect(stdout).toMatch(/Flipped by kind: \w+ \d+ of \d+/);
    expect(stdout).toContain('Answer to the original: ');
    fits(stdout);
    expect([0, 3]).toContain(code);
  });

  it('takes a set that a person edited: rejected ones are not asked, relabelled ones count as relabelled', async () => {
    const entry = (id: string, text: string, level: number, more: object = {}) => ({
      ...{ id, kind: 'custom', name: id, expectation: 'irrelevant', text, ...more },
      strength: { level, source: 'user' },
    });
    const set = perturbationSetSchema.parse({
      version: 1,
      prompt: PROMPT,
      seed: 1,
      writer: null,
      judge: null,
      perturbations: [
        entry('one', `${PROMPT} `, 0),
        entry('two', PROMPT.replace('positive', 'bad'), 3),
        entry('three', `Hello! ${PROMPT}`, 1, { use: false }),
      ],
    });
    await writeFile(path.join(place.dir, 'set.yaml'), formatPerturbationSet(set));
    await writeFile(path.join(place.dir, 'plain.prompt'), `${PROMPT}\n`);
    const { stdout, code } = await run([
      ...['flips', 'plain.prompt', '--perturbations', 'set.yaml', '--options', 'Yes,No', '--json'],
      ...MODEL,
    ]);
    const record = recordOf(stdout);
    expect(record.conditions.map(({ perturbation }) => perturbation?.id ?? null)).toEqual([
      null,
      'one',
      'two',
    ]);
    expect(record.figures[0]!.rows.map(({ n }) => n)).toEqual([1, 0, 0, 1]);
    // Two items are no claim.
    expect(code).toBe(3);

    const other = await run(['flips', 'review.prompt', '--var', 'review=x', '--perturbations', 'set.yaml']);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('made for another prompt');
  });
});

describe('evenkeel flips --questions', () => {
  const questions = (...more: string[]) => ['flips', '--questions', QUESTIONS, ...MODEL, ...more];

  it('repeats exactly by the command in its record; --dry-run asks nothing', async () => {
    const dry = await run(questions('--limit', '3', '--dry-run', '--json'));
    expect((JSON.parse(dry.stdout) as FlipsRecord).conditions.length).toBeGreaterThanOrEqual(6);
    const first = recordOf((await run(questions('--limit', '3', '--json'))).stdout);
    expect(first.decoding).toBe('probabilities');
    const again = await run([...first.reproduce.split(' ').slice(1), '--json']);
    expect(withoutTime(recordOf(again.stdout))).toEqual(withoutTime(first));
    // A run that is complete is only shown again.
    const shown = await run(['flips', '--resume', first.id]);
    expect(shown.stdout).toContain(`run ${first.id}`);
    expect(shown.stderr).toBe('');
    const report = async (...more: string[]) => (await run(['report', first.id, ...more])).stdout;
    expect(await report()).toBe(shown.stdout);
    expect(recordOf(await report('--format', 'json'))).toEqual(first);
    expect(await report('--format', 'md')).toContain('## Changes of the prompt');
    expect(await report('--format', 'html')).toContain('"heading":"Changes of the prompt"');
    expect((await run(['report', '--list'])).stdout).toMatch(
      new RegExp(`^${first.id}  ${first.finishedAt.slice(0, 10)} .*  flips$`, 'm'),
    );

    const against = await run(questions('--limit', '3', '--as-text', '--against', first.id, '--json'));
    const { comparisons } = JSON.parse(against.stdout) as { comparisons: FlipsComparison[] };
    expect(comparisons.map(({ second }) => second)).toContain(first.id);
    for (const { p, adjustedP } of comparisons) expect(adjustedP).toBeGreaterThanOrEqual(p);
  });

  it('stopped by Ctrl-C or killed, goes on with --resume and ends in the same figures', async () => {
    const whole = recordOf((await run(questions('--limit', '8', '--json'))).stdout);
    for (const stop of ['SIGINT', 'SIGKILL'] as const) {
      const before = await readdir(path.join(place.cacheDir, 'runs'));
      const { code } = await run(questions('--limit', '8', '--json'), {
        onStart: async (child) => {
          for (;;) {
            const id = (await readdir(path.join(place.cacheDir, 'runs'))).find(
              (name) => !before.includes(name),
            );
            const file = path.join(place.cacheDir, 'runs', id ?? '', 'answers.jsonl');
            const kept = id === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
            if (kept.split('\n').length > 4) break;
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          child.kill(stop);
        },
      });
      expect(code).toBe(stop === 'SIGINT' ? 130 : null);
      const id = (await readdir(path.join(place.cacheDir, 'runs'))).find((name) => !before.includes(name))!;
      const resumed = recordOf((await run(['flips', '--resume', id, '--json'])).stdout);
      expect(resumed.state).toBe('complete');
      expect(withoutTime(resumed)).toEqual(withoutTime(whole));
    }
  });
});

describe('evenkeel flips --kinds cot', () => {
  it('asks for the reasoning, changes it, and shows its rates apart from those of the questions', async () => {
    const args = ['flips', '--questions', QUESTIONS, '--limit', '2', '--seed', '3', '--kinds', 'surface,cot'];
    const { stdout, stderr, code } = await run([
      ...args,
      '--levels',
      '0',
      '--model',
      'local:qwen2.5-coder-0.5b',
    ]);
    expect(stderr).toMatch(/Reasoning: 2 calls of up to 300 tokens first/);
    expect(stdout).toContain('(changes of the prompt)');
    expect(stdout).toContain('(changes of the reasoning)');
    expect(stdout).toContain('are not compared');
    fits(stdout);
    expect(code).toBe(3);
  });

  it('of one prompt: nothing but the reasoning is asked where no other kind is named', async () => {
    const { stdout } = await run([
      ...[
        'flips',
        'review.prompt',
        '--var',
        'review=The soup was cold, and we did not come back. The waiter was rude.',
      ],
      ...['--kinds', 'cot', '--cot-steps', '1', '--limit', '3', '--json'],
      ...MODEL,
    ]);
    const record = recordOf(stdout);
    expect(record.figures.map(({ type }) => type)).toEqual(['cot']);
    for (const { prompt } of record.conditions) expect(prompt).toContain('Reasoning:\n');
    expect(record.conditions.filter(({ perturbation }) => perturbation === null)).toHaveLength(1);
  });
});

describe('wrong input', () => {
  it.each([
    ['nothing to measure', ['flips'], 'Nothing is named'],
    ['two things to measure', ['flips', 'review.prompt', '--questions', QUESTIONS], 'Two things'],
    ['comparing the types', ['flips', 'review.prompt', '--compare-types'], 'are not compared'],
    ['a prompt without answers', ['flips', 'free.prompt'], 'does not say which answers'],
    [
      'an unknown kind',
      ['flips', '--questions', QUESTIONS, '--kinds', 'noise'],
      "no kind of perturbation 'noise'",
    ],
    ['a strength off the scale', ['flips', '--questions', QUESTIONS, '--levels', '0,7'], 'levels is 7'],
    ['steps of no reasoning', ['flips', '--questions', QUESTIONS, '--cot-steps', '1'], '--kinds cot'],
    [
      'half a step',
      ['flips', 'review.prompt', '--var', 'review=x', '--kinds', 'cot', '--cot-steps', '0.5'],
      '--cot-steps is 0.5',
    ],
    ['an unknown run', ['flips', '--resume', 'nobody'], "no flips run 'nobody'"],
    ['an unbound variable', ['flips', 'review.prompt'], '--var review='],
  ])('%s ends with code 2 and the next step', async (_, args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/next {3}\S/);
  });

  it('a malformed question set names the line', async () => {
    await writeFile(path.join(place.dir, 'bad.jsonl'), '{"id":"a"}\n');
    const { code, stderr } = await run(['flips', '--questions', 'bad.jsonl']);
    expect(code).toBe(2);
    expect(stderr).toContain('bad.jsonl, line 1: ');
  });
});
