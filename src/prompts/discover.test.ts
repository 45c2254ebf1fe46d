import { describe, expect, it } from 'vitest';
import { discoverIn, summary } from '../../test/discovery/discoverIn';
import { promptAt, toDocumentSpans } from './discover';
import { askedPrompt } from './discovery/askedPrompt';
import { findVariables } from './variables';

const texts = (path: string, source: string) =>
  discoverIn(path, source).map(({ role, text }) => [role, text]);

describe('what a model call takes', () => {
  const CALLS: [name: string, path: string, source: string, role: string | null, text: string][] = [
    [
      'openai chat',
      'a.ts',
      `client.chat.completions.create({ messages: [{ role: 'system', content: 'Be brief.' }] })`,
      'system',
      'Be brief.',
    ],
    [
      'openai developer',
      'a.ts',
      `x({ messages: [{ role: 'developer', content: 'Be brief.' }] })`,
      'system',
      'Be brief.',
    ],
    [
      'openai responses',
      'a.ts',
      `await client.responses.create({ model, instructions: 'Be brief.' })`,
      'system',
      'Be brief.',
    ],
    [
      'openai responses input',
      'a.ts',
      `await client.responses.create({ model, input: 'Tell a joke.' })`,
      'user',
      'Tell a joke.',
    ],
    [
      'parts',
      'a.ts',
      `f([{ role: 'user', content: [{ type: 'text', text: 'What is this?' }] }])`,
      'user',
      'What is this?',
    ],
    [
      'anthropic',
      'a.ts',
      `anthropic.messages.create({ system: 'Be brief.', messages })`,
      'system',
      'Be brief.',
    ],
    [
      'ollama generate',
      'a.ts',
      `ollama.generate({ model: 'x', prompt: 'Why so blue?' })`,
      'user',
      'Why so blue?',
    ],
    [
      'ai sdk',
      'a.ts',
      `const { text } = await generateText({ model, system: 'Be brief.' })`,
      'system',
      'Be brief.',
    ],
    [
      'ai sdk shorthand',
      'a.ts',
      `const system = 'Be brief.'; streamText({ model, system })`,
      'system',
      'Be brief.',
    ],
    [
      'by a constant',
      'a.ts',
      `const words = 'Be brief.'; streamText({ model, system: words })`,
      'system',
      'Be brief.',
    ],
    [
      'gemini',
      'a.ts',
      `ai.models.generateContent({ config: { systemInstruction: 'Be brief.' } })`,
      'system',
      'Be brief.',
    ],
    ['gemini text', 'a.ts', `await model.generateContent('Tell a joke.')`, 'user', 'Tell a joke.'],
    [
      'langchain template',
      'a.ts',
      `PromptTemplate.fromTemplate('Tell of {topic} as {{"a": 1}}')`,
      null,
      'Tell of {topic} as {"a": 1}',
    ],
    [
      'langchain pairs',
      'a.ts',
      `ChatPromptTemplate.fromMessages([['human', 'Tell of {topic}']])`,
      'user',
      'Tell of {topic}',
    ],
    ['langchain message', 'a.ts', `new SystemMessage('Be brief.')`, 'system', 'Be brief.'],
    ['langchain invoke', 'a.ts', `await llm.invoke('Tell a joke.')`, 'user', 'Tell a joke.'],
    ['agent', 'a.ts', `new Agent({ name: 'x', instructions: 'Be brief.' })`, 'system', 'Be brief.'],
    ['vscode', 'a.ts', `vscode.LanguageModelChatMessage.User('Tell a joke.')`, 'user', 'Tell a joke.'],
    [
      'openai python',
      'a.py',
      `client.chat.completions.create(messages=[{"role": "user", "content": "Tell a joke."}])`,
      'user',
      'Tell a joke.',
    ],
    ['anthropic python', 'a.py', `client.messages.create(system="Be brief.")`, 'system', 'Be brief.'],
    [
      'litellm',
      'a.py',
      `litellm.completion(model="x", messages=[{"role": "system", "content": "Be brief."}])`,
      'system',
      'Be brief.',
    ],
    ['ollama python', 'a.py', `ollama.generate(model="x", prompt="Why so blue?")`, 'user', 'Why so blue?'],
    [
      'langchain python',
      'a.py',
      `PromptTemplate(template="Tell of {topic}", input_variables=["topic"])`,
      null,
      'Tell of {topic}',
    ],
    [
      'langchain tuples',
      'a.py',
      `ChatPromptTemplate.from_messages([("system", "Be {how}."), MessagesPlaceholder("h")])`,
      'system',
      'Be {how}.',
    ],
    [
      'langchain message python',
      'a.py',
      `msgs = [HumanMessage(content="Tell a joke.")]`,
      'user',
      'Tell a joke.',
    ],
    ['agent python', 'a.py', `agent = Agent(model, system_prompt="Be brief.")`, 'system', 'Be brief.'],
    [
      'request body',
      'a.py',
      `requests.post(url, json={"messages": [{"role": "user", "content": "Tell a joke."}]})`,
      'user',
      'Tell a joke.',
    ],
  ];
  for (const [name, path, source, role, text] of CALLS) {
    it(name, () => expect(texts(path, source)).toEqual([[role, text]]));
  }
});

