import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareRecordSchema } from '../../src/contracts/compareRecord';
import { makePlace, runCli } from './runCli';

const MODELS = 'local:qwen2.5-coder-0.5b,local:smollm2-135m';

let place: Awaited<ReturnType<typeof makePlace>>;
beforeAll(async () => {
  place = await makePlace();
  await writeFile(
    path.join(place.dir, 'review.prompt'),
    'Is the review good? Please answer Yes or No.\nReview: {{review}}\n',
  );
});
afterAll(() => rm(place.dir, { recursive: true, force: true }));

const run = (args: string[]) => runCli(args, { env: place.env, cwd: place.dir });
const compare = (...more: string[]) =>
  run([
    ...['compare', 'review.prompt', '--var', 'review=Good soup.', '--seed', '4', '--models', MODELS],
    ...['--samples', '5', '--limit', '6', '--answer-tokens', '3', ...more],
  ]);
const fits = (text: string) => {
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
};

describe('evenkeel compare, on two real models', () => {
  it('shows what will be asked and asks no model with --dry-run', async () => {
    const { stdout, stderr, code } = await compare('--dry-run');
    expect(code).toBe(0);
    expect(stderr).toContain('2 models one after the other, 1 prompt, 6 changes, 5 answers each');
    expect(stderr).toMatch(/local:smollm2-135m: 35 answers, .*98 MB/);
    expect(stdout).toContain('Review: {{review}}');
    fits(stdout);
  });

  it('ranks them, tells weights and speed, and keeps it all: shown, exported and repeated without asking again', async () => {
    const report = path.join(place.dir, 'out.html');
    const first = await compare('--report', report);
    expect([0, 3]).toContain(first.code);
    expect(first.stderr.indexOf('Model 1 of 2: local:qwen2.5-coder-0.5b')).toBeLessThan(
      first.stderr.indexOf('Model 2 of 2: local:smollm2-135m'),
    );
    fits(first.stdout);
    expect(first.stdout).toContain('0.5B, Q4_K_M, 491 MB');
    expect(first.stdout).toMatch(/usable all 35/);
    expect(first.stdout).toMatch(/Behaviour: .*\n?.*The weights\s+differ/s);

    const id = /comparison (\S+)$/m.exec(first.stdout)![1]!;
    const page = await readFile(report, 'utf8');
    expect(page).toContain('<svg class="matrix" role="img"');
    expect(page).not.toContain('<script');

    const again = await run(['compare', '--resume', id, '--json']);
    expect(again.code).toBe(first.code);
    const record = compareRecordSchema.parse(JSON.parse(again.stdout));
    expect(record.models.map(({ identity }) => identity!.quantization)).toEqual(['Q4_K_M', 'Q4_1']);
    expect(new Set(record.models.map(({ identity }) => identity!.digest)).size).toBe(2);
    expect(again.stderr).not.toContain('Model 1 of 2');
    expect(record.pairs).toHaveLength(1);

    const markdown = await run(['report', id, '--format', 'md']);
    expect(markdown.stdout).toContain('## Steadiness: is the row steadier than the column?');
    // The answers of each model are an ordinary run.
    const own = await run(['report', record.models[1]!.runIds[0]!]);
    expect(own.code).toBe(0);
    expect((await run(['report', '--list'])).stdout).toContain(`${id}  `);
    expect((await run(['report', id, '--format', 'sarif'])).code).toBe(2);
  });

  it.each([
    ['one model', ['compare', 'review.prompt', '--models', 'local:smollm2-135m'], 'two models or more'],
    ['one model twice', ['compare', 'review.prompt', '--models', 'local:a,local:a'], 'named twice'],
    ['no prompt', ['compare', '--models', MODELS], 'No prompt is named'],
    [
      'a reference that is not asked',
      ['compare', 'review.prompt', '--models', MODELS, '--reference', 'ollama:x'],
      'not among the models',
    ],
    [
      'an unknown model',
      ['compare', 'review.prompt', '--var', 'review=x', '--models', 'local:nope,local:smollm2-135m'],
      'nope',
    ],
    ['an unknown comparison', ['compare', '--resume', '20200101-000000-aaaaaaaa'], 'There is no comparison'],
    ['an unbound variable', ['compare', 'review.prompt', '--models', MODELS], 'review'],
  ])('refuses %s with a next step', async (_, args, said) => {
    const { stderr, stdout, code } = await run(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(said);
    expect(stderr).toMatch(/^next /m);
  });
});
