import type { Candidate } from './foundPrompts';
import { pythonGrammar } from './pythonPrompts';
import { findInSource, mayHavePrompts } from './sourcePrompts';
import { isPromptFile, isPromptYaml } from './wholeFile';
import type { Parsers, SyntaxLanguage } from './syntax';
import { scriptGrammar } from './typescriptPrompts';

export type SourceLanguage = SyntaxLanguage;

/** JavaScript is read by the grammar of TSX, which knows all of it. */
export function languageOf(path: string): SourceLanguage | null {
  if (/\.d\.[cm]?ts$/i.test(path)) return null;
  if (/\.[cm]?ts$/i.test(path)) return 'typescript';
  if (/\.(?:tsx|jsx|[cm]?js)$/i.test(path)) return 'tsx';
  return /\.pyi?$/i.test(path) ? 'python' : null;
}

/** Whether a file of this name may hold prompts among other things: source code, a notebook, a list of prompts. */
export const holdsSeveral = (path: string) => languageOf(path) !== null || /\.(?:ipynb|ya?ml)$/i.test(path);

/** Whether it is worth loading parsers for a document. `language`: that of an editor's document; null: by its path. */
export const mayHoldPrompts = (path: string, language: SourceLanguage | null, text: string): boolean =>
  isPromptFile(path) ||
  isPromptYaml(path) ||
  ((language !== null || holdsSeveral(path)) && mayHavePrompts(text));

export function findInText(language: SourceLanguage, text: string, parsers: Parsers): Candidate[] {
  if (!mayHavePrompts(text)) return [];
  if (language !== 'python') return findInSource(parsers.parse(language, text), text, scriptGrammar(text));
  // Lines of a notebook's cell that are not Python (%time, !pip) would spoil what follows: comments of the same length.
  const root = parsers.parse(language, text.replace(/^[%!](?=\S)/gm, '#'));
  return findInSource(root, text, pythonGrammar(text));
}
