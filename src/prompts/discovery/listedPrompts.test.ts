/** Texts through the escapes of YAML and JSON. */
import { describe, expect, it } from 'vitest';
import { discoverIn, summary } from '../../../test/discovery/discoverIn';
import { toDocumentSpans } from '../discover';
import { promptReferences } from './promptfooYaml';

const BODIES = [
  'Tell of {{topic}}.',
  'Say "yes" or \'no\', nothing else.',
  'One\nTwo\n\nThree.',
  'Tabs\there, 😀 there, שלום too.',
  'e\u0301 and \\ and # no comment.',
  '  indented first\nthen not.',
  'Ends with a line.\n',
  'Numbers: 1. one 2. two',
];

describe('promptfoo', () => {
  const quoted = (text: string) => JSON.stringify(text);
  const single = (text: string) => `'${text.replaceAll("'", "''").replace(/\n/g, '\n\n    ')}'`;
  const literal = (text: string) =>
    `|${/^ /.test(text) ? '2' : ''}${text.endsWith('\n') ? '' : '-'}\n${text.replace(/\n$/, '').replace(/^(?=.)/gm, '    ')}`;
  const styles = { quoted, single, literal };
  for (const [style, write] of Object.entries(styles)) {
    for (const [index, body] of BODIES.entries()) {
      if (style === 'single' && /\n\n|\n$|^ /.test(body)) continue;
      for (const ends of ['\n', '\r\n']) {
        it(`${style}, text ${index}, ${ends === '\n' ? 'LF' : 'CRLF'}`, () => {
          const yaml = `# 😀\nproviders: [x]\nprompts:\n  - ${write(body)}\n`.replaceAll('\n', ends);
          const [found] = discoverIn('promptfooconfig.yaml', yaml);
          expect(found?.text).toBe(body);
          for (const { start, end, source, verbatim } of found!.sourceMap) {
            const part = yaml.slice(source.start, source.end);
            if (verbatim) expect(part).toBe(body.slice(start, end));
            else if (/^\s+$/.test(part)) expect(body.slice(start, end)).toMatch(/^\s+$/);
            else
              expect([`"${part}"`, `"${part.replace("''", "'")}"`].map((json) => safely(json))).toContain(
                body.slice(start, end),
              );
          }
        });
      }
    }
  }

  it('takes labels, chats as JSON, values of the first test, and lists what it only refers to', () => {
    const yaml = [
      'providers: [x]',
      'prompts:',
      '  - file://prompts/a.txt',
      '  - label: chat',
      `    raw: '[{"role": "system", "content": "It''s \\"you\\"."}, {"role": "user", "content": "Hi\\n{{q}} {x}"}]'`,
      'tests:',
      '  - vars: { q: why, n: 3 }',
    ].join('\n');
    const found = discoverIn('promptfooconfig.yaml', yaml);
    expect(summary(found).map(({ symbol, role, text }) => [symbol, role, text])).toEqual([
      ['chat.system', 'system', 'It\'s "you".'],
      ['chat.user', 'user', 'Hi\n{{q}} {x}'],
    ]);
    expect(found[1]!.variables.map(({ name }) => name)).toEqual(['q']);
    expect(found[1]!.values).toEqual({ q: 'why', n: '3' });
    const spans = toDocumentSpans(found[0]!, { start: 0, end: 10 });
    expect(spans.map(({ start, end }) => yaml.slice(start, end)).join('')).toBe(`It''s \\"you\\"`);
    expect(promptReferences('promptfooconfig.yaml', yaml)).toEqual([
      { reference: 'file://prompts/a.txt', line: 3 },
    ]);
  });
});

describe('notebooks', () => {
  const notebook = (cells: (string | string[])[], language = 'python') =>
    JSON.stringify(
      {
        cells: cells.map((source) => ({ cell_type: 'code', metadata: {}, outputs: [], source })),
        metadata: { kernelspec: { language } },
      },
      null,
      1,
    );
  for (const [index, body] of BODIES.entries()) {
    it(`text ${index}, through the escapes of Python and of JSON`, () => {
      const code = `%pip install x\nimport openai\nsystem_prompt = ${JSON.stringify(`You are kind. ${body}`)}\n`;
      for (const source of [code, code.split(/(?<=\n)/)]) {
        const text = notebook(['1 + 1', source]);
        const [found] = discoverIn('a.ipynb', text);
        expect(found).toMatchObject({ text: `You are kind. ${body}`, cell: 1, symbol: 'system_prompt' });
        for (const { start, end, source: at, verbatim } of found!.sourceMap) {
          const part = text.slice(at.start, at.end);
          if (verbatim) expect(part).toBe(found!.text.slice(start, end));
          else expect(safely(`"${String(safely(`"${part}"`))}"`)).toBe(found!.text.slice(start, end));
        }
      }
    });
  }

  it('in TypeScript are read as such', () => {
    const [found] = discoverIn(
      'a.ipynb',
      notebook(['const systemPrompt = `You are ${who}, be kind.`'], 'typescript'),
    );
    expect(found?.text).toBe('You are ${who}, be kind.');
  });
});

function safely(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