describe('what a name or a comment says', () => {
  it('takes names of prompts, with what they are around', () => {
    const source = [
      `export const SUMMARY_PROMPT = 'Summarize the text in one sentence.';`,
      `class Chat { private readonly systemPrompt = 'You are a pirate who answers.';`,
      `  ask(promptTemplate = 'Answer the question of the user.') { this.instructions = 'You are an expert, be concise.'; } }`,
      `const PROMPTS = { greet: 'Greet the user by the name.', bye: ['Say good bye to the user now.'] };`,
    ].join('\n');
    expect(summary(discoverIn('a.ts', source)).map(({ symbol, role }) => [symbol, role])).toEqual([
      ['SUMMARY_PROMPT', null],
      ['Chat.systemPrompt', 'system'],
      ['Chat.ask.promptTemplate', null],
      ['Chat.ask.instructions', 'system'],
      ['PROMPTS.greet', null],
    ]);
  });

  it('takes what a comment marks, whatever it says', () => {
    const source = [
      `// evenkeel: prompt`,
      `const a = 'Hi';`,
      `const b = { c: /* prompt */ 'Ho' };`,
      `const d = f('x', 1); // nothing`,
      `const e = g('Hu'); // evenkeel: prompt`,
      `/* evenkeel: prompt */`,
      `export default {`,
      `  h: 'He', // more`,
      `};`,
    ].join('\n');
    expect(texts('a.ts', source)).toEqual([
      [null, 'Hi'],
      [null, 'Ho'],
      [null, 'Hu'],
      [null, 'He'],
    ]);
    const python = '# evenkeel: prompt\na = "Hi"\n\nb = "Ho"  # evenkeel: prompt\nc = "Hu"\n';
    expect(texts('a.py', python)).toEqual([
      [null, 'Hi'],
      [null, 'Ho'],
    ]);
  });

  it('gives each an identity that outlives its text, and numbers the second of a name', () => {
    const source = (word: string) =>
      `function a() { ask({ messages: [{ role: 'user', content: 'Tell ${word}.' }, { role: 'user', content: 'And more.' }] }); }`;
    const ids = (word: string) => discoverIn('src/a.ts', source(word)).map(({ id }) => id);
    expect(ids('a joke')).toEqual(['src/a.ts#a.messages.user', 'src/a.ts#a.messages.user~2']);
    expect(ids('another, longer joke')).toEqual(ids('a joke'));
  });

  it('keeps to its rest where code is broken', () => {
    const source = `const systemPrompt = 'You are a kind assistant.';\nfunction ( {{{ \nconst x = \`unclosed \${`;
    expect(discoverIn('a.ts', source).map(({ symbol }) => symbol)).toEqual(['systemPrompt']);
  });
});

