/** Literals of JavaScript and TypeScript against what the engine itself makes of them. */
import vm from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discoverIn, snapped } from '../../../test/discovery/discoverIn';
import { toDocumentSpans } from '../discover';

const P = 'You are a kind assistant. ';

/** The published `dedent`, in the few lines that matter here: the text is cooked, then lines lose their smallest indent. */
function dedentOracle(strings: TemplateStringsArray, ...values: unknown[]): string {
  const text = String.raw({ raw: strings }, ...values);
  const lines = text.split('\n');
  const indents = lines.map((line) => /^(\s+)\S+/.exec(line)?.[1]?.length ?? Infinity);
  const width = Math.min(...indents);
  const cut = (line: string) => (/^[ \t]/.test(line) && width !== Infinity ? line.slice(width) : line);
  return lines.map(cut).join('\n').trim();
}

const any = (name: string) => `\${${name}}`;
const NAMES = {
  name: any('name'),
  a: any('a'),
  b: any('b'),
  user: { name: any('user.name'), 'full name': any('user_full_name') },
  items: { map: () => ({ join: () => any('items_map_i_i_join') }) },
  isLong: true,
  dedent: dedentOracle,
  prompt: (strings: TemplateStringsArray, ...values: unknown[]) => String.raw({ raw: strings }, ...values),
  f: () => any('f_x_a'),
};

/** Name and source of an expression. `javascript` differs where types stand in it. */
const CASES: [name: string, source: string, javascript?: string][] = [
  ['double', `"${P}Answer in one word."`],
  ['single with an apostrophe', `'${P}Don\\'t explain.'`],
  ['template', `\`${P}Answer.\``],
  ['line feed', `"${P}\\nAnswer.\\n"`],
  ['tab escape', `"${P}a\\tb"`],
  ['tab itself', `"${P}a\tb"`],
  ['carriage return escape', `"${P}\\r\\nAnswer."`],
  ['b f v', `"${P}\\b\\f\\v end"`],
  ['zero', `"${P}\\0 end"`],
  ['old octal', `"${P}\\101\\60\\377\\7 end"`],
  ['eight and nine', `"${P}\\8\\9 end"`],
  ['hex', `"${P}\\x41\\xe9 end"`],
  ['u', `"${P}\\u00e9\\u2014 end"`],
  ['u of a surrogate pair', `"${P}\\ud83d\\ude00 end"`],
  ['u with braces', `"${P}\\u{1F600}\\u{e9}\\u{000041} end"`],
  ['surrogate pair itself', `"${P}😀 and 👩‍👩‍👧 end"`],
  ['lone surrogate', `"${P}\\ud83d end"`],
  ['combining marks', `"${P}e\u0301 n\u0303 end"`],
  ['right to left', `"${P}שלום עולם مرحبا end"`],
  ['chinese', '"你是一个有帮助的助手。请用一句话回答用户的问题，不要解释。"'],
  ['line separators', `"${P}\u2028 and \u2029 end"`],
  ['useless escapes', `"${P}\\a\\d\\- end"`],
  ['backslash', `"${P}C:\\\\temp"`],
  ['quotes', `"${P}Say \\"yes\\", 'no' or \\\`maybe\\\`."`],
  ['continued line', `"${P}\\\nAnswer."`],
  ['continued twice', `"${P}\\\n\\\nAnswer."`],
  ['template over lines', `\`${P}\nAnswer\n  indented.\n\``],
  ['template with tabs', `\`${P}\n\tone\n\t\ttwo\n\``],
  ['template continued', `\`${P}\\\nAnswer.\``],
  ['template with blanks', `\`  ${P}  \n\n  Answer.  \``],
  ['template escapes', `\`${P}\\n\\u{1F600}\\x41 \\\${no} \\\` end\``],
  ['dollar alone', `\`${P}Costs $5 or $ {x}.\``],
  ['interpolation', `\`${P}Your name is \${name}.\``],
  ['two interpolations', `\`${P}\${a}\${b} and \${a}.\``],
  ['interpolation of a property', `\`${P}Hello \${user.name}.\``],
  ['interpolation of an index', `\`${P}Hello \${user["full name"]}.\``],
  ['interpolation of a call', `\`${P}List: \${items.map((i) => i).join(", ")}.\``],
  ['interpolation with blanks', `\`${P}\${ name }\n\${\n  a\n}\``],
  ['interpolation of a template', `\`${P}\${\`inner \${a} text\`} end\``],
  ['interpolation of a literal', `\`${P}\${"a\\tb"} end\``],
  ['nested templates in a call', `\`${P}\${f(\`x \${a}\`)} end\``],
  ['escape beside interpolation', `\`${P}\\n\${name}\\n\``],
  ['surrogates beside interpolation', `\`${P}😀\${name}😀\``],
  ['sum', `"${P}" + "Answer."`],
  ['sum of kinds', `"${P}" + 'One.\\n' + \`Two \${a}.\``],
  ['sum with a value', `"${P}" + name + ", answer."`],
  ['sum with a property first', `user.name + ": ${P}"`],
  ['sum over lines', `"${P}\\n" +\n  "Answer.\\n" +\n  "Now."`],
  ['sum with comments', `"${P}" /* middle */ + // first\n  "Answer."`],
  ['parentheses', `("${P}" + ("One." + "Two."))`],
  ['join', `["${P}", "Answer.", 'Now.'].join("\\n")`],
  ['join over lines', `[\n  "${P}",\n  \`Answer \${a}.\`,\n].join("\\n\\n")`],
  ['join with nothing', `["${P}", "Answer."].join("")`],
  ['join with a value', `["${P}", name, "Now."].join(" ")`],
  ['join with commas', `["${P}", "Answer."].join()`],
  ['trim', `\`\n${P}\nAnswer.\n\`.trim()`],
  ['trimStart', `\`\n  ${P}\n\`.trimStart()`],
  ['trimEnd', `\`\n${P}  \n\`.trimEnd()`],
  ['raw', `String.raw\`${P}\\n stays, \\d+ too \${a}\``],
  ['dedent', `dedent\`\n    ${P}\n      Answer \${a}.\n\n    Now.\n  \``],
  ['dedent of tabs', `dedent\`\n\t\t${P}\n\t\t\tAnswer.\n\t\``],
  ['another tag', `prompt\`${P}Hello \${name}.\``],
  ['as const', `"${P}Fine." as const`, `"${P}Fine."`],
  ['satisfies', `\`${P}Fine.\` satisfies string`, `\`${P}Fine.\``],
  ['non-null', `("${P}Fine.")!`, `"${P}Fine."`],
  ['mustache stays', `"${P}Hello {{name}}."`],
  ['json stays', `\`${P}Answer as {"a": 1, "b": {"c": []}}.\``],
];

