import path from 'node:path';
import { loadPromptParsers } from '../compose/promptParsers';
import type { FoundPrompt } from '../contracts/foundPrompt';
import { nearestNames } from '../contracts/nearestNames';
import type { RunRecord } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { discoverPrompts } from '../prompts/discover';
import { askedPrompt } from '../prompts/discovery/askedPrompt';
import { holdsSeveral } from '../prompts/discovery/languages';
import { promptFromFile, selectAt } from '../prompts/promptFile';
import { readPromptArgument, type PromptArgument } from './readPromptArgument';

export interface PromptRead {
  text: string;
  /** Values that the file itself gives. */
  variables: Record<string, string>;
  /** Variables that were filled in already: they have values, and the text no place for them. */
  filledIn: string[];
  source: RunRecord['prompt']['source'];
}

/**
 * The prompt of `FILE`, `FILE:LINE`, `FILE#SYMBOL` or `-`. In source code and in lists of prompts it is the one that is found at the
 * line, or the only one.
 * @param values of variables, which some places in code need at once
 * @throws UserError as `readPromptArgument`; `usage` for a line or a prompt that is not there, and where several are meant
 */
export async function readPrompt(
  argument: string,
  distDir: string,
  values: Readonly<Record<string, string>> = {},
): Promise<PromptRead> {
  const given = await readPromptArgument(argument);
  const { path: file, line, content } = given;
  if (file !== null && (holdsSeveral(file) || given.symbol !== null)) {
    const found = await findIn(file, content, distDir);
    const chosen = choose(found, { ...given, path: file });
    if (chosen !== null) return fromFound(chosen, values);
  }
  const part =
    line === null ? promptFromFile(content, file ?? 'prompt.txt') : selectAt(content, line, file ?? '');
  return {
    text: part.text,
    variables: part.variables,
    filledIn: [],
    source: file === null ? null : { path: file, uri: null, range: part.range },
  };
}

async function findIn(file: string, content: string, distDir: string): Promise<FoundPrompt[]> {
  const parsers = await loadPromptParsers(path.join(distDir, 'treesitter'));
  try {
    return discoverPrompts({ path: file, text: content, parsers: parsers.once });
  } finally {
    parsers.close();
  }
}

function choose(
  found: FoundPrompt[],
  { path: file, line, symbol, content }: PromptArgument & { path: string },
): FoundPrompt | null {
  if (symbol !== null) {
    const named =
      found.find((prompt) => prompt.symbol === symbol) ?? only(found, (prompt) => prompt.name === symbol);
    if (named) return named;
    const near = nearestNames(
      symbol,
      found.map((prompt) => prompt.symbol),
    );
    throw new UserError(
      'usage',
      `${file} has no prompt named ${symbol}.`,
      near.length === 0
        ? 'No prompt is found in it: `evenkeel prompts` says what is.'
        : `Its prompts: ${near.join(', ')}.`,
    );
  }
  if (line !== null) {
    const lineAt = (offset: number) => content.slice(0, offset).split('\n').length;
    const around = found.filter(({ span }) => lineAt(span.start) <= line && line <= lineAt(span.end));
    return around.sort((a, b) => a.text.length - b.text.length)[0] ?? null;
  }
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    const some = found.slice(0, 5).map((prompt) => `${file}:${prompt.line} (${prompt.symbol})`);
    throw new UserError(
      'usage',
      `${file} holds ${found.length} prompts, and which one is meant is not said.`,
      `Name one by its line or its name: ${some.join(', ')}${found.length > some.length ? ', …' : ''}.`,
    );
  }
  if (/\.ya?ml$/i.test(file)) return null;
  throw new UserError(
    'usage',
    `No prompt is found in ${file}.`,
    'Put the comment `evenkeel: prompt` above the text, or name its line: FILE:LINE.',
  );
}

function only(found: FoundPrompt[], matches: (prompt: FoundPrompt) => boolean): FoundPrompt | null {
  const all = found.filter(matches);
  return all.length === 1 ? all[0]! : null;
}

/** @throws UserError `unboundVariables` */
function fromFound(found: FoundPrompt, values: Readonly<Record<string, string>>): PromptRead {
  const all = { ...found.values, ...values };
  const { text, map, missing } = askedPrompt(found, all);
  if (missing.length > 0) {
    throw new UserError(
      'unboundVariables',
      `${missing.length === 1 ? 'This variable of the prompt has' : 'These variables of the prompt have'} no value: ${missing.join(', ')}.`,
      `Give each a value: ${missing.map((name) => `--var ${name}=…`).join(' ')}.`,
    );
  }
  return {
    text,
    variables: found.values,
    filledIn: found.variables.map(({ name }) => name),
    source: { path: found.path, uri: null, range: found.span, symbol: found.symbol, map },
  };
}
