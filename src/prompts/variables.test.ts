import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserError } from '../contracts/userError';
import { bindVariables, findVariables } from './variables';

const names = (text: string) => findVariables(text).map(({ name, syntax }) => `${syntax}:${name}`);

describe('findVariables', () => {
  it.each([
    ['Hello {{name}}, {{ user.first-name }}', ['mustache:name', 'mustache:user.first-name']],
    ['Triple {{{raw}}}', ['mustache:raw']],
    ['Python {text} and {user.name}', ['brace:text', 'brace:user.name']],
    [
      'JS ${text}, editor ${input:topic} ${input:tone:friendly}',
      ['dollar:text', 'dollar:topic', 'dollar:tone'],
    ],
    ['{greeting}{name}', ['brace:greeting', 'brace:name']],
    ['{"a": {value}, "b": "{{other}}"}', ['brace:value', 'mustache:other']],
    ['名前は{{名前}}です', ['mustache:名前']],
    ['{"a": 1} {a: 1} {a, b} {1} {} { x } {{}} {{#if x}} {{> part}}', []],
    ['`{{x}}` and ``{y}``', []],
    ['```\n{{x}}\n```\n~~~\n${y}\n~~~\n{{z}}', ['mustache:z']],
    ['  - ```js\n    ${x}\n    ```\n{z}', ['brace:z']],
    ['```\nnever closed {{x}}', []],
    ['---\nname: {{x}}\n---\n{{y}}', ['mustache:y']],
    ['\\{{x}} \\{x} \\${x}', []],
    ['$\\frac{x}{y}$, $x_{i}$, $e^{n}$', []],
    ['GET /users/{id} or https://example.com/{id}, from {src}/{dst}', ['brace:src', 'brace:dst']],
  ])('%j', (text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  it('gives every place of a variable, braces included', () => {
    const text = '{{a}} ${b} {{ a }}';
    const [first] = findVariables(text);
    expect(first!.spans.map(({ start, end }) => text.slice(start, end))).toEqual(['{{a}}', '{{ a }}']);
  });
});

describe('bindVariables', () => {
  it('puts values in as they are, and says where', () => {
    const { text, map } = bindVariables('A {{x}} and {y}, \\{{x}}', {
      x: '{y} $& {{x}}',
      y: '🙂',
      unused: '1',
    });
    expect(text).toBe('A {y} $& {{x}} and 🙂, {{x}}');
    expect(map.map(({ name, rendered }) => [name, text.slice(rendered.start, rendered.end)])).toEqual([
      ['x', '{y} $& {{x}}'],
      ['y', '🙂'],
    ]);
  });

  it('names every variable that has no value, also those that objects inherit', () => {
    const bind = () => bindVariables('{{a}} {{toString}} {{b}}', { b: '' });
    expect(bind).toThrow(UserError);
    expect(bind).toThrow(/no value: a, toString\./);
    try {
      bind();
    } catch (error) {
      expect((error as UserError).code).toBe('unboundVariables');
      expect((error as UserError).hint).toContain('--var a=… --var toString=…');
    }
  });

  it('keeps everything else, whatever the values', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (x, y) => {
        const { text, map } = bindVariables('<{{x}}|{y}|{{x}}>', { x, y });
        expect(text).toBe(`<${x}|${y}|${x}>`);
        expect(map).toHaveLength(3);
      }),
    );
  });
});
