/**
 * Prompts in source code, whatever its language: by the call that takes them, by their name, by a comment. A language brings its
 * grammar. The words that can mean a prompt are looked for first; a file without one is not even parsed.
 */
import type { FoundBecause } from '../../contracts/foundPrompt';
import { readFormat } from './readFormat';
import type { Candidate } from './foundPrompts';
import { holeOf } from './holeNames';
import type { MappedText } from './mappedText';
import {
  argumentRole,
  firstArgument,
  isModelCall,
  readsBraces,
  roleOf,
  takesRolePairs,
  type Role,
} from './modelCalls';
import { nameStrength, readsAsPrompt, roleByName, usesModels } from './promptNames';
import type { SyntaxNode } from './syntax';

/** A name and the value that it is given. */
export interface Slot {
  name: string;
  value: SyntaxNode;
  /** The object, dictionary or argument list that the name stands in; null for a variable. */
  container: SyntaxNode | null;
}

export interface CallArguments {
  callee: string;
  /** Unnamed ones. */
  positional: SyntaxNode[];
}

/** What a language's syntax tree means to discovery. */
export interface Grammar {
  /** The text of an expression; `resolve` gives that of a name. */
  readText(node: SyntaxNode, resolve: (name: string) => MappedText | null): MappedText | null;
  /** What is named by the node, where it is a name. */
  slotAt(node: SyntaxNode): Slot | null;
  /** The call whose function's last name the node is. */
  callAt(node: SyntaxNode): CallArguments | null;
  /** The callee of the call that an object or an argument list is given to, also inside of another one of its objects. */
  calleeAround(container: SyntaxNode): string | null;
  entriesOf(node: SyntaxNode): { name: string; value: SyntaxNode }[];
  /** Elements of a list or a tuple; null for anything else. */
  elementsOf(node: SyntaxNode): SyntaxNode[] | null;
  /** Names of functions, classes, variables and keys around a node, outermost first. */
  scopesOf(node: SyntaxNode): string[];
  isName(node: SyntaxNode): boolean;
  /** What the file does later to the text of a named constant: `name.format(…)`. */
  usedLater(name: string, text: MappedText): MappedText;
}

