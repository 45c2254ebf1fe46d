/** Prompt files in the shapes that people's files have: most braces in them are examples, not variables. */
import { describe, expect, it } from 'vitest';
import { discoverIn } from '../../../test/discovery/discoverIn';

const FENCE = '```';
const head = (name: string) => `---\nname: ${name}\ndescription: 'Does {this} and \${that}.'\n---\n\n`;

/** File, its text, the first line of the prompt, its variables. */
const FILES: [file: string, text: string, line: number, variables: string[]][] = [
  ['planner.agent.md', `${head('planner')}# Planner\n\nYou plan. Never write code.\n`, 6, []],
  [
    'record/SKILL.md',
    `${head('record')}Create a record for \`\${input:Title}\`.\n\n- **Why**: \`\${input:Why}\`\n`,
    6,
    ['Title', 'Why'],
  ],
  ['review.prompt.md', `Review \${input:file:the file} for {{language}}.\n`, 1, ['file', 'language']],
  [
    'plan/SKILL.md',
    `${head('plan')}Write this:\n\n${FENCE}markdown\n**Root:** {ROOT}\n| Total | {n} |\n${FENCE}\n`,
    6,
    [],
  ],
  [
    'jsx.agent.md',
    `${head('jsx')}Turn refs around:\n\n${FENCE}tsx\nreturn <input ref={ref} style={{ color }} />;\n${FENCE}\n`,
    6,
    [],
  ],
  ['proptypes.agent.md', `${head('p')}For every file with \`.propTypes = {}\`, add \`{name}\`.\n`, 6, []],
  [
    'server.instructions.md',
    `${head('s')}Use \`new Template('resource://{param}')\` and GET /users/{id}.\n`,
    6,
    [],
  ],
  ['shell/SKILL.md', `${head('sh')}~~~bash\necho "\${HOME} {{ not }}"\n~~~\n\nThen stop.\n`, 6, []],
  [
    'fence.prompt.md',
    `Answer {{q}}.\n\n- in a list:\n  ${FENCE}json\n  {"a": "{{b}}"}\n  ${FENCE}\n`,
    1,
    ['q'],
  ],
  ['open.prompt.md', `Answer {{q}}.\n\n${FENCE}\nnever closed {{b}}\n`, 1, ['q']],
  ['latex.prompt', 'Solve \\frac{x}{y} for x_{i} and {value}.\n', 1, ['value']],
  ['mail.prompty', '---\nname: mail\nsample:\n  who: Ann\n---\nsystem:\nWrite to {{who}}.\n', 6, ['who']],
  ['json.prompt.txt', 'Answer as {"label": "x", "score": {}} for {text}.\n', 1, ['text']],
  ['escaped.prompt', 'Write \\{{name}} as it is, and {{other}}.\n', 1, ['other']],
  ['crlf.prompt.md', '---\r\nname: x\r\n---\r\n\r\nYou are {{who}}.\r\n', 5, ['who']],
  ['AGENTS.md', '# Build\n\nRun `npm test -- ${NAME}` first.\n', 1, []],
  ['CLAUDE.md', '\uFEFF# Rules\n\nBe brief.\n', 1, []],
  [
    'vue.agent.md',
    `${head('vue')}Show \`{{ value }}\` in templates:\n\n${FENCE}vue\n<p>{{ value }}</p>\n${FENCE}\n`,
    6,
    [],
  ],
  ['config/SKILL.md', `${head('c')}| key | value |\n| --- | --- |\n| \`a\` | \`\${env:A}\` |\n`, 6, []],
  [
    'nested.agent.md',
    `${head('n')}${FENCE}${FENCE}\n${FENCE}\n{{ a }}\n${FENCE}\n${FENCE}${FENCE}\n\nDone {{b}}.\n`,
    6,
    ['b'],
  ],
];

describe('prompt files', () => {
  for (const [file, text, line, variables] of FILES) {
    it(`${file} is one prompt with the variables [${variables.join(', ')}]`, () => {
      const [found, ...more] = discoverIn(file, text);
      expect(more).toEqual([]);
      expect(found).toMatchObject({ id: file, symbol: '', because: 'file', line });
      expect(found!.variables.map(({ name }) => name)).toEqual(variables);
      expect(text.slice(found!.span.start, found!.span.end)).toBe(found!.text);
      for (const { spans } of found!.variables) {
        for (const { start, end } of spans) expect(found!.text.slice(start, end)).toMatch(/^[{$].*\}$/);
      }
    });
  }

  it('with values of their own give them', () => {
    const [, text] = FILES.find(([file]) => file === 'mail.prompty')!;
    expect(discoverIn('mail.prompty', text)[0]!.values).toEqual({ who: 'Ann' });
  });
});