describe('variables', () => {
  const variables = (path: string, source: string) =>
    discoverIn(path, source)[0]!.variables.map(({ name, expression, syntax, spans }) => [
      name,
      expression,
      syntax,
      spans.length,
    ]);

  it('are named by their expressions, in their own syntax', () => {
    expect(
      variables('a.ts', 'const systemPrompt = `You are ${a.b} and ${f(1)}, {{c}} and {d}, ${a.b}.`'),
    ).toEqual([
      ['a.b', 'a.b', 'dollar', 2],
      ['f_1', 'f(1)', 'dollar', 1],
      ['c', 'c', 'mustache', 1],
    ]);
    expect(variables('a.py', 'system_prompt = f"You are {a.b!r} and {x:.2f} of {{d}}."')).toEqual([
      ['a.b', 'a.b!r', 'brace', 1],
      ['x', 'x:.2f', 'brace', 1],
    ]);
    expect(
      variables('a.py', 'SYSTEM_PROMPT = "You are {who} with {{json}}."\nf(SYSTEM_PROMPT.format(who=1))'),
    ).toEqual([['who', 'who', 'brace', 1]]);
  });

  it('have the value of a constant of the same file', () => {
    const source =
      'const RULES = "Be brief.\\nBe kind.";\nconst systemPrompt = `You are a bot. ${RULES} ${x}`;';
    expect(discoverIn('a.ts', source)[0]!.values).toEqual({ RULES: 'Be brief.\nBe kind.' });
  });

  it('of code fences and addresses are filled in; braces that are none get a backslash', () => {
    const source =
      'const systemPrompt = `You are ${who}. Call https://x.org/${path} with\n\\`\\`\\`\n${schema}\n\\`\\`\\`\nNever {this}.`';
    const found = discoverIn('a.ts', source)[0]!;
    expect(found.variables.map(({ name }) => name)).toEqual(['who', 'path', 'schema']);
    expect(askedPrompt(found, {}).missing).toEqual(['schema']);
    const asked = askedPrompt(found, { who: 'kind', schema: '{"a": "{b}"}' });
    expect(asked.missing).toEqual([]);
    expect(asked.text).toBe(
      'You are ${who}. Call https://x.org/${path} with\n```\n{"a": "{b}"}\n```\nNever \\{this}.',
    );
    expect(findVariables(asked.text).map(({ name }) => name)).toEqual(['who', 'path']);
    const start = asked.text.indexOf('Never');
    const [span] = toDocumentSpans({ sourceMap: asked.map }, { start, end: start + 5 });
    expect(source.slice(span!.start, span!.end)).toBe('Never');
  });
});

describe('places', () => {
  it('are several where a text is put together, and none is empty unless nothing stands there', () => {
    const source = 'const systemPrompt = ["You are kind.", "Be brief."].join("\\n");';
    const found = discoverIn('a.ts', source)[0]!;
    const said = (start: number, end: number) =>
      toDocumentSpans(found, { start, end }).map((span) => source.slice(span.start, span.end));
    expect(said(8, 16)).toEqual(['kind.', 'Be']);
    expect(said(13, 14)).toEqual(['']);
    expect(toDocumentSpans(found, { start: 0, end: 0 })).toEqual([{ start: 23, end: 23 }]);
  });

  it('are found back from an offset', () => {
    const source =
      'const systemPrompt = "You are a kind bot.";\nconst userPrompt = "Answer the question, please.";';
    const found = discoverIn('a.ts', source);
    expect(promptAt(found, source.indexOf('question'))?.symbol).toBe('userPrompt');
    expect(promptAt(found, source.indexOf('const userPrompt'))).toBeNull();
    expect(found.map(({ line }) => line)).toEqual([1, 2]);
  });
});

describe('whole files', () => {
  it('are one prompt under the names that say so', () => {
    for (const name of [
      'x.prompt',
      'x.prompty',
      'x.prompt.md',
      'x.prompt.txt',
      'a/SKILL.md',
      'x.agent.md',
      'x.instructions.md',
      'AGENTS.md',
      'CLAUDE.md',
      'x.prompt.yml',
    ]) {
      expect(summary(discoverIn(name, '---\nname: x\n---\nYou are {{who}}.\n')).length, name).toBe(1);
    }
    for (const name of ['README.md', 'SKILLS.md', 'prompt.md', 'x.txt', 'a.d.ts', 'agent.md']) {
      expect(discoverIn(name, 'You are {{who}}.\nconst systemPrompt = "You are a kind bot."'), name).toEqual(
        [],
      );
    }
  });

  it('of messages are taken apart', () => {
    const yaml =
      'name: x\nmessages:\n  - role: system\n    content: Be brief.\n  - role: user\n    content: >-\n      Tell of\n      {{topic}}.\ntestData:\n  - topic: bees\n';
    expect(texts('a.prompt.yml', yaml)).toEqual([
      ['system', 'Be brief.'],
      ['user', 'Tell of {{topic}}.'],
    ]);
    expect(discoverIn('a.prompt.yml', yaml)[1]!.values).toEqual({ topic: 'bees' });
  });
});
