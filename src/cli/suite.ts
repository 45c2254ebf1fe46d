/** The suite file of a repository: where it is, what it names, and how it and the flags go together. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { glob } from 'tinyglobby';
import type { Suite } from '../contracts/suite';
import { UserError } from '../contracts/userError';
import { parseSuite } from '../prompts/suiteFile';

export const SUITE_FILE = 'evenkeel.yaml';

export interface SuiteHere {
  suite: Suite;
  file: string;
  /** Its folder; the paths that it names start here. */
  dir: string;
}

/**
 * The file that `--config` names, or the nearest `evenkeel.yaml` from the working folder up to the root of its repository.
 * @throws UserError where `--config` names nothing, or the file is not right
 */
export async function findSuite(cwd: string, config: string | undefined): Promise<SuiteHere | null> {
  if (config !== undefined) {
    const file = path.resolve(cwd, config);
    const text = await readFile(file, 'utf8').catch(() => {
      throw new UserError(
        'fileNotFound',
        `${config} cannot be read.`,
        'Check the path, or make one: evenkeel init.',
      );
    });
    return { suite: parseSuite(text, config), file, dir: path.dirname(file) };
  }
  for (let dir = cwd; ; dir = path.dirname(dir)) {
    const file = path.join(dir, SUITE_FILE);
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) return { suite: parseSuite(text, path.relative(cwd, file)), file, dir };
    // Nothing outside the repository speaks for it.
    const isRoot = await readFile(path.join(dir, '.git', 'HEAD')).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code === 'ENOTDIR',
    );
    if (isRoot || dir === path.dirname(dir)) return null;
  }
}

/**
 * The prompts of a suite, as `FILE` or `FILE:LINE` from the working folder, sorted.
 * @param options `mayBeGone`: a prompt may have been deleted, as in an edit that is checked
 * @throws UserError otherwise where a pattern finds nothing: a suite that checks nothing must not pass
 */
export async function suitePrompts(
  { suite, dir, file }: SuiteHere,
  cwd: string,
  options: { mayBeGone: boolean } = { mayBeGone: false },
): Promise<string[]> {
  const found: string[] = [];
  for (const pattern of suite.prompts) {
    const [, name = pattern, line = ''] = /^(.*?)(:\d+)?$/.exec(pattern) ?? [];
    const files = await glob([name], { cwd: dir, ignore: ['**/node_modules/**', '**/.git/**'], dot: true });
    if (files.length === 0 && !options.mayBeGone) {
      throw new UserError(
        'fileNotFound',
        `${path.relative(cwd, file) || file}: no file fits ${pattern}.`,
        'Correct `prompts`; paths start at the folder of that file.',
      );
    }
    found.push(...files.map((one) => `${path.relative(cwd, path.join(dir, one))}${line}`));
  }
  return [...new Set(found)].sort();
}

/** Values of variables, one set per case; one empty set where the suite has none. */
export async function suiteCases({ suite, dir, file }: SuiteHere): Promise<Record<string, string>[]> {
  const { cases } = suite;
  if (cases === undefined) return [{}];
  if (typeof cases !== 'string') return cases;
  const text = await readFile(path.join(dir, cases), 'utf8').catch(() => {
    throw new UserError(
      'fileNotFound',
      `${path.basename(file)}: ${cases} cannot be read.`,
      'Correct `cases`.',
    );
  });
  const read = cases.endsWith('.csv') ? csvCases(text) : jsonlCases(text, cases);
  if (read.length === 0) {
    throw new UserError('invalidFile', `${cases} holds no case.`, 'Write one case per line.');
  }
  return read;
}

function csvCases(text: string): Record<string, string>[] {
  try {
    return parseCsv(text, { columns: true, bom: true, skip_empty_lines: true });
  } catch (error) {
    throw new UserError(
      'invalidFile',
      `The cases are not CSV: ${(error as Error).message}`,
      'Its first line names the variables.',
    );
  }
}

function jsonlCases(text: string, name: string): Record<string, string>[] {
  return text
    .split('\n')
    .map((line, i) => ({ line: line.trim(), at: i + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, at }) => {
      const value = safeJson(line);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        throw new UserError(
          'invalidFile',
          `${name}:${at}: this is no JSON object.`,
          'Write one per line: {"name": "Ada"}.',
        );
      }
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [key, typeof one === 'string' ? one : JSON.stringify(one)]),
      );
    });
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What both `check` and `robustness` take from a suite, where no flag says otherwise. */
export interface SuiteFlags {
  model?: string;
  samples?: number;
  seed?: number;
  system?: string;
  temperature?: number;
  answerTokens?: number;
  alpha?: number;
  margin?: number;
  maxCalls?: number;
  maxTokens?: number;
  maxCost?: number;
  maxSeconds?: number;
}

/** `flags` with what the suite says where they say nothing. */
export function withSuite<F extends SuiteFlags>(flags: F, suite: Suite | undefined): F {
  if (suite === undefined) return flags;
  const { model, samples, seed, system, temperature, answerTokens, alpha, margin, budget } = suite;
  const own: SuiteFlags = {
    ...{ model, samples, seed, system, temperature, answerTokens, alpha, margin },
    maxCalls: budget.calls,
    maxTokens: budget.tokens,
    maxCost: budget.usd,
    maxSeconds: budget.seconds,
  };
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return Object.fromEntries([
    ...Object.entries(own).filter(([, value]) => value !== undefined),
    ...given,
  ]) as F;
}
