/** How the last check of each prompt ended: what the line above it shows. Kept in the workspace's state. */
import type { RunRecord } from '../contracts/runRecord';

export interface KeptVerdict {
  runId: string;
  /** As people read it: `steady`. */
  word: string;
  finishedAt: string;
  /** Of the text that was checked. */
  digest: string;
}

export const VERDICTS = 'evenkeel.verdicts';
const MOST = 300;

/** A prompt by its document and its name there; '' for a whole file. */
export const verdictKey = (uri: string, symbol: string) => `${uri}#${symbol}`;

/** The verdicts with that of a run; the oldest go. Runs of a part of a file have no line to be shown at. */
export function withVerdict(
  verdicts: Readonly<Record<string, KeptVerdict>>,
  { id, finishedAt, prompt }: Pick<RunRecord, 'id' | 'finishedAt' | 'prompt'>,
  word: string,
): Record<string, KeptVerdict> {
  const { source, text } = prompt;
  const isPart = source?.symbol === undefined && /:\d+$/.test(source?.path ?? '');
  if (source === null || source.uri === null || isPart) return { ...verdicts };
  const key = verdictKey(source.uri, source.symbol ?? '');
  const entries = Object.entries(verdicts).filter(([other]) => other !== key);
  entries.push([key, { runId: id, word, finishedAt, digest: digestOf(text) }]);
  return Object.fromEntries(entries.slice(-MOST));
}

/** FNV-1a over line ends as LF: tells wordings apart, protects nothing. */
export function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  const plain = text.replaceAll('\r\n', '\n');
  for (let at = 0; at < plain.length; at++) hash = Math.imul(hash ^ plain.charCodeAt(at), 0x01000193);
  return `${plain.length}:${(hash >>> 0).toString(16)}`;
}
