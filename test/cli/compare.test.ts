import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareRecordSchema } from '../../src/contracts/compareRecord';
import { makePlace, runCli } from './runCli';

const MODELS = ['--models', 'local:smollm2-135m,local:qwen2.5-coder-0.5b'];
const SHORT = ['--samples', '6', '--limit', '2', '--answer-tokens', '6', '--seed', '3'];

let place: Awaited<ReturnType<typeof makePlace>>;
beforeAll(async () => {
  place = await makePlace();
  await writeFile(
    path.join(place.dir, 'review.prompt'),
    'Is the review good? Answer Yes or No.\nReview: {{review}}\n',
  );
});
afterAll(() => rm(place.dir, { recursive: true, force: true }));

const compare = (args: string[]) =>
  runCli(['compare', 'review.prompt', '--var', 'review=The soup was cold.', ...args], {
    env: place.env,
    cwd: place.dir,
  });

describe('evenkeel compare, on two real models', () => {
  it('plans without asking', async () => {
    const { stdout, code } = await compare([...MODELS, ...SHORT, '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/2 models, 1 prompt, 2 changes, 36 answers of up to 6 tokens/);
  });

  it('says which is steadier or that it cannot, within 80 columns, and writes the report', async () => {
    const { stdout, stderr, code } = await compare([...MODELS, ...SHORT, '--report', 'out.html']);
    expect([0, 3]).toContain(code);
    expect(stdout).toMatch(/^(Steadier|Tied|Undecided): /);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    for (const model of ['smollm2-135m', 'qwen2.5-coder-0.5b']) expect(stdout).toContain(model);
    expect(stderr).toMatch(/1 of 2 {2}local:smollm2-135m[\s\S]*2 of 2 {2}local:qwen2\.5-coder-0\.5b/);
    expect(await readFile(path.join(place.dir, 'out.html'), 'utf8')).toContain('"type":"showCompare"');
    const id = /run (\S+)/.exec(stdout.replace(/\s+/g, ' '))![1]!;
    const env = { env: place.env, cwd: place.dir };
    expect((await runCli(['report', '--list'], env)).stdout).toContain(`${id}  `);
    expect((await runCli(['report', id], env)).stdout.trim()).toBe(stdout.trim());
    expect((await runCli(['report', id, '--format', 'markdown'], env)).stdout).toMatch(
      /^# 2 models on review\.prompt/,
    );
    const refused = await runCli(['report', id, '--format', 'sarif'], env);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('not written as sarif')]);
  });

  it('again costs nothing: every answer is kept, and the figures are the same', async () => {
    const first = compareRecordSchema.parse(
      JSON.parse((await compare([...MODELS, ...SHORT, '--json'])).stdout),
    );
    const again = compareRecordSchema.parse(
      JSON.parse((await compare([...MODELS, ...SHORT, '--json'])).stdout),
    );
    expect(again.actual).toMatchObject({ calls: 36, cached: 36 });
    expect(again.pairs).toEqual(first.pairs);
    expect(again.models.map(({ identity }) => identity!.digest)).toEqual(
      first.models.map(({ identity }) => identity!.digest),
    );
  });
});

describe('what cannot be compared', () => {
  it.each([
    [['--models', 'local:smollm2-135m'], /One model cannot be compared/],
    [['--models', 'local:smollm2-135m,local:nope'], /nope/],
    [[], /Required option '--models/],
    [[...MODELS, '--reference', 'local:qwen2.5-coder-1.5b'], /not among the models/],
    [[...MODELS, '--margin', '2'], /margin is 2/],
  ])('%j is a usage error', async (args, words) => {
    const { code, stderr, stdout } = await compare(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
    expect(stderr).toMatch(/error {2}.+\nnext {3}.+/s);
  });
});
