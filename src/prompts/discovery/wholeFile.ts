import { promptFromFile } from '../promptFile';
import type { Candidate } from './foundPrompts';

/** Files that are a prompt as a whole (docs/prompts.md). */
export const isPromptFile = (path: string) =>
  /(?:\.(?:prompt|prompty)|\.prompt\.(?:md|txt)|\.(?:agent|instructions)\.md|(?:^|[\\/])(?:SKILL|AGENTS|CLAUDE)\.md)$/.test(
    path,
  );

/** GitHub's `*.prompt.yml` holds messages; a file that does not is a prompt as a whole. */
export const isPromptYaml = (path: string) => /\.prompt\.ya?ml$/.test(path);

/** The body of the file; a heading alone is a prompt too, blanks alone are none. */
export function wholeFile(path: string, content: string): Candidate[] {
  const { text, range, variables } = promptFromFile(content, path);
  if (text === '') return [];
  const piece = { start: 0, end: text.length, source: range, verbatim: true };
  return [
    {
      mapped: { text, pieces: [piece], holes: [] },
      symbol: [],
      because: 'file',
      role: null,
      span: range,
      values: variables,
    },
  ];
}