const evaluate = (source: string): unknown => {
  try {
    return vm.runInNewContext(`(${source})`, NAMES);
  } catch {
    return undefined;
  }
};

/** What a range of the source says, in whichever quotation marks it stands. */
function meanings(part: string): unknown[] {
  return [part, ...['`', '"', "'"].map((mark) => evaluate(mark + part + mark)), evaluate(part)];
}

const withEnds = CASES.flatMap(([name, source, javascript = source]) =>
  source.includes('\n')
    ? [
        [`${name}, LF`, source, javascript] as const,
        [`${name}, CRLF`, source.replaceAll('\n', '\r\n'), javascript.replaceAll('\n', '\r\n')] as const,
      ]
    : [[name, source, javascript] as const],
);

/** Where a prompt may stand; `{}` is the expression. */
const PLACES: [file: string, before: string, after: string][] = [
  ['a.ts', '// a comment 😀\nexport const systemPrompt = ', ';\n'],
  ['a.tsx', 'const view = <p>words and more words</p>;\nconst x = { systemPrompt: ', ' };\n'],
  ['a.mjs', "import OpenAI from 'openai';\nawait client.responses.create({ model, instructions: ", ' });\n'],
];

describe('literals of JavaScript and TypeScript', () => {
  it('are more than seventy', () => expect(withEnds.length).toBeGreaterThan(70));

  for (const [index, [name, source, javascript]] of withEnds.entries()) {
    it(name, () => {
      const text = evaluate(javascript);
      expect(text).toBeTypeOf('string');
      // Types stand in TypeScript only; elsewhere every place has its turn.
      const [file, before, after] = PLACES[source === javascript ? index % PLACES.length : 0]!;
      const document = before + source + after;
      const found = discoverIn(file, document);
      expect(found.map((prompt) => prompt.text)).toEqual([text]);
      const prompt = found[0]!;
      expect(document.slice(prompt.span.start, prompt.span.end)).toBe(source);
      for (const { start, end, source: at, verbatim } of prompt.sourceMap) {
        const part = document.slice(at.start, at.end);
        if (verbatim) expect(part).toBe(prompt.text.slice(start, end));
        else if (/^\r\n?$/.test(part)) expect(prompt.text.slice(start, end)).toBe('\n');
        else expect(meanings(part)).toContain(prompt.text.slice(start, end));
      }
      // Of raw text a part cannot be read on its own.
      if (source.startsWith('String.raw')) return;
      fc.assert(
        fc.property(fc.nat(prompt.text.length), fc.nat(prompt.text.length), (a, b) => {
          const span = snapped(prompt, Math.min(a, b), Math.max(a, b));
          fc.pre(span.end > span.start);
          const written = prompt.sourceMap
            .map((piece) =>
              prompt.text.slice(Math.max(span.start, piece.start), Math.min(span.end, piece.end)),
            )
            .join('');
          const said = toDocumentSpans(prompt, span).map(({ start, end }) => document.slice(start, end));
          // Read one by one and put together, the ranges of the source say what the span of the text says.
          const readings = said.reduce<Set<string>>(
            (heads, part) =>
              new Set(
                [...heads].flatMap((head) =>
                  meanings(part).flatMap((tail) => {
                    const whole = head + String(tail);
                    return typeof tail === 'string' && written.startsWith(whole) ? [whole] : [];
                  }),
                ),
              ),
            new Set(['']),
          );
          expect([...readings]).toContain(written);
        }),
        { numRuns: 40, seed: 7 },
      );
    });
  }
});
