import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePerturbationSet } from '../../src/perturb/perturbationSetFile';
import { makePlace, runCli } from './runCli';

let place: Awaited<ReturnType<typeof makePlace>>;
beforeAll(async () => {
  place = await makePlace();
  await write(
    'review.prompt',
    'Is the review positive or negative? Do not explain. Answer with one word.\nReview: {{review}}\n',
  );
});
afterAll(() => rm(place.dir, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFile(path.join(place.dir, name), text);
const run = (args: string[], more: Partial<Parameters<typeof runCli>[1]> = {}) =>
  runCli(args, { env: place.env, cwd: place.dir, ...more });
const perturb = (args: string[], more = {}) =>
  run(['perturb', 'review.prompt', '--seed', '3', ...args], more);

describe('evenkeel perturb', () => {
  it('writes a set that reads back, with how to edit it and what differs, and says that nobody judged', async () => {
    const { stdout, stderr, code } = await perturb(['--limit', '8']);
    expect(code).toBe(0);
    const set = parsePerturbationSet(stdout);
    expect(set).toMatchObject({ seed: 3, judge: null, writer: null });
    expect(set.perturbations).toHaveLength(8);
    for (const { id, text, strength } of set.perturbations) {
      expect(text).toContain('{{review}}');
      expect(strength).toMatchObject({ source: 'byConstruction', level: strength.declared });
      expect(strength.justification).toContain(
        `the rule ${id.split('@')[0]} declares level ${strength.level}`,
      );
    }
    expect(stdout).toContain('# To relabel, write 0, 1, 2 or 3');
    expect(stdout.match(/^ {2}# \+ /gm)!.length).toBeGreaterThanOrEqual(6);
    for (const said of [stdout, stderr]) expect(said).toContain('No judge: each strength is what the rule');
  });

  it('is the same for the same seed, and takes only the kinds that are asked for', async () => {
    const [first, second] = [await perturb([]), await perturb([])];
    expect(second.stdout).toBe(first.stdout);
    const mistakes = parsePerturbationSet((await perturb(['--kinds', 'mistake,persona'])).stdout);
    expect(new Set(mistakes.perturbations.map(({ kind }) => kind))).toEqual(new Set(['mistake', 'persona']));
  });

  it('takes own texts and patterns, a persona for the system message, and a rate of typos', async () => {
    await write(
      'own.yaml',
      '- text: "Is it good? Do not explain. Answer with one word.\\nReview: {{review}}\\n"\n  level: 1\n- { pattern: review, replacement: report, level: 0 }\n',
    );
    const args = ['--custom', 'own.yaml', '--kinds', 'surface,persona', '--limit', '40'];
    const { stdout } = await perturb([...args, '--persona-in', 'system', '--typo-rate', '0.5']);
    const { perturbations } = parsePerturbationSet(stdout);
    expect(perturbations.slice(0, 2).map(({ id, strength }) => [id, strength.level])).toEqual([
      ['custom.1', 1],
      ['custom.2', 0],
    ]);
    const personas = perturbations.filter(({ kind }) => kind === 'persona');
    expect(personas.length).toBeGreaterThan(5);
    for (const { systemLine } of personas) expect(systemLine).toMatch(/^Act as a/);
    expect(perturbations.map(({ id }) => id)).toContain('surface.typos-50');
    expect(perturbations.map(({ id }) => id)).not.toContain('surface.typos-5');
  });

  it('has a real model rate, and warns that it is none to be trusted', async () => {
    const { stdout, stderr, code } = await perturb([
      ...['--kinds', 'mistake', '--limit', '1', '--ratings', '1', '--var', 'review=The soup was cold.'],
      ...['--judge', 'local:smollm2-135m', '--model', 'local:smollm2-135m'],
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain('The judge local:smollm2-135m will be asked 1 times, 2 at most.');
    for (const said of [stdout, stderr]) {
      expect(said).toMatch(/135M parameters is no judge: its ratings are not to be trusted/);
      expect(said).toContain('is the model under test');
    }
    const { judge, perturbations } = parsePerturbationSet(stdout);
    expect(judge).toBe('local:smollm2-135m');
    const { strength } = perturbations[0]!;
    expect(strength.declared).not.toBeNull();
    if (strength.source === 'judge') expect(strength.ratings).toEqual([strength.level]);
    else expect(strength).toMatchObject({ source: 'unrated', level: null, ratings: [] });
  });

  it.each([
    [['--kinds', 'mistakes'], /no kind 'mistakes'; the nearest is 'mistake'/],
    [['--kinds', 'cot'], /Name the model under test with --model/],
    [['--ratings', '0'], /--ratings is 0/],
    [['--typo-rate', '2'], /--typo-rate is 2/],
    [['--judge', 'local:gpt-9'], /gpt-9/],
  ])('%j is refused', async (args, words) => {
    const { stdout, stderr, code } = await perturb(args);
    expect(stderr).toMatch(words);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  });

  it('asks no writer when the judge cannot be reached', async () => {
    const { stdout, stderr, code } = await perturb(['--judge', 'ollama:x', '--writer', 'local:smollm2-135m']);
    expect(stderr).toMatch(/127\.0\.0\.1:4/);
    expect(stderr).not.toContain('The writer');
    expect({ stdout, code }).toEqual({ stdout: '', code: 4 });
  });
});

describe('evenkeel agreement', () => {
  /** A set as a judge left it, with labels of a person. */
  const labelled = (pairs: [judged: number, user: number][]) => `version: 1
prompt: Is it?
seed: 1
writer:
judge: ollama:big
perturbations:
${pairs
  .map(
    ([judged, user], i) => `  - id: p${i}
    text: Is it ${i}?
    strength: { level: ${judged}, source: judge, ratings: [${judged}, ${judged}], relabel: ${user} }
`,
  )
  .join('')}`;
  const ten: [number, number][] = Array.from({ length: 10 }, (_, i) => [i % 4, i < 8 ? i % 4 : 3]);

  it('shows kappa with its interval from ten labels on, over several sets', async () => {
    await write('a.yaml', labelled(ten.slice(0, 5)));
    await write('b.yaml', labelled(ten.slice(5)));
    const few = await run(['agreement', 'a.yaml']);
    expect(few.stdout).toContain('Kappa is shown from 10 labels on; 5 more are needed.');
    expect(few.code).toBe(3);
    const { stdout, code } = await run(['agreement', 'a.yaml', 'b.yaml']);
    expect(stdout).toMatch(/ollama:big against your labels, input perturbations: 10 rated by both/);
    expect(stdout).toMatch(/Linear-weighted kappa 0\.\d\d, 95% interval -?\d\.\d\d to \d\.\d\d\./);
    expect(code).toBe(0);
    const json = JSON.parse((await run(['agreement', 'a.yaml', 'b.yaml', '--json'])).stdout);
    expect(json.agreement).toMatchObject([{ items: 10, agreed: 0.8, suppressed: false }]);
  });

  it('says what to do when nothing is labelled, and where a file is wrong', async () => {
    await write('none.yaml', (await perturb([])).stdout);
    expect((await run(['agreement', 'none.yaml'])).stdout).toContain(
      'No rating of a judge is labelled by a person yet.',
    );
    await write(
      'wrong.yaml',
      (await readFile(path.join(place.dir, 'none.yaml'), 'utf8')).replace('relabel:', 'relable:'),
    );
    const { stderr, code } = await run(['agreement', 'wrong.yaml']);
    expect(stderr).toMatch(/wrong\.yaml: .*line \d+, column \d+.*no key 'relable'; the nearest is 'relabel'/);
    expect(code).toBe(2);
  });
});
