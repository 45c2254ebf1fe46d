import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportFormatSchema } from '../../src/contracts/exportFormat';
import { cautionSentence } from '../../src/report/sentences';
import { recordedRun } from '../webview/recordedRuns';
import { makePlace, root, runCli } from './runCli';

const names = ['changed', 'cancelled'] as const;
const [changed, cancelled] = names.map(recordedRun) as [
  ReturnType<typeof recordedRun>,
  ReturnType<typeof recordedRun>,
];

let run: (...args: string[]) => ReturnType<typeof runCli>;
beforeAll(async () => {
  const { dir, cacheDir, env } = await makePlace();
  names.forEach((name, i) => {
    const target = path.join(cacheDir, 'runs', [changed, cancelled][i]!.id);
    mkdirSync(target, { recursive: true });
    cpSync(path.join(root, 'test/webview/runs', `${name}.json`), path.join(target, 'record.json'));
  });
  mkdirSync(path.join(dir, 'examples'));
  cpSync(path.join(root, 'examples/review.prompt'), path.join(dir, 'examples/review.prompt'));
  run = (...args) => runCli(['report', ...args], { env, cwd: dir });
});

describe('evenkeel report', () => {
  it.each(exportFormatSchema.options)('writes %s', async (format) => {
    const { code, stdout } = await run(changed.id, '--format', format);
    expect(code).toBe(0);
    expect(stdout).toContain('review');
    expect(stdout.length).toBeGreaterThan(500);
  });

  it('finds the lines of the prompt file for SARIF', async () => {
    const { stdout } = await run(changed.id, '--format', 'sarif');
    const region = /"startLine": (\d+)/.exec(stdout);
    const text = readFileSync(path.join(root, 'examples/review.prompt'), 'utf8');
    expect(text.split('\n')[Number(region?.[1]) - 1]).toBe('One word is enough.');
  });

  it('says at the top what is wrong with a run', async () => {
    const { stdout } = await run(cancelled.id, '--format', 'markdown');
    expect(stdout.slice(0, 400)).toContain(cautionSentence(cancelled));
  });

  it('leaves out texts on request', async () => {
    const { stdout } = await run(changed.id, '--format', 'json', '--redact');
    expect(stdout).not.toContain('battery');
    expect((JSON.parse(stdout) as { comparisons: unknown }).comparisons).toEqual(changed.comparisons);
  });

  it('puts another run beside it', async () => {
    const { stdout } = await run(changed.id, '--against', cancelled.id);
    expect(stdout.replace(/\s+/g, ' ')).toContain(`Against run ${cancelled.id}`);
    const missing = await run(changed.id, '--against', 'nothing');
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('nothing');
  });
});
