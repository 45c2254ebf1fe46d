/** Prompts in the code cells of a notebook's file. (An editor shows each cell as a document of its own.) */
import { sourceSpans } from '../../contracts/sourceMap';
import type { Candidate } from './foundPrompts';
import { entryOf, parseJson, readJsonString, type JsonNode } from './jsonText';
import { findInText, type SourceLanguage } from './languages';
import { composeMapped, joinMapped, type MappedText } from './mappedText';
import type { Parsers } from './syntax';

export const isNotebook = (path: string) => /\.ipynb$/i.test(path);

export function notebookCells(source: string, parsers: Parsers): Candidate[] {
  const root = parseJson(source);
  const cells = entryOf(root, 'cells');
  if (cells?.kind !== 'array') return [];
  const spoken =
    languageNamed(textOf(entryOf(entryOf(root, 'metadata'), 'kernelspec'), 'language', source)) ?? 'python';
  return cells.items.flatMap((cell, index) => {
    if (textOf(cell, 'cell_type', source) !== 'code') return [];
    const code = codeOf(entryOf(cell, 'source'), source);
    const own = textOf(entryOf(entryOf(cell, 'metadata'), 'vscode'), 'languageId', source);
    // The cell of another program: %%bash, %%html.
    if (code === null || /^%%(?!time\b|timeit\b|capture\b)/.test(code.text)) return [];
    const language = own === null ? spoken : languageNamed(own);
    if (language === null) return [];
    return findInText(language, code.text, parsers).map((candidate) => {
      const spans = sourceSpans(code.pieces, candidate.span);
      return {
        ...candidate,
        mapped: composeMapped(candidate.mapped, code),
        symbol: candidate.symbol.length === 0 ? [`cell${index}`] : candidate.symbol,
        span: { start: spans[0]!.start, end: spans.at(-1)!.end },
        cell: index,
      };
    });
  });
}

function codeOf(node: JsonNode | null, source: string): MappedText | null {
  if (node?.kind === 'string') return readJsonString(source, node.span);
  if (node?.kind !== 'array') return null;
  return joinMapped(
    node.items.flatMap((line) => (line.kind === 'string' ? [readJsonString(source, line.span)] : [])),
  );
}

function textOf(node: JsonNode | null, key: string, source: string): string | null {
  const value = entryOf(node, key);
  return value?.kind === 'string' ? readJsonString(source, value.span).text : null;
}

function languageNamed(name: string | null): SourceLanguage | null {
  if (name === null) return null;
  if (/^python\d*$/i.test(name)) return 'python';
  return /^(?:typescript|javascript|tslab|deno)$/i.test(name) ? 'typescript' : null;
}
