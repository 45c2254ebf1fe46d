import { setTimeout as sleep } from 'node:timers/promises';
import { openPart, sizeOf } from './partFile';

/** This source cannot give the file; the next one may. The message goes to people and names no host. */
export class SourceFailed extends Error {}

export const otherSize = () => new SourceFailed('it offers a file of another size');

const STALL_MS = 20_000;
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 500;

export interface DownloadTarget {
  partPath: string;
  sizeBytes: number;
  signal: AbortSignal;
  onProgress: (doneBytes: number) => void;
}

/** Code or own message; the text of a network error can name hosts. */
function networkReason(error: unknown): string {
  const { cause, name, message } = error as { cause?: { code?: string }; name: string; message: string };
  if (name === 'AbortError') return 'it stopped sending';
  return cause?.code ?? (error instanceof TypeError ? 'network error' : message);
}

/** One request, from where the part file ends. Throws SourceFailed, file errors, or network errors worth a retry. */
async function requestRest(url: string, target: DownloadTarget, stallMs: number): Promise<void> {
  const { partPath, sizeBytes, signal, onProgress } = target;
  let position = await sizeOf(partPath);
  if (position > sizeBytes) position = 0;
  const stalled = new AbortController();
  let timer = setTimeout(() => stalled.abort(), stallMs);
  try {
    const response = await fetch(url, {
      headers: { 'accept-encoding': 'identity', ...(position > 0 ? { range: `bytes=${position}-` } : {}) },
      signal: AbortSignal.any([signal, stalled.signal]),
    });
    if (response.status >= 500) throw new Error(`HTTP ${response.status}`);
    if (response.status === 200) position = 0;
    else if (response.status !== 206) throw new SourceFailed(`HTTP ${response.status}`);
    const remaining = Number(response.headers.get('content-length') ?? sizeBytes - position);
    if (position + remaining !== sizeBytes) throw otherSize();
    const file = await openPart(partPath, position);
    try {
      for await (const chunk of response.body ?? []) {
        clearTimeout(timer);
        timer = setTimeout(() => stalled.abort(), stallMs);
        position = await file.append(chunk);
        // Without a content-length it may never end.
        if (position > sizeBytes) throw otherSize();
        onProgress(position);
      }
    } finally {
      await file.close();
    }
    if (position < sizeBytes) throw new Error('the connection broke off');
  } finally {
    clearTimeout(timer);
  }
}

/** Of this machine's disk, and so no fault of the source. */
export const isFileError = (error: unknown) => {
  const { syscall, path } = error as NodeJS.ErrnoException;
  return syscall === 'write' || syscall === 'open' || path !== undefined;
};

/**
 * Fills the part file up to its full size, with Range requests after each break. A server without ranges starts anew.
 * @throws SourceFailed after four attempts in a row without a byte; file errors (ENOSPC, …) as they are
 */
export async function downloadHttps(
  url: string,
  target: DownloadTarget,
  { stallMs = STALL_MS, firstPauseMs = FIRST_PAUSE_MS } = {},
): Promise<void> {
  for (let attempt = 1; ;) {
    const before = await sizeOf(target.partPath);
    if (before === target.sizeBytes) return;
    try {
      await requestRest(url, target, stallMs);
      return;
    } catch (error) {
      target.signal.throwIfAborted();
      if (error instanceof SourceFailed || isFileError(error)) throw error;
      attempt = (await sizeOf(target.partPath)) > before ? 1 : attempt + 1;
      if (attempt > ATTEMPTS) throw new SourceFailed(networkReason(error));
      await sleep(firstPauseMs * 2 ** (attempt - 1), undefined, { signal: target.signal });
    }
  }
}
