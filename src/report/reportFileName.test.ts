import { expect, it } from 'vitest';
import { reportFileName } from './reportFileName';

const named = (path: string | null) =>
  reportFileName({
    prompt: {
      source: path === null ? null : { path, uri: null, range: { start: 0, end: 1 } },
      text: 'x',
      variables: {},
    },
    startedAt: '2026-12-01T10:00:00.000Z',
  });

it('holds the prompt and the day, and nothing that a file system would not take', () => {
  expect(named('prompts/triage.prompt')).toBe('evenkeel-triage-2026-12-01');
  expect(named('C:\\a\\Größe 2.prompt.md')).toBe('evenkeel-Größe-2-prompt-2026-12-01');
  expect(named('../..')).toBe('evenkeel-prompt-2026-12-01');
  expect(named('a:b*?.prompt')).toBe('evenkeel-a-b-2026-12-01');
  expect(named(null)).toBe('evenkeel-prompt-2026-12-01');
});
