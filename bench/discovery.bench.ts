/**
 * How long finding prompts takes, in processor time: in a file of 10,000 lines read for the first time, again after a keystroke, and in 5,000 files
 * by the command line. `npm run bench -- discovery`; needs a build.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadPromptParsers } from '../src/compose/promptParsers';
import { discoverPrompts } from '../src/prompts/discover';

const LINES = 10_000;
const FILES = 5_000;
const LIMITS_MS = { whole: 50, keystroke: 50, files: 3_000 };
const REPEATS = 15;

interface Source {
  path: string;
  chunk: (n: number) => string;
}

/** Ordinary code, a prompt every hundred lines. */
const SOURCES: Record<string, Source> = {
  TypeScript: {
    path: 'big.ts',
    chunk: (n) =>
      `export function handle${n}(input: Input, options: Options = {}): Result {\n` +
      Array.from({ length: 16 }, (_, i) =>
        [
          `  const value${i} = input.rows.filter((row) => row.count > ${i});`,
          `  if (value${i}.length === 0) {`,
          `    log.debug('nothing to do for this one');`,
          `    return { ok: false, reason: 'empty' };`,
          `  }`,
          `  total += value${i}.reduce((sum, row) => sum + row.count, 0);`,
        ].join('\n'),
      ).join('\n') +
      `\n  const systemPrompt = \`You are assistant ${n}, answer \${input.question} briefly.\\n\`;\n  return { ok: true };\n}\n`,
  },
  Python: {
    path: 'big.py',
    chunk: (n) =>
      `def handle_${n}(rows, options=None):\n` +
      Array.from({ length: 16 }, (_, i) =>
        [
          `    value_${i} = [row for row in rows if row.count > ${i}]`,
          `    if not value_${i}:`,
          `        log.debug("nothing to do for this one")`,
          `        return Result(ok=False, reason="empty")`,
          `    for row in value_${i}:`,
          `        total += row.count`,
        ].join('\n'),
      ).join('\n') +
      `\n    system_prompt = f"You are assistant ${n}, answer {rows} briefly.\\n"\n    return Result(ok=True)\n`,
  },
};

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Processor time, which other programs of the machine do not lengthen. */
function timed(work: () => unknown): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

const REPORT =
  'data:text/javascript,process.on("exit",()=>{const{user,system}=process.cpuUsage();process.stderr.write(`CPU ${(user+system)/1000}`)})';

/** Processor time of a whole run of the command line, in `dir`. */
function timedCli(cli: string, dir: string): number {
  const { stderr } = spawnSync(process.execPath, ['--import', REPORT, cli, 'prompts', '--json', '--quiet'], {
    cwd: dir,
    maxBuffer: 1e9,
    encoding: 'utf8',
  });
  return Number(/CPU ([\d.]+)/.exec(stderr)?.[1]);
}

const PROMPT_FILE: Source = {
  path: 'a.prompt.md',
  chunk: () => '---\nname: x\n---\n\n# Task\n\nYou are {{who}}, be kind.\n\n- One\n- Two\n',
};

function timedFiles(cli: string, kindOf: (n: number) => Source): number {
  const dir = mkdtempSync(path.join(tmpdir(), 'evenkeel-discovery-'));
  try {
    for (let n = 0; n < FILES; n++) {
      const folder = path.join(dir, `group${n % 50}`);
      mkdirSync(folder, { recursive: true });
      const { path: name, chunk } = kindOf(n);
      writeFileSync(path.join(folder, `${n}${name}`), chunk(n));
    }
    return median(Array.from({ length: 3 }, () => timedCli(cli, dir)));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** @returns exit code 0 when every median is under its limit */
export async function run(): Promise<number> {
  const dist = path.resolve(import.meta.dirname, '../dist');
  let failed = false;
  const say = (what: string, ms: number, limitMs: number | null) => {
    failed ||= limitMs !== null && ms > limitMs;
    console.log(
      `${what.padEnd(58)} ${ms.toFixed(1).padStart(8)} ms  ${limitMs === null ? '' : `(limit ${limitMs})`}`,
    );
  };
  const parsers = await loadPromptParsers(path.join(dist, 'treesitter'));
  for (const [language, { path: file, chunk }] of Object.entries(SOURCES)) {
    let text = '';
    for (let n = 0; text.split('\n').length < LINES; n++) text += chunk(n);
    text = text.split('\n').slice(0, LINES).join('\n');
    const find = (source: string, from = parsers.once) =>
      discoverPrompts({ path: file, text: source, parsers: from });
    const count = find(text).length;
    // Texts differ, so that nothing is used again.
    const whole = Array.from({ length: REPEATS }, (_, i) => timed(() => find(`${text}\n${' '.repeat(i)}`)));
    say(`${language}, ${LINES} lines, ${count} prompts, first time`, median(whole), LIMITS_MS.whole);
    const ofDocument = parsers.ofDocument(file);
    find(text, ofDocument);
    const middle = text.indexOf('nothing to do', text.length / 2);
    const typed = Array.from({ length: REPEATS }, (_, i) => {
      const edited = `${text.slice(0, middle)}${'x'.repeat(i + 1)}${text.slice(middle)}`;
      return timed(() => find(edited, ofDocument));
    });
    say(`${language}, the same after a keystroke`, median(typed), LIMITS_MS.keystroke);
  }
  parsers.close();

  const cli = path.join(dist, 'cli.cjs');
  say(
    `evenkeel prompts, ${FILES} prompt files`,
    timedFiles(cli, () => PROMPT_FILE),
    LIMITS_MS.files,
  );
  const mixed = (n: number) => [PROMPT_FILE, ...Object.values(SOURCES)][n % 3]!;
  say(`evenkeel prompts, ${FILES} files, two thirds source code`, timedFiles(cli, mixed), null);
  return failed ? 1 : 0;
}
