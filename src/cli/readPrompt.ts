import type { RunRecord } from '../contracts/runRecord';
import { promptFromFile, selectAt } from '../prompts/promptFile';
import { readPromptArgument } from './readPromptArgument';

export interface PromptRead {
  text: string;
  /** Values that the file itself gives. */
  variables: Record<string, string>;
  source: RunRecord['prompt']['source'];
}

/** The prompt of `FILE`, `FILE:LINE` or `-`. @throws UserError as `readPromptArgument`, and for a line that is not there */
export async function readPrompt(argument: string): Promise<PromptRead> {
  const { path, line, content } = await readPromptArgument(argument);
  const found =
    line === null ? promptFromFile(content, path ?? 'prompt.txt') : selectAt(content, line, path ?? '');
  return {
    text: found.text,
    variables: found.variables,
    source: path === null ? null : { path, uri: null, range: found.range },
  };
}
