/** Tree-sitter and its grammars (WASM), loaded from disk on first use. */
import { createRequire } from 'node:module';
import path from 'node:path';
import type * as treeSitter from '@vscode/tree-sitter-wasm';
import type { Edit, Language, Parser, Point, Tree } from '@vscode/tree-sitter-wasm';
import type { Parsers, SyntaxLanguage } from '../prompts/discovery/syntax';

const LANGUAGES: readonly SyntaxLanguage[] = ['typescript', 'tsx', 'python'];

export interface PromptParsers {
  /** Parsers of documents that are read once. The tree of one is valid until the next is parsed. */
  once: Parsers;
  /** Parsers of a document that is edited: what was parsed of it before is used again. `forget` frees that. */
  ofDocument(key: string): Parsers;
  forget(key: string): void;
  close(): void;
}

interface Parsed {
  language: SyntaxLanguage;
  text: string;
  tree: Tree;
}

/**
 * @param dir holds the runtime, tree-sitter.wasm and tree-sitter-<language>.wasm (dist/treesitter)
 * Cost: about 50 ms and 10 MB, once; a parse takes about 5 ms per 1,000 lines, after an edit a fraction of that.
 */
export async function loadPromptParsers(dir: string, runtime = 'tree-sitter.cjs'): Promise<PromptParsers> {
  const file = path.join(dir, runtime);
  const { Parser: ParserOf, Language: LanguageOf } = createRequire(file)(file) as typeof treeSitter;
  await ParserOf.init({ locateFile: (name) => path.join(dir, name) });
  const parsers = new Map<SyntaxLanguage, Parser>();
  const load = async (language: SyntaxLanguage) => {
    const grammar: Language = await LanguageOf.load(path.join(dir, `tree-sitter-${language}.wasm`));
    parsers.set(language, new ParserOf().setLanguage(grammar));
  };
  await Promise.all(LANGUAGES.map(load));

  const parse = (language: SyntaxLanguage, text: string, old: Tree | null): Tree => {
    const tree = parsers.get(language)!.parse(text, old);
    if (tree === null) throw new Error(`the ${language} parser gave nothing`);
    return tree;
  };
  const kept = new Map<string, Parsed>();
  const keyed = (key: string): Parsers => ({
    parse(language, text) {
      const before = kept.get(key);
      if (before?.language === language && before.text === text) return before.tree.rootNode;
      const reusable = before?.language === language ? before : null;
      reusable?.tree.edit(editBetween(reusable.text, text));
      const tree = parse(language, text, reusable?.tree ?? null);
      before?.tree.delete();
      kept.set(key, { language, text, tree });
      return tree.rootNode;
    },
  });
  const forget = (key: string) => {
    kept.get(key)?.tree.delete();
    kept.delete(key);
  };
  return {
    once: {
      parse(language, text) {
        forget('');
        return keyed('').parse(language, text);
      },
    },
    ofDocument: keyed,
    forget,
    close() {
      for (const key of [...kept.keys()]) forget(key);
      for (const parser of parsers.values()) parser.delete();
    },
  };
}

/** The smallest replacement that makes one text of the other. */
export function editBetween(before: string, after: string): Edit {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let tail = 0;
  while (
    tail < most - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail++;
  }
  const [oldEnd, newEnd] = [before.length - tail, after.length - tail];
  return {
    startIndex: start,
    oldEndIndex: oldEnd,
    newEndIndex: newEnd,
    startPosition: pointAt(before, start),
    oldEndPosition: pointAt(before, oldEnd),
    newEndPosition: pointAt(after, newEnd),
  };
}

function pointAt(text: string, offset: number): Point {
  let row = 0;
  let lineStart = 0;
  for (let feed = text.indexOf('\n'); feed !== -1 && feed < offset; feed = text.indexOf('\n', feed + 1)) {
    row++;
    lineStart = feed + 1;
  }
  return { row, column: offset - lineStart };
}
