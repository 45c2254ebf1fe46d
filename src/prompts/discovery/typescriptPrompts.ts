/** The grammar of TypeScript and JavaScript, with and without JSX, as discovery needs it. */
import type { Grammar } from './sourcePrompts';
import { calleeName, namedChildren, type SyntaxNode } from './syntax';
import { readScriptText } from './typescriptLiterals';

export function scriptGrammar(source: string): Grammar {
  const textOf = (node: SyntaxNode) => source.slice(node.startIndex, node.endIndex);
  const keyText = (node: SyntaxNode) => textOf(node).replace(/^['"`]|['"`]$/g, '');
  const calleeOf = (call: SyntaxNode) =>
    calleeName(call.childForFieldName('function') ?? call.childForFieldName('constructor'), source).whole;

  return {
    readText: (node, resolve) => readScriptText(node, { source, resolve }),
    slotAt(at) {
      const node = at.type === 'string_fragment' ? at.parent : at;
      const parent = node?.parent;
      if (!node || !parent) return null;
      const named = (field: string, valueField: string, container: SyntaxNode | null = null) => {
        const name = parent.childForFieldName(field);
        const value = parent.childForFieldName(valueField);
        return name?.id === node.id && value !== null ? { name: keyText(node), value, container } : null;
      };
      switch (parent.type) {
        case 'pair':
          return named('key', 'value', parent.parent);
        case 'object':
          return node.type === 'shorthand_property_identifier'
            ? { name: textOf(node), value: node, container: parent }
            : null;
        case 'variable_declarator':
        case 'public_field_definition':
        case 'enum_assignment':
          return named('name', 'value');
        case 'field_definition':
          return named('property', 'value');
        case 'required_parameter':
        case 'optional_parameter':
          return named('pattern', 'value');
        case 'assignment_pattern':
        case 'object_assignment_pattern':
        case 'assignment_expression':
          return named('left', 'right');
        case 'member_expression': {
          const assignment = parent.parent;
          const isLeft =
            assignment?.type === 'assignment_expression' &&
            assignment.childForFieldName('left')?.id === parent.id &&
            parent.childForFieldName('property')?.id === node.id;
          const value = isLeft ? assignment.childForFieldName('right') : null;
          return value === null ? null : { name: textOf(node), value, container: null };
        }
        default:
          return null;
      }
    },
    callAt(node) {
      let callee: SyntaxNode = node;
      if (node.parent?.type === 'member_expression' && node.type === 'property_identifier')
        callee = node.parent;
      const call = callee.parent;
      if (call?.type !== 'call_expression' && call?.type !== 'new_expression') return null;
      const called = call.childForFieldName('function') ?? call.childForFieldName('constructor');
      const args = call.childForFieldName('arguments');
      if (called?.id !== callee.id || args?.type !== 'arguments') return null;
      return { callee: calleeOf(call), positional: namedChildren(args) };
    },
    calleeAround(container) {
      let node: SyntaxNode | null = container;
      for (let depth = 0; depth < 3 && node !== null; depth++) {
        const parent: SyntaxNode | null = node.parent;
        if (parent?.type === 'arguments') return parent.parent === null ? null : calleeOf(parent.parent);
        if (parent?.type !== 'pair') return null;
        node = parent.parent;
      }
      return null;
    },
    entriesOf(node) {
      if (node.type !== 'object') return [];
      return namedChildren(node).flatMap((pair) => {
        const key = pair.type === 'pair' ? pair.childForFieldName('key') : null;
        const value = key === null ? null : pair.childForFieldName('value');
        return key === null || value === null ? [] : [{ name: keyText(key), value }];
      });
    },
    elementsOf: (node) => (node.type === 'array' ? namedChildren(node) : null),
    scopesOf(node) {
      const scopes: string[] = [];
      for (let child = node, at = node.parent; at !== null; child = at, at = at.parent) {
        const field = SCOPES[at.type];
        const name = field === undefined ? null : at.childForFieldName(field);
        if (name !== null && name.id !== child.id && !/pattern$/.test(name.type))
          scopes.unshift(keyText(name).replace(/^this\./, ''));
      }
      return scopes;
    },
    isName: (node) => node.type === 'identifier' || node.type === 'shorthand_property_identifier',
    usedLater: (_name, text) => text,
  };
}

const SCOPES: Record<string, string> = {
  function_declaration: 'name',
  method_definition: 'name',
  class_declaration: 'name',
  variable_declarator: 'name',
  public_field_definition: 'name',
  field_definition: 'property',
  assignment_expression: 'left',
  required_parameter: 'pattern',
  optional_parameter: 'pattern',
  assignment_pattern: 'left',
  object_assignment_pattern: 'left',
  enum_declaration: 'name',
  enum_assignment: 'name',
  pair: 'key',
};
