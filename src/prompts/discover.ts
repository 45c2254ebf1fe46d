/** Where prompts live in a document: pure, so parsers come in loaded. One file of `discovery/` per kind of host. */
import type { FoundPrompt } from '../contracts/foundPrompt';
import type { Span } from '../contracts/runRecord';
import { sourceSpans } from '../contracts/sourceMap';
import { toFoundPrompts } from './discovery/foundPrompts';
import { isNotebook, notebookCells } from './discovery/notebookCells';
import { findInText, languageOf, type SourceLanguage } from './discovery/languages';
import { promptfooYaml } from './discovery/promptfooYaml';
import { isPromptYaml, isPromptFile, wholeFile } from './discovery/wholeFile';
import type { Parsers } from './discovery/syntax';

interface DocumentToSearch {
  /** Decides the kind of host; part of the identity of what is found. */
  path: string;
  text: string;
  /** Of an editor's document, whose name may not tell (a notebook's cell); left out: by the path. */
  language?: SourceLanguage;
  parsers: Parsers;
}

/**
 * Every prompt of a document, in its order. A text counts by its use: passed to a model call, named as a prompt, marked by a
 * comment, or because its file is one. Cost: one parse where the text has a word that can mean a prompt, else one scan.
 */
export function discoverPrompts({ path, text, language, parsers }: DocumentToSearch): FoundPrompt[] {
  const place = { path, source: text };
  if (isPromptFile(path)) return toFoundPrompts(wholeFile(path, text), { ...place, host: 'file' });
  if (language === undefined && isNotebook(path)) {
    return toFoundPrompts(notebookCells(text, parsers), { ...place, host: 'notebook' });
  }
  if (/\.ya?ml$/i.test(path)) {
    const listed = promptfooYaml(path, text);
    if (listed.length === 0 && isPromptYaml(path)) {
      return toFoundPrompts(wholeFile(path, text), { ...place, host: 'file' });
    }
    return toFoundPrompts(listed, { ...place, host: isPromptYaml(path) ? 'promptFile' : 'promptfoo' });
  }
  const spoken = language ?? languageOf(path);
  if (spoken === null) return [];
  const host = spoken === 'python' ? 'python' : 'typescript';
  return toFoundPrompts(findInText(spoken, text, parsers), { ...place, host });
}

/** The prompt that an offset of the document stands in, or that its line does; the innermost first. */
export function promptAt(found: readonly FoundPrompt[], offset: number): FoundPrompt | null {
  const around = found.filter(({ span }) => span.start <= offset && offset <= span.end);
  return around.sort((a, b) => a.span.end - a.span.start - (b.span.end - b.span.start))[0] ?? null;
}

/**
 * Where a span of the prompt's text stands in the document, in order: several ranges where the source has something between
 * (a quotation mark and a `+`, removed indentation). Escapes and interpolations count as a whole. Never empty; an empty range
 * is a place between.
 */
export const toDocumentSpans = ({ sourceMap }: Pick<FoundPrompt, 'sourceMap'>, span: Span): Span[] =>
  sourceSpans(sourceMap, span);
