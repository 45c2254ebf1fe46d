import path from 'node:path';
import { loadPromptParsers } from '../../compose/promptParsers';
import type { FoundPrompt } from '../../contracts/foundPrompt';
import { discoverPrompts } from '../../prompts/discover';
import { promptReferences } from '../../prompts/discovery/promptfooYaml';
import { countWords } from '../../prompts/discovery/promptNames';
import { toPrintable, toPrintableJson } from '../../report/visibleText';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { promptDocuments } from '../promptDocuments';

interface Reference {
  path: string;
  line: number;
  reference: string;
}

/** `evenkeel prompts [FILES…]`: what is found, and where. Asks no model. */
export async function prompts(
  { terminal, distDir, signal }: CliContext,
  files: string[],
  flags: { json?: boolean },
): Promise<number> {
  const documents = await promptDocuments(files, { cwd: process.cwd(), signal });
  const parsers = await loadPromptParsers(path.join(distDir, 'treesitter'));
  const found: FoundPrompt[] = [];
  const references: Reference[] = [];
  try {
    for (const document of documents) {
      signal.throwIfAborted();
      found.push(...discoverPrompts({ ...document, parsers: parsers.once }));
      if (!/\.ya?ml$/i.test(document.path)) continue;
      for (const entry of promptReferences(document.path, document.text)) {
        references.push({ path: document.path, ...entry });
      }
    }
  } finally {
    parsers.close();
  }
  if (flags.json === true) {
    const listed = found.map((prompt) => ({ ...prompt, words: countWords(prompt.text) }));
    terminal.out(toPrintableJson({ prompts: listed, references }));
    return EXIT.policyMet;
  }
  if (found.length + references.length > 0) terminal.out(render(found, references));
  const count = documents.length;
  terminal.detail(
    `${found.length} prompt${found.length === 1 ? '' : 's'} in ${count} file${count === 1 ? '' : 's'} that may hold some.`,
  );
  return EXIT.policyMet;
}

/** `src/ask.ts:12  ask.system  system  24 words  topic, question`, in columns. */
function render(found: readonly FoundPrompt[], references: readonly Reference[]): string {
  const rows = found.map((prompt) => [
    `${prompt.path}:${prompt.line}`,
    prompt.symbol === '' ? prompt.name : prompt.symbol,
    prompt.role ?? '-',
    `${countWords(prompt.text)} words`,
    prompt.variables.map(({ name }) => name).join(', '),
  ]);
  for (const { path: file, line, reference } of references) rows.push([`${file}:${line}`, `→ ${reference}`]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      toPrintable(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).trimEnd(),
    )
    .join('\n');
}
