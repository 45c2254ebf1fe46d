import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runRecordSchema } from '../../src/contracts/runRecord';
import { parseSuite } from '../../src/prompts/suiteFile';
import { makePlace, runCli } from './runCli';

let place: Awaited<ReturnType<typeof makePlace>>;
const at = (...parts: string[]) => path.join(place.dir, ...parts);
const evenkeel = (args: string[], cwd = place.dir) => runCli(args, { env: place.env, cwd });
const suite = (more: string) =>
  writeFile(
    at('evenkeel.yaml'),
    `version: 1\nmodel: local:smollm2-135m\nsamples: 5\nanswerTokens: 4\nchanges: 2\nseed: 3\n${more}`,
  );

beforeEach(async () => {
  place = await makePlace();
  await mkdir(at('.git'));
  await writeFile(at('.git', 'HEAD'), 'ref: refs/heads/main\n');
  await mkdir(at('prompts', 'deep'), { recursive: true });
  await writeFile(at('prompts', 'a.prompt'), 'Is this good? Answer yes or no.\n{{text}}\n');
  await writeFile(at('prompts', 'deep', 'b.prompt'), 'Name one colour, please. Only one.\n');
});
afterEach(() => rm(place.dir, { recursive: true, force: true }));

describe('a suite', () => {
  it('checks every prompt with every case, from anywhere in the repository, and ends in one table', async () => {
    await suite('prompts: ["prompts/**/*.prompt"]\ncases: cases.csv\n');
    await writeFile(at('cases.csv'), 'text,other\n"Soup, cold",1\nFine,2\n');
    const { stdout, code } = await evenkeel(['robustness'], at('prompts', 'deep'));
    const table = stdout.trim().split('\n').slice(-6);
    expect(table.slice(0, 4).map((line) => line.slice(24))).toEqual([
      '../a.prompt, case 1',
      '../a.prompt, case 2',
      'b.prompt, case 1',
      'b.prompt, case 2',
    ]);
    expect(table[5]).toMatch(/^\d of 4 pass\.$/);
    expect([0, 1]).toContain(code);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('gives its values to the run, and flags go before them; the record tells how to repeat it without the suite', async () => {
    await suite('prompts: [prompts/a.prompt]\ncases: [{ text: From the suite }]\n');
    const records = async (...args: string[]) =>
      z.array(runRecordSchema).parse(JSON.parse((await evenkeel(['robustness', '--json', ...args])).stdout));
    const [own] = await records();
    expect(own).toMatchObject({
      model: { id: 'local:smollm2-135m' },
      options: { samples: 5, answerTokens: 4 },
      prompt: { variables: { text: 'From the suite' } },
      seed: 3,
    });
    expect(own!.comparisons).toHaveLength(2);
    expect(own!.reproduce).toContain("--var 'text=From the suite'");
    const [flagged] = await records('--samples', '4', '--var', 'text=Flag');
    expect(flagged).toMatchObject({ options: { samples: 4 }, prompt: { variables: { text: 'Flag' } } });
  });

  it('its policy decides the exit code', async () => {
    await suite('prompts: [prompts/deep/b.prompt]\npolicy: { fail: ["moved >= 0"], undecided: fail }\n');
    expect((await evenkeel(['robustness'])).code).toBe(1);
    await suite('prompts: [prompts/deep/b.prompt]\npolicy: { fail: [], undecided: pass }\n');
    expect((await evenkeel(['robustness'])).code).toBe(0);
  });

  it.each([
    ['prompts: [nowhere/*.prompt]\n', /no file fits nowhere/],
    ['prompts: [prompts/a.prompt]\ncases: none.jsonl\n', /none\.jsonl cannot be read/],
    [
      'prompts: [prompts/a.prompt]\nsampels: 3\n',
      /evenkeel\.yaml:8:1: there is no key 'sampels'; the nearest is 'samples'/,
    ],
  ])('%j is a usage error', async (more, words) => {
    await suite(more);
    const { code, stderr, stdout } = await evenkeel(['robustness']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(words);
  });

  it('without one and without a file says what to do', async () => {
    const { code, stderr } = await evenkeel(['robustness']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/evenkeel init/);
  });
});

describe('evenkeel init', () => {
  it('writes what it finds, and what it writes can be used; never over another one', async () => {
    const { stdout, code } = await evenkeel(['init']);
    expect(code).toBe(0);
    expect(stdout).toContain('2 prompts');
    const text = await readFile(at('evenkeel.yaml'), 'utf8');
    const read = parseSuite(text, 'evenkeel.yaml');
    expect(read.prompts).toEqual(['prompts/a.prompt', 'prompts/deep/b.prompt']);
    expect(read.cases).toEqual([{ text: '…' }]);
    expect((await evenkeel(['robustness', '--dry-run'])).code).toBe(0);
    const again = await evenkeel(['init']);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('is there already')]);
    expect((await evenkeel(['init', '--force'])).code).toBe(0);
  });

  it('takes over prompts and variables of promptfoo', async () => {
    await writeFile(at('ask.txt'), 'Translate {{word}} into French.\n');
    await writeFile(
      at('promptfooconfig.yaml'),
      'prompts: [file://ask.txt]\nproviders: [ollama:chat:x]\ntests:\n  - vars: { word: dog }\n  - vars: { word: cat }\n',
    );
    expect((await evenkeel(['init'])).stdout).toContain('promptfooconfig.yaml');
    const read = parseSuite(await readFile(at('evenkeel.yaml'), 'utf8'), 'evenkeel.yaml');
    expect(read.prompts).toContain('ask.txt');
    expect(read.cases).toEqual([{ word: 'dog' }, { word: 'cat' }]);
  });

  it('finds no prompt: says what one is called', async () => {
    await rm(at('prompts'), { recursive: true });
    const { code, stderr } = await evenkeel(['init']);
    expect(code).toBe(2);
    expect(stderr).toContain('NAME.prompt');
  });
});