const ANCHOR =
  /prompt|instruct|system|preamble|backstory|\brole\b|\bfrom_?(?:template|messages)\b|generate_?content|\b(?:human|user)message|(?:llm|model|chat|claude|gpt|openai|agent)\.(?:a?invoke|a?predict|call|stream|a?complete|generate|ask|run)\b|chatmessage\.user\b|\b(?:inputs?|contents?|template|goal|prefix|suffix)\b(?=["']?\s*[:=])|evenkeel:/gi;

/** Whether a text has a word that can mean a prompt. Without one there is nothing to parse for. */
export const mayHavePrompts = (source: string) => new RegExp(ANCHOR.source, 'i').test(source);

const MARK = /\bevenkeel:\s*(prompt|not[ -]a[ -]prompt|ignore)\b/i;
const BARE_MARK = /^(?:\/\*+|\/\/|#)\s*(prompt)\s*(?:\*+\/)?$/i;

export function findInSource(root: SyntaxNode, source: string, grammar: Grammar): Candidate[] {
  const candidates: Candidate[] = [];
  const silenced: { start: number; end: number }[] = [];
  const seen = new Set<number>();
  const known = usesModels(source);
  const definitions = new Map<string, SyntaxNode | null>();

  const definitionOf = (name: string): SyntaxNode | null => {
    const cached = definitions.get(name);
    if (cached !== undefined) return cached;
    definitions.set(name, null);
    const pattern = new RegExp(
      `(?<![\\w$.])${name.replaceAll('$', '\\$')}(?:\\s*:[^=\\n]{1,80})?\\s*=(?![=>])`,
      'gu',
    );
    const values = [...source.matchAll(pattern)].flatMap(({ index }) => {
      const node = root.descendantForIndex(index);
      const slot = node === null ? null : grammar.slotAt(node);
      return slot !== null && slot.container === null && slot.name === name ? [slot.value] : [];
    });
    const only = values.length === 1 ? values[0]! : null;
    definitions.set(name, only);
    return only;
  };
  const resolving = new Set<string>();
  const resolve = (name: string): MappedText | null => {
    if (resolving.has(name)) return null;
    const definition = definitionOf(name);
    if (definition === null || grammar.isName(definition)) return null;
    resolving.add(name);
    const text = grammar.readText(definition, resolve);
    resolving.delete(name);
    return text;
  };

  const textOf = (node: SyntaxNode) => source.slice(node.startIndex, node.endIndex);
  const langChain = (text: MappedText) =>
    readFormat(text, (field) =>
      /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u.test(field) ? holeOf(field, 'brace') : null,
    );

  interface Use {
    trust: 'marked' | 'call' | 'strong' | 'weak';
    because: FoundBecause;
    role: Role | null;
    braces?: boolean;
    /** Put behind the names around it. */
    suffix?: string;
  }
  const take = (given: SyntaxNode, use: Use): boolean => {
    let node = given;
    if (grammar.isName(given)) {
      // Text that a call takes by the name of a constant stands where the constant is defined.
      const definition = use.because === 'call' ? definitionOf(textOf(given)) : null;
      if (definition === null || grammar.isName(definition)) return false;
      node = definition;
    }
    const read = grammar.readText(node, resolve);
    if (read === null) return false;
    const scopes = grammar.scopesOf(node);
    const name = scopes.at(-1) ?? '';
    const mapped = use.braces === true ? langChain(read) : grammar.usedLater(name, read);
    const words = withoutHoles(mapped);
    if (!readsAsPrompt(words, { trust: use.trust, variables: mapped.holes.length, known })) return false;
    const values = Object.fromEntries(
      mapped.holes.flatMap((hole) => {
        const value = hole.name === hole.expression ? resolve(hole.name) : null;
        return value === null || value.holes.length > 0 ? [] : [[hole.name, value.text]];
      }),
    );
    candidates.push({
      mapped,
      symbol: use.suffix === undefined || node !== given ? scopes : [...aroundMessage(scopes), use.suffix],
      because: use.because,
      role: use.role,
      span: { start: node.startIndex, end: node.endIndex },
      values,
    });
    return true;
  };
  /** A text, or a list of texts. */
  const takeAny = (value: SyntaxNode, use: Use) => {
    if (take(value, use)) return;
    for (const element of grammar.elementsOf(value) ?? []) take(element, use);
  };

  const takeMessage = (container: SyntaxNode) => {
    const entries = grammar.entriesOf(container);
    const roleNode = entries.find(({ name }) => name === 'role')?.value;
    const role = roleNode === undefined ? null : roleOf(textOf(roleNode).replace(/^['"`]|['"`]$/g, ''));
    const content = entries.find(({ name }) => name === 'content' || name === 'parts')?.value;
    if (role === null || content === undefined) return;
    const use: Use = { trust: 'call', because: 'call', role, suffix: role };
    if (take(content, use)) return;
    for (const part of grammar.elementsOf(content) ?? []) {
      const text = grammar.entriesOf(part).find(({ name }) => name === 'text')?.value;
      take(text ?? part, use);
    }
  };

  const takeSlot = ({ name, value, container }: Slot) => {
    if (name === 'role' && container !== null) return takeMessage(container);
    const role = argumentRole(name);
    const callee = container === null || role === undefined ? null : grammar.calleeAround(container);
    if (callee !== null && role !== undefined && isModelCall(callee)) {
      return takeAny(value, { trust: 'call', because: 'call', role, braces: readsBraces(callee) });
    }
    const message =
      name === 'content' && container !== null ? firstArgument(grammar.calleeAround(container) ?? '') : null;
    if (message !== null) {
      return takeAny(value, { trust: 'call', because: 'call', role: message.role, braces: message.braces });
    }
    const strength = nameStrength(name);
    if (strength === null) return;
    const use: Use = { trust: strength, because: 'name', role: roleByName(name) };
    if (take(value, use)) return;
    for (const entry of grammar.entriesOf(value)) take(entry.value, use);
    for (const element of grammar.elementsOf(value) ?? []) take(element, use);
  };

  const takeCall = ({ callee, positional }: CallArguments) => {
    const first = positional[0];
    if (first === undefined) return;
    if (takesRolePairs(callee)) {
      for (const pair of grammar.elementsOf(first) ?? []) {
        const [roleNode, text] = grammar.elementsOf(pair) ?? [];
        if (roleNode === undefined || text === undefined) continue;
        const role = roleOf(textOf(roleNode).replace(/^['"`]|['"`]$/g, ''));
        if (role !== null) take(text, { trust: 'call', because: 'call', role, braces: true, suffix: role });
      }
      return;
    }
    const argument = firstArgument(callee);
    if (argument === null) return;
    takeAny(first, { trust: 'call', because: 'call', role: argument.role, braces: argument.braces });
  };

  const takeComment = (comment: SyntaxNode) => {
    const text = textOf(comment);
    const mark = (MARK.exec(text) ?? BARE_MARK.exec(text.trim()))?.[1]?.toLowerCase();
    if (mark === undefined) return;
    const target = commented(comment, source);
    if (target === null) return;
    if (mark !== 'prompt') {
      silenced.push({ start: target.startIndex, end: target.endIndex });
      return;
    }
    const marked = firstText(
      target,
      (node) => !grammar.isName(node) && grammar.readText(node, resolve) !== null,
    );
    if (marked !== null) {
      const name = grammar.scopesOf(marked).at(-1) ?? '';
      take(marked, { trust: 'marked', because: 'comment', role: roleByName(name) });
    }
  };

  for (const match of source.matchAll(ANCHOR)) {
    // A quotation mark of the lookahead is no part of it: the last character is in the last name.
    const node = root.descendantForIndex(match.index + match[0].replace(/:$/, '').length - 1);
    if (node === null || seen.has(node.id)) continue;
    seen.add(node.id);
    if (node.type === 'comment') takeComment(node);
    else {
      const slot = grammar.slotAt(node);
      if (slot !== null) takeSlot(slot);
      const call = grammar.callAt(node);
      if (call !== null) takeCall(call);
    }
  }
  return candidates.filter(
    ({ span }) => !silenced.some(({ start, end }) => span.start >= start && span.end <= end),
  );
}

/** The keys inside of a message say nothing. */
function aroundMessage(scopes: string[]): string[] {
  const last = scopes.at(-1);
  return last === 'content' || last === 'text' || last === 'parts'
    ? aroundMessage(scopes.slice(0, -1))
    : scopes;
}

/** A value that is put in says nothing about the words around it. */
function withoutHoles({ text, holes }: MappedText): string {
  let words = '';
  let done = 0;
  for (const { start, end } of holes) {
    words += text.slice(done, start);
    done = end;
  }
  return words + text.slice(done);
}

/** What a comment is about: what stands before it on its line, else what follows. */
function commented(comment: SyntaxNode, source: string): SyntaxNode | null {
  const lineStart = source.lastIndexOf('\n', comment.startIndex - 1) + 1;
  let next = comment.nextNamedSibling;
  while (next !== null && next.type === 'comment') next = next.nextNamedSibling;
  if (source.slice(lineStart, comment.startIndex).trim() === '') {
    return next ?? comment.parent?.nextNamedSibling ?? null;
  }
  const isInside = next !== null && !source.slice(comment.endIndex, next.startIndex).includes('\n');
  if (isInside) return next;
  const siblings = comment.parent?.namedChildren ?? [];
  let before: SyntaxNode | null = null;
  for (const sibling of siblings) {
    if (sibling === null || sibling.startIndex >= comment.startIndex) break;
    if (sibling.type !== 'comment') before = sibling;
  }
  return before ?? next;
}

/** The outermost text in a node, the first where there are several. */
function firstText(node: SyntaxNode, isText: (node: SyntaxNode) => boolean): SyntaxNode | null {
  if (isText(node)) return node;
  for (const child of node.namedChildren) {
    if (child === null || child.type === 'comment') continue;
    const found = firstText(child, isText);
    if (found !== null) return found;
  }
  return null;
}
