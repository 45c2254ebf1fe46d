import type { RunRecord } from '../contracts/runRecord';

const MAX_CHARS = 60;

/** `evenkeel-triage-2026-12-01`: the prompt's file and the day, in letters that every file system takes; without an ending. */
export function reportFileName({ prompt, startedAt }: Pick<RunRecord, 'prompt' | 'startedAt'>): string {
  const file = prompt.source?.path.split(/[\\/]/).at(-1) ?? 'prompt';
  const name = file
    .replace(/(?<=.)\.[^.]*$/, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}_-]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_CHARS);
  return `evenkeel-${name === '' ? 'prompt' : name}-${startedAt.slice(0, 10)}`;
}
