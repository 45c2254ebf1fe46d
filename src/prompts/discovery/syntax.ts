/** What discovery needs of a syntax tree; tree-sitter's nodes have this shape. Indices are UTF-16 code units. */
export interface SyntaxNode {
  readonly id: number;
  readonly type: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly parent: SyntaxNode | null;
  readonly namedChildren: readonly (SyntaxNode | null)[];
  readonly nextNamedSibling: SyntaxNode | null;
  childForFieldName(name: string): SyntaxNode | null;
  descendantForIndex(start: number, end?: number): SyntaxNode | null;
}

export type SyntaxLanguage = 'typescript' | 'tsx' | 'python';

/** Parsers that are loaded already. `parse` takes the text of a whole document and gives the root of its tree. */
export interface Parsers {
  parse(language: SyntaxLanguage, text: string): SyntaxNode;
}

export const namedChildren = (node: SyntaxNode): SyntaxNode[] =>
  node.namedChildren.filter((child): child is SyntaxNode => child !== null && child.type !== 'comment');

/** The last name of `a.b.c`, `new C`, `f<T>`: what a call is known by. `whole` is the text without spaces. */
export function calleeName(node: SyntaxNode | null, source: string): { last: string; whole: string } {
  const whole = node === null ? '' : source.slice(node.startIndex, node.endIndex).replace(/\s+/g, '');
  return { last: /([\w$]+)$/.exec(whole)?.[1] ?? '', whole };
}
