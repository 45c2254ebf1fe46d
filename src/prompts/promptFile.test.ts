import { describe, expect, it } from 'vitest';
import { UserError } from '../contracts/userError';
import { promptFromFile, selectAt } from './promptFile';
import { checkPromptText } from './readPrompt';

const codeOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return error instanceof UserError ? error.code : 'other';
  }
  return 'none';
};

describe('promptFromFile', () => {
  const skill = '---\r\nname: x\r\n---\r\n\r\nDo this.\r\n';
  it('takes off front matter and says where the body stands', () => {
    for (const path of ['SKILL.md', 'a.prompt.md', 'a.agent.md', 'a.prompt', 'A.PROMPTY']) {
      const { text, range } = promptFromFile(skill, path);
      expect(text).toBe('Do this.');
      expect(skill.slice(range.start, range.end)).toBe(text);
    }
  });

  it('leaves other files and lone delimiters alone', () => {
    expect(promptFromFile(skill, 'a.txt').text).toBe(skill.trim());
    expect(promptFromFile('---\nExample one\n---\nTwo', 'a.prompt').text).toBe('---\nExample one\n---\nTwo');
    expect(promptFromFile('---\nname: x\nnever closed', 'a.md').text).toBe('---\nname: x\nnever closed');
    expect(promptFromFile('\uFEFFHello', 'a.md')).toMatchObject({
      text: 'Hello',
      range: { start: 1, end: 6 },
    });
  });

  it('reads sample values, and no others', () => {
    const prompty =
      '---\nname: x\nsample:\n  question: Why?\n  count: 3\n  nested: {a: 1}\n---\nsystem:\nBe kind.\n\nuser:\n{{question}}';
    expect(promptFromFile(prompty, 'a.prompty')).toMatchObject({
      text: 'system:\nBe kind.\n\nuser:\n{{question}}',
      variables: { question: 'Why?', count: '3' },
    });
    const dotprompt =
      '---\ninput:\n  default:\n    tone: warm\ninputs:\n  size: {sample: big}\n---\n{{tone}} {{size}}';
    expect(promptFromFile(dotprompt, 'a.prompt').variables).toEqual({ tone: 'warm', size: 'big' });
    expect(promptFromFile('---\nsample: [1\n  x: : y\n---\nBody', 'a.prompty')).toMatchObject({
      text: 'Body',
      variables: {},
    });
  });
});

describe('selectAt', () => {
  const sections =
    '---\nname: x\n---\nIntro.\n# One\n\ntext\n## Sub\nmore\n```\n# no heading\n\n```\n# Two\nend\n';
  it.each([
    [1, 'Intro.\n# One\n\ntext\n## Sub\nmore\n```\n# no heading\n\n```\n# Two\nend'],
    [4, 'Intro.'],
    [5, '# One\n\ntext\n## Sub\nmore\n```\n# no heading\n\n```'],
    [7, '# One\n\ntext\n## Sub\nmore\n```\n# no heading\n\n```'],
    [11, '## Sub\nmore\n```\n# no heading\n\n```'],
    [15, '# Two\nend'],
  ])('line %i of a file with headings', (line, expected) => {
    const { text, range } = selectAt(sections, line);
    expect(text).toBe(expected);
    expect(sections.slice(range.start, range.end)).toBe(text);
  });

  it.each([
    [1, 'a\nb'],
    [3, 'c'],
    [4, 'c'],
    [6, 'c'],
  ])('line %i of paragraphs', (line, expected) => {
    expect(selectAt('a\nb\n\nc\n\n \n', line).text).toBe(expected);
  });

  it('refuses lines that the file does not have', () => {
    for (const line of [0, -1, 3, 1.5, NaN]) expect(codeOf(() => selectAt('a\nb\n', line))).toBe('usage');
  });
});

describe('checkPromptText', () => {
  it.each([
    ['', 'emptyPrompt'],
    [' \n\t\u200B\uFEFF', 'emptyPrompt'],
    ['x'.repeat(100_001), 'promptTooLong'],
    ['x'.repeat(200_000), 'promptTooLong'],
    ['PK\u0003\u0004\0', 'binaryFile'],
    ['\uFFFD\uFFFDa\u0001\u0002b', 'binaryFile'],
  ])('%#: refuses with %s', (text, code) => {
    expect(codeOf(() => checkPromptText(text))).toBe(code);
  });

  it('takes everything else', () => {
    for (const text of ['x'.repeat(100_000), 'a', '🙂', 'one \uFFFD in text', '\u001b[1mcolour\u001b[0m']) {
      expect(codeOf(() => checkPromptText(text))).toBe('none');
    }
  });
});
