import path from 'node:path';
import { loadPromptParsers } from '../../src/compose/promptParsers';
import type { FoundPrompt } from '../../src/contracts/foundPrompt';
import { discoverPrompts } from '../../src/prompts/discover';

const dir = path.resolve(import.meta.dirname, '../../node_modules/@vscode/tree-sitter-wasm/wasm');
export const parsers = await loadPromptParsers(dir, 'tree-sitter.js');

export const discoverIn = (file: string, text: string): FoundPrompt[] =>
  discoverPrompts({ path: file, text, parsers: parsers.once });

export const summary = (found: readonly FoundPrompt[]) =>
  found.map(({ symbol, because, role, text }) => ({ symbol, because, role, text }));

/**
 * A sub-span of the prompt's text, widened to the parts that only count as a whole; with it the source's ranges, each with
 * what stands there.
 */
export function snapped(
  { sourceMap }: FoundPrompt,
  start: number,
  end: number,
): { start: number; end: number } {
  let [from, to] = [start, end];
  for (const piece of sourceMap) {
    if (piece.verbatim || piece.end <= start || piece.start >= end) continue;
    from = Math.min(from, piece.start);
    to = Math.max(to, piece.end);
  }
  return { start: from, end: to };
}
