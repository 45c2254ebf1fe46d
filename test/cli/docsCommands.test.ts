/** Every `evenkeel …` line of the documents runs as it is written, on the real small model. What takes long is planned only. */
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { dist, makePlace, root } from './runCli';

const documents = [
  'README.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
];
const lines = documents.flatMap((file) =>
  [...readFileSync(path.join(root, file), 'utf8').matchAll(/^```(?:sh|bash)?\n([\s\S]*?)^```$/gm)]
    .flatMap(([, block]) => block!.split('\n'))
    .flatMap((line) => /^(?:evenkeel|node dist\/cli\.cjs) (.*?)(?:\s+#.*)?$/.exec(line)?.[1] ?? [])
    .map((command) => [file, command] as const),
);

/** What goes on with a run that a reader has and this folder has not; each must still say so. */
const NEEDS_A_RUN = /^(resume|flips --resume) |^report \d/;
/** Asking takes minutes; the plan says whether all of it is understood. */
const PLANNED = /^(robustness|check|compare|flips) /;

let place: Awaited<ReturnType<typeof makePlace>>;
beforeAll(async () => {
  place = await makePlace();
  const prompt = 'Is the review positive or negative? Answer with one word.\nReview: {{review}}\n';
  const plain = 'Is the soup cold? Answer Yes or No, in one word.\n';
  const write = (file: string, text: string) => writeFile(path.join(place.dir, file), text);
  await write('.gitignore', 'cache\n');
  await write('review.prompt', prompt);
  await write('my.prompt', `${'Be kind and brief.\n\n'.repeat(21)}${plain}`);
  for (const file of ['a.prompt', 'b.prompt']) await write(file, plain);
  const options = [
    { label: 'A', text: 'Yes' },
    { label: 'B', text: 'No' },
  ];
  await write(
    'set.jsonl',
    `${JSON.stringify({ id: 'q1', question: 'Is ice cold?', options, answer: 'A' })}\n`,
  );
  for (const command of [
    'init --quiet',
    'add --all',
    'commit --quiet --message=First',
    'update-ref refs/remotes/origin/main HEAD',
  ])
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...command.split(' ')], {
      cwd: place.dir,
    });
});
// `evenkeel init` writes one, and every document begins without.
beforeEach(() => rm(path.join(place.dir, 'evenkeel.yaml'), { force: true }));
afterAll(() => rm(place.dir, { recursive: true, force: true }));

function shell(command: string): Promise<{ code: number; stderr: string }> {
  const script = `evenkeel() { "${process.execPath}" "${path.join(dist, 'cli.cjs')}" "$@"; }\nevenkeel ${command}`;
  return new Promise((resolve) =>
    execFile('bash', ['-c', script], { cwd: place.dir, env: place.env }, (error, _stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stderr }),
    ),
  );
}

it('the documents hold commands', () => expect(lines.length).toBeGreaterThan(10));

it.each(lines)('%s: evenkeel %s', async (_file, written) => {
  let nth = 0;
  // Servers of a reader's own become the model that is here.
  const command = written.replace(/ollama:[\w.:-]+/g, () =>
    nth++ === 0 ? 'local:smollm2-135m' : 'local:qwen2.5-coder-0.5b',
  );
  if (NEEDS_A_RUN.test(command)) {
    const { code, stderr } = await shell(command);
    expect(stderr).toMatch(/There is no .*run|no run/i);
    expect(code).toBe(2);
    return;
  }
  const { code, stderr } = await shell(PLANNED.test(`${command} `) ? `${command} --dry-run` : command);
  expect(stderr).not.toMatch(/^error/m);
  expect([0, 1, 3]).toContain(code);
});
