/** The grammar of Python as discovery needs it. */
import { readFormat } from './readFormat';
import { formatField, readPythonText } from './pythonLiterals';
import type { Grammar } from './sourcePrompts';
import { calleeName, namedChildren, type SyntaxNode } from './syntax';

export function pythonGrammar(source: string): Grammar {
  const textOf = (node: SyntaxNode) => source.slice(node.startIndex, node.endIndex);
  const keyText = (node: SyntaxNode) =>
    textOf(node).replace(/^[A-Za-z]{0,2}(?:"""|'''|["'])|["']{1,3}$/g, '');
  const nameOf = (node: SyntaxNode) => (node.type === 'string' ? keyText(node) : textOf(node));
  const formatted = new Set(
    [...source.matchAll(/([\p{L}_][\p{L}\p{N}_]*)\.format(?:_map)?\(/gu)].map(([, name]) => name),
  );

  return {
    readText: (node, resolve) => readPythonText(node, { source, resolve }),
    slotAt(at) {
      const inString = at.type === 'string_content' || at.type === 'string_start' || at.type === 'string_end';
      const node = inString ? at.parent : at;
      const parent = node?.parent;
      if (!node || !parent) return null;
      const named = (field: string, valueField: string, container: SyntaxNode | null = null) => {
        const name = parent.childForFieldName(field);
        const value = parent.childForFieldName(valueField);
        return name?.id === node.id && value !== null ? { name: nameOf(node), value, container } : null;
      };
      switch (parent.type) {
        case 'assignment':
          return named('left', 'right');
        case 'named_expression':
        case 'default_parameter':
        case 'typed_default_parameter':
          return named('name', 'value');
        case 'keyword_argument':
          return named('name', 'value', parent.parent);
        case 'pair':
          return named('key', 'value', parent.parent);
        case 'attribute': {
          const assignment = parent.parent;
          const isLeft =
            assignment?.type === 'assignment' &&
            assignment.childForFieldName('left')?.id === parent.id &&
            parent.childForFieldName('attribute')?.id === node.id;
          const value = isLeft ? assignment.childForFieldName('right') : null;
          return value === null ? null : { name: textOf(node), value, container: null };
        }
        default:
          return null;
      }
    },
    callAt(node) {
      const isAttribute =
        node.parent?.type === 'attribute' && node.parent.childForFieldName('attribute')?.id === node.id;
      const callee = isAttribute ? node.parent! : node;
      const call = callee.parent;
      if (call?.type !== 'call' || call.childForFieldName('function')?.id !== callee.id) return null;
      const args = call.childForFieldName('arguments');
      if (args?.type !== 'argument_list') return null;
      return {
        callee: calleeName(callee, source).whole,
        positional: namedChildren(args).filter(({ type }) => type !== 'keyword_argument'),
      };
    },
    calleeAround(container) {
      let node: SyntaxNode | null = container;
      for (let depth = 0; depth < 4 && node !== null; depth++) {
        if (node.type === 'argument_list') {
          return calleeName(node.parent?.childForFieldName('function') ?? null, source).whole || null;
        }
        if (!['dictionary', 'pair', 'keyword_argument'].includes(node.type)) return null;
        node = node.parent;
      }
      return null;
    },
    entriesOf(node) {
      if (node.type !== 'dictionary') return [];
      return namedChildren(node).flatMap((pair) => {
        const key = pair.type === 'pair' ? pair.childForFieldName('key') : null;
        const value = key === null ? null : pair.childForFieldName('value');
        return key === null || value === null ? [] : [{ name: nameOf(key), value }];
      });
    },
    elementsOf: (node) => (node.type === 'list' || node.type === 'tuple' ? namedChildren(node) : null),
    scopesOf(node) {
      const scopes: string[] = [];
      for (let child = node, at = node.parent; at !== null; child = at, at = at.parent) {
        const field = SCOPES[at.type];
        const name = field === undefined ? null : at.childForFieldName(field);
        if (name !== null && name.id !== child.id && !/pattern$/.test(name.type))
          scopes.unshift(nameOf(name).replace(/^self\./, ''));
      }
      return scopes;
    },
    isName: (node) => node.type === 'identifier',
    usedLater: (name, text) => (formatted.has(name) ? readFormat(text, formatField()) : text),
  };
}

const SCOPES: Record<string, string> = {
  function_definition: 'name',
  class_definition: 'name',
  assignment: 'left',
  named_expression: 'name',
  default_parameter: 'name',
  typed_default_parameter: 'name',
  keyword_argument: 'name',
  pair: 'key',
};
