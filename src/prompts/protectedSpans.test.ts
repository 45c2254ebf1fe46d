import { expect, it } from 'vitest';
import { protectedSpans } from './protectedSpans';

const parts = (text: string) =>
  protectedSpans(text).map(({ kind, start, end }) => `${kind}:${text.slice(start, end)}`);

it.each([
  ['Hi {{name}} and ${x}', ['variable:{{name}}', 'variable:${x}']],
  [
    '{{#if x}}a{{/if}} {% for y %} <|im_start|>',
    ['template:{{#if x}}', 'template:{{/if}}', 'template:{% for y %}', 'template:<|im_start|>'],
  ],
  ['Run `npm test` now', ['code:`npm test`']],
  ['```js\nx\n```', ['code:```js\nx\n```']],
  [
    'See https://a.example/b?c=d(e). Or www.b.example!',
    ['url:https://a.example/b?c=d(e', 'url:www.b.example'],
  ],
  ['Write to me@example.com.', ['email:me@example.com']],
  ['Edit src/a/b.ts, ./x/y and /docs/adr/', ['path:src/a/b.ts', 'path:./x/y', 'path:/docs/adr/']],
  ['Return {"a": {"b": [1]}} and "key": value', ['json:{"a": {"b": [1]}}', 'json:"key":']],
  ['[{"a": 1}] but {"open', ['json:[{"a": 1}]']],
  ['<doc id="1">text</doc><br/>', ['tag:<doc id="1">', 'tag:</doc>', 'tag:<br/>']],
  ['---\nname: x\n---\nBody', ['frontMatter:---\nname: x\n---']],
  ['Q: Why?\nA: So\nUser: hi', ['label:Q:', 'label:A:', 'label:User:']],
  ['one\n###\ntwo\n---\n"""', ['delimiter:###', 'delimiter:---', 'delimiter:"""']],
  ['## Title\n1. item', ['delimiter:## ', 'delimiter:1.']],
  ['Call get_user, useState and run()', ['identifier:get_user', 'identifier:useState', 'identifier:run()']],
  [
    'See [the page](http://x.example) or [YOUR NAME]',
    ['reference:](http://x.example)', 'reference:[YOUR NAME]'],
  ],
  ['Say "hello there" to “them”', ['quoted:hello there', 'quoted:them']],
  ['Answer Yes or No.', ['answerLabel:Yes', 'answerLabel:No']],
  ['| a | b |', ['table:| a | b |']],
  ['问题：为什么？', ['label:问题：']],
  ['Plain words, and/or more - that is all: 3 < 4 > 2.', []],
])('%j', (text, expected) => {
  expect(parts(text)).toEqual(expected);
});
