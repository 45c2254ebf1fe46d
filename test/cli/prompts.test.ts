import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FoundPrompt } from '../../src/contracts/foundPrompt';
import { makePlace, runCli } from './runCli';

const FILES: Record<string, string> = {
  'src/ask.ts': [
    `const promptColor = 'red and blue and green and yellow and more';`,
    `export const systemPrompt = 'You are terse.\\n' + "Answer \\"yes\\" or no.";`,
    `export const ask = (question: string) => f([{ role: 'user', content: \`Is it new? \${question}\` }]);`,
  ].join('\n'),
  'src/only.py': 'SYSTEM_PROMPT = f"You are {who}. Use:\\n```\\n{schema}\\n```\\nBe brief."\n',
  'src/plain.ts': 'export const x = 1;\n',
  'a.prompt': 'Tell of {{topic}}.\n',
  'promptfooconfig.yaml': 'providers: [x]\nprompts:\n  - Sum up {{text}} now.\n  - file://prompts/a.txt\n',
  'ignored/b.prompt': 'Never listed.\n',
  'node_modules/c/d.prompt': 'Never listed either.\n',
  '.gitignore': 'ignored\n',
};

let place: Awaited<ReturnType<typeof makePlace>>;
beforeAll(async () => {
  place = await makePlace();
  for (const [name, text] of Object.entries(FILES)) {
    const file = path.join(place.dir, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await promisify(execFile)('git', ['init', '-q', place.dir]);
});
afterAll(() => rm(place.dir, { recursive: true, force: true }));

const run = (...args: string[]) => runCli(args, { env: place.env, cwd: place.dir });
const dryRun = async (...args: string[]) => {
  const result = await run('robustness', ...args, '--dry-run', '--json', '--samples', '4', '--limit', '2');
  return {
    ...result,
    plan: result.code === 0 ? (JSON.parse(result.stdout) as { perturbations: { text: string }[] }) : null,
  };
};

describe('evenkeel prompts', () => {
  it('lists what is found in a folder, with place, name, role, length and variables, and what git ignores not', async () => {
    const { stdout, stderr, code } = await run('prompts');
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ['a.prompt:1', 'a.prompt', '-', '3 words', 'topic'],
      ['promptfooconfig.yaml:3', 'prompts[0]', '-', '4 words', 'text'],
      ['src/ask.ts:2', 'systemPrompt', 'system', '7 words'],
      ['src/ask.ts:3', 'ask.user', 'user', '4 words', 'question'],
      ['src/only.py:1', 'SYSTEM_PROMPT', 'system', '7 words', 'who, schema'],
      ['promptfooconfig.yaml:4', '→ file://prompts/a.txt'],
    ]);
    expect(stderr).toContain('5 prompts in 5 files');
  });

  it('takes files, folders and globs; what is named outright counts, ignored or not', async () => {
    const { stdout } = await run('prompts', 'src/*.py', 'ignored/b.prompt', '--json');
    const { prompts } = JSON.parse(stdout) as { prompts: (FoundPrompt & { words: number })[] };
    expect(prompts.map(({ id }) => id)).toEqual(['ignored/b.prompt', 'src/only.py#SYSTEM_PROMPT']);
    expect(prompts[1]).toMatchObject({ role: 'system', because: 'name', line: 1, words: 7 });
    const folder = await run('prompts', 'src', '--quiet');
    expect(folder.stdout.trim().split('\n')).toHaveLength(3);
  });

  it('says of a path that is not there that it is not, and of a folder without prompts how many', async () => {
    expect(await run('prompts', 'nowhere')).toMatchObject({ code: 2, stdout: '' });
    const none = await run('prompts', 'src/plain.ts');
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toContain('0 prompts in 1 file');
  });
});

describe('a prompt in source code', () => {
  it('is taken by its line, by its name, or as the only one of its file', async () => {
    for (const argument of ['src/ask.ts:2', 'src/ask.ts#systemPrompt']) {
      const { plan } = await dryRun(argument);
      for (const { text } of plan!.perturbations) expect(text).toContain('Answer "yes"');
    }
    const { plan } = await dryRun('src/only.py', '--var', 'who=kind', '--var', 'schema={"a": 1}');
    for (const { text } of plan!.perturbations) expect(text).toContain('```\n{"a": 1}\n```');
  });

  it('is asked for where several could be meant, or none is there', async () => {
    const several = await dryRun('src/ask.ts');
    expect(several.code).toBe(2);
    expect(several.stderr).toMatch(/holds 2 prompts[^]*src\/ask\.ts:2 \(systemPrompt\)/);
    const wrong = await dryRun('src/ask.ts#systemPromt');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/no prompt named systemPromt[^]*systemPrompt/);
    const none = await dryRun('src/plain.ts');
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('evenkeel: prompt');
    const unbound = await dryRun('src/only.py', '--var', 'who=kind');
    expect(unbound.code).toBe(2);
    expect(unbound.stderr).toContain('--var schema=');
  });
});
