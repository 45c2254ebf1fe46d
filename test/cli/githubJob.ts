/** Runs the steps of action.yml as GitHub does: environment in, output files out, each script by `bash -eo pipefail`. */
import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from './runCli';

const step = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  uses: z.string().optional(),
  if: z.string().optional(),
  shell: z.literal('bash').optional(),
  env: z.record(z.string(), z.string()).default({}),
  run: z.string().optional(),
});
const actionSchema = z.object({
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
  outputs: z.record(z.string(), z.object({ description: z.string(), value: z.string() })),
  runs: z.object({ using: z.literal('composite'), steps: z.array(step) }),
});

export const readAction = async () =>
  actionSchema.parse(parse(await readFile(path.join(root, 'action.yml'), 'utf8')));

export interface JobResult {
  code: number;
  log: string;
  summary: string;
  outputs: Record<string, string>;
}

/**
 * @param repository the checkout
 * @param github what GitHub knows, e.g. `{ 'github.event.before': '…' }`
 */
export async function runAction(
  repository: string,
  folder: string,
  env: NodeJS.ProcessEnv,
  inputs: Record<string, string>,
  github: Record<string, string>,
): Promise<JobResult> {
  const action = await readAction();
  await mkdir(folder, { recursive: true });
  const summaryFile = path.join(folder, 'summary');
  await writeFile(summaryFile, '');
  const values: Record<string, string> = {
    'runner.temp': folder,
    'github.action_path': root,
    ...Object.fromEntries(
      Object.entries(action.inputs).map(([name, input]) => [`inputs.${name}`, input.default]),
    ),
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value])),
    ...github,
  };
  const valueOf = (expression: string): string =>
    expression
      .split('||')
      .map((part) => /^'(.*)'$/.exec(part.trim())?.[1] ?? values[part.trim()] ?? '')
      .find((value) => value !== '') ?? '';
  const filled = (text: string) =>
    text.replace(/\$\{\{(.+?)\}\}/g, (_, expression: string) => valueOf(expression));
  const isWanted = (condition: string | undefined) => {
    if (condition === undefined) return true;
    const [, left, right] = /^([\w.-]+) != '(.*)'$/.exec(condition)!;
    return (values[left!] ?? '') !== right;
  };

  let log = '';
  let code = 0;
  for (const { id, run, env: stepEnv, if: condition } of action.runs.steps) {
    if (run === undefined || code !== 0 || !isWanted(condition)) continue;
    const outputFile = path.join(folder, 'output');
    await writeFile(outputFile, '');
    const ended = await bash(run, repository, {
      ...env,
      ...Object.fromEntries(Object.entries(stepEnv).map(([name, value]) => [name, filled(value)])),
      GITHUB_OUTPUT: outputFile,
      GITHUB_STEP_SUMMARY: summaryFile,
    });
    log += ended.log;
    code = ended.code;
    for (const line of (await readFile(outputFile, 'utf8')).split('\n').filter((one) => one !== '')) {
      const [name, ...value] = line.split('=');
      values[`steps.${id}.outputs.${name}`] = value.join('=');
    }
  }
  const outputs = Object.fromEntries(
    Object.entries(action.outputs).map(([name, { value }]) => [name, filled(value)]),
  );
  return { code, log, summary: await readFile(summaryFile, 'utf8'), outputs };
}

function bash(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<{ code: number; log: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, log }));
  });
}
