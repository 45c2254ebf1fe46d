/** Which in-process models there are, and where their weights lie. */
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../contracts/userError';
import { CATALOGUE, type CatalogueEntry } from './catalogue';
import { modelsFolder } from './fetchWeights';
import { rememberedDigest } from './fileDigest';
import { fetchCancelled } from './fileErrors';

export interface InProcessModelListing {
  entry: CatalogueEntry;
  modelPath: string;
  /** `damaged`: a file of the wrong size lies there; fetching replaces it. */
  state: 'ready' | 'download' | 'damaged';
}

/** The catalogue in its order. Looks at file sizes only: SHA-256 is checked when a model is located. */
export async function listInProcessModels({
  cacheDir,
}: {
  cacheDir: string;
}): Promise<InProcessModelListing[]> {
  return Promise.all(
    CATALOGUE.map(async (entry) => {
      const modelPath = path.join(modelsFolder(cacheDir), entry.fileName);
      const file = await stat(modelPath).catch(() => null);
      const state = file === null ? 'download' : file.size === entry.sizeBytes ? 'ready' : 'damaged';
      return { entry, modelPath, state };
    }),
  );
}

/** Catalogue entry of an id; null for `local:` ids that are paths of the person's own GGUF file. */
export function catalogueEntryOf(id: string): CatalogueEntry | null {
  const entry = CATALOGUE.find((candidate) => candidate.id === id);
  if (entry !== undefined) return entry;
  if (/^local:.*([/\\]|\.gguf$)/.test(id)) return null;
  throw new UserError(
    'unknownModel',
    `There is no in-process model ${id}.`,
    `Choose one of ${CATALOGUE.map((known) => known.id).join(', ')}, or local:/path/to/model.gguf.`,
  );
}

/**
 * Path and SHA-256 of a model's weights, checked. Reads the whole file the first time, and then remembers.
 * @param workingDir what relative paths in `local:` ids are relative to
 * @throws UserError unknownModel, modelNotInstalled (catalogue, not fetched yet), fileNotFound (own path), weightsDamaged
 */
export async function locateWeights({
  id,
  cacheDir,
  workingDir,
  signal,
}: {
  id: string;
  cacheDir: string;
  workingDir: string;
  signal: AbortSignal;
}): Promise<{ modelPath: string; digest: string }> {
  const entry = catalogueEntryOf(id);
  const folder = modelsFolder(cacheDir);
  const modelPath =
    entry === null ? path.resolve(workingDir, id.slice('local:'.length)) : path.join(folder, entry.fileName);
  const file = await stat(modelPath).catch(() => null);
  if (!file?.isFile()) {
    if (entry === null) {
      throw new UserError('fileNotFound', `There is no file ${modelPath}.`, 'Check the path after `local:`.');
    }
    throw new UserError(
      'modelNotInstalled',
      `The weights of ${id} are not on this machine yet (${Math.round(entry.sizeBytes / 1e6)} MB).`,
      'Let Evenkeel fetch them.',
    );
  }
  if (!(await startsAsGguf(modelPath))) throw damaged(modelPath, 'it is not a GGUF file');
  let digest: string;
  try {
    digest = await rememberedDigest(modelPath, folder, signal);
  } catch (error) {
    throw signal.aborted ? fetchCancelled() : error;
  }
  if (entry !== null && digest !== entry.sha256) throw damaged(modelPath, 'its SHA-256 is not the right one');
  return { modelPath, digest };
}

const damaged = (modelPath: string, reason: string) =>
  new UserError(
    'weightsDamaged',
    `The model weights at ${modelPath} are damaged: ${reason}.`,
    'Fetch them again: the damaged file is replaced.',
  );

async function startsAsGguf(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.toString('latin1') === 'GGUF';
  } finally {
    await handle.close();
  }
}
