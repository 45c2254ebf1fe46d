import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { glob } from 'tinyglobby';
import { parse } from 'yaml';
import { UserError } from '../../contracts/userError';
import { promptFromFile } from '../../prompts/promptFile';
import { parseSuite } from '../../prompts/suiteFile';
import { findVariables } from '../../prompts/variables';
import { DEFAULT_IN_PROCESS_MODEL } from '../../providers/weights/catalogue';
import { countOf } from '../../report/format';
import { toPrintable } from '../../report/visibleText';
import { PROMPT_GLOBS } from '../changedPrompts';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { openEvenkeel } from '../openEvenkeel';
import type { ServerFlags } from '../serverFlags';
import { SUITE_FILE } from '../suite';

const MOST_LISTED = 40;

/** `evenkeel init`: writes a commented evenkeel.yaml from what it finds in the working folder. */
export async function init(context: CliContext, flags: { force?: boolean } & ServerFlags): Promise<number> {
  const cwd = process.cwd();
  const file = path.join(cwd, SUITE_FILE);
  const found = await glob(PROMPT_GLOBS, { cwd, ignore: ['**/node_modules/**', '**/.git/**'], dot: true });
  const imported = await promptfooOf(cwd);
  const prompts = [...new Set([...found, ...imported.prompts])].sort();
  if (prompts.length === 0) {
    throw new UserError(
      'usage',
      'No prompt file was found here.',
      'Call one NAME.prompt or NAME.prompt.md, or write evenkeel.yaml by hand.',
    );
  }
  const models = await modelsHere(context, flags);
  const variables = await variablesOf(cwd, prompts);
  const text = suiteText({ prompts, models, variables, cases: imported.cases });
  // What is written can be read back.
  parseSuite(text, SUITE_FILE);
  try {
    await writeFile(file, text, { flag: flags.force === true ? 'w' : 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UserError(
      'usage',
      `${SUITE_FILE} is there already.`,
      'Edit it, or write it anew with --force.',
    );
  }
  context.terminal.out(
    toPrintable(
      `${SUITE_FILE}: ${countOf(prompts.length, 'prompt')}${imported.file === null ? '' : `, with those of ${imported.file}`}. Next: evenkeel robustness --dry-run`,
    ),
  );
  return EXIT.policyMet;
}

async function modelsHere(context: CliContext, flags: ServerFlags): Promise<string[]> {
  const evenkeel = openEvenkeel(context, flags);
  try {
    const listed = await evenkeel.models(context.signal);
    return listed.filter(({ state, id }) => state === 'ready' && !id.endsWith(':*')).map(({ id }) => id);
  } finally {
    await evenkeel.close();
  }
}

async function variablesOf(cwd: string, prompts: string[]): Promise<string[]> {
  const names = new Set<string>();
  for (const name of prompts.slice(0, MOST_LISTED)) {
    const content = await readFile(path.join(cwd, name), 'utf8').catch(() => '');
    const prompt = promptFromFile(content, name);
    for (const variable of findVariables(prompt.text)) {
      if (prompt.variables[variable.name] === undefined) names.add(variable.name);
    }
  }
  return [...names];
}

interface Imported {
  file: string | null;
  prompts: string[];
  cases: Record<string, string>[];
}

/** Prompt files and variables of a promptfoo configuration; what it says in line stays there. */
async function promptfooOf(cwd: string): Promise<Imported> {
  for (const file of ['promptfooconfig.yaml', 'promptfooconfig.yml']) {
    const text = await readFile(path.join(cwd, file), 'utf8').catch(() => null);
    if (text === null) continue;
    const config = safeYaml(text) as { prompts?: unknown; tests?: unknown } | null;
    const prompts = listOf(config?.prompts).flatMap((one) =>
      typeof one === 'string' && one.startsWith('file://') && /\.(txt|md|prompt)$/.test(one)
        ? [one.slice('file://'.length).replace(/^\.\//, '')]
        : [],
    );
    const cases = listOf(config?.tests).flatMap((test) => {
      const vars = (test as { vars?: unknown } | null)?.vars;
      return typeof vars === 'object' && vars !== null && !Array.isArray(vars)
        ? [Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, String(value)]))]
        : [];
    });
    return { file, prompts, cases };
  }
  return { file: null, prompts: [], cases: [] };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function safeYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 20 });
  } catch {
    return null;
  }
}

function suiteText(found: {
  prompts: string[];
  models: string[];
  variables: string[];
  cases: Record<string, string>[];
}): string {
  const { prompts, models, variables, cases } = found;
  const quote = (text: string) => JSON.stringify(text);
  const local = models.filter((id) => id !== DEFAULT_IN_PROCESS_MODEL);
  const caseLines =
    cases.length > 0
      ? ['cases:', ...cases.map((one) => `  - ${JSON.stringify(one)}`)]
      : variables.length > 0
        ? [
            '# These variables have no sample value in their file. One check is made per case.',
            'cases:',
            `  - {${variables.map((name) => ` ${quote(name)}: "…"`).join(',')} }`,
          ]
        : ['# cases: cases.jsonl                # values of variables, one check per case'];
  return `${[
    '# What evenkeel checks in this repository. Every key with its default: docs/suite-file.md of Evenkeel.',
    'version: 1',
    '',
    'prompts:',
    ...prompts.slice(0, MOST_LISTED).map((name) => `  - ${quote(name)}`),
    ...(prompts.length > MOST_LISTED
      ? [`  # and ${prompts.length - MOST_LISTED} more: take a glob, e.g. "prompts/**/*.prompt"`]
      : []),
    '',
    ...caseLines,
    '',
    '# The model that your product uses tells most; a local one costs nothing.',
    `model: ${DEFAULT_IN_PROCESS_MODEL}`,
    ...(local.length === 0 ? [] : [`# here are also: ${local.map(toPrintable).join(', ')}`]),
    'samples: 20                         # answers per prompt',
    'changes: 10                         # harmless changes that `evenkeel robustness` tries',
    '',
    '# budget:                           # hard caps on each check',
    '#   usd: 0.50',
    '',
    'policy:',
    '  fail: [changed, wobbles]          # or bounds: effect > 0.2, moved > 0.3',
    '  undecided: warn                   # pass, warn or fail',
    '',
    'hook:                               # evenkeel hook install',
    '  seconds: 120                      # for each changed prompt',
    '  late: pass                        # pass or fail',
  ].join('\n')}\n`;
}
