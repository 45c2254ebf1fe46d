import * as vscode from 'vscode';
import type { Evenkeel, ModelListing } from '../compose/evenkeel';
import { formatSize } from './pickModel';
import { signalOf } from './withSignal';
import { plainText } from './plainText';

/**
 * Makes sure that the weights of an in-process model are on this machine: asks, then downloads with progress and cancel.
 * @returns false when the person declines or cancels
 * @throws UserError `weightsUnavailable`, `weightsDamaged`, `diskFull`, `cacheNotWritable`
 */
export async function ensureWeights(evenkeel: Evenkeel, modelId: string): Promise<boolean> {
  const model = await inProcessModel(evenkeel, modelId);
  return model?.state === 'download'
    ? download(evenkeel, model, `${modelId} is not on this machine yet.`)
    : true;
}

/** As `ensureWeights`, for weights that were found to be damaged. False also where they are a file of the person's own. */
export async function replaceWeights(evenkeel: Evenkeel, modelId: string): Promise<boolean> {
  const model = await inProcessModel(evenkeel, modelId);
  return model === undefined
    ? false
    : download(evenkeel, model, `The weights of ${modelId} on this machine are damaged.`);
}

const inProcessModel = async (evenkeel: Evenkeel, modelId: string): Promise<ModelListing | undefined> =>
  modelId.startsWith('local:')
    ? (await evenkeel.models(new AbortController().signal)).find(({ id }) => id === modelId)
    : undefined;

async function download(evenkeel: Evenkeel, model: ModelListing, why: string): Promise<boolean> {
  const modelId = model.id;
  const size = model.sizeBytes === null ? '' : ` (${formatSize(model.sizeBytes)})`;
  const start = `Download${size}`;
  const answer = await vscode.window.showInformationMessage(
    plainText(why),
    {
      modal: true,
      detail: `Its weights${size} are downloaded once, checked by SHA-256 and kept in your cache folder. Prompts then never leave this machine.`,
    },
    start,
  );
  if (answer !== start) return false;

  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: plainText(`Evenkeel: downloading ${modelId}`),
      cancellable: true,
    },
    async (progress, token) => {
      const signal = signalOf(token);
      let shownShare = 0;
      try {
        await evenkeel.fetchWeights(modelId, {
          signal,
          onProgress(doneBytes, totalBytes) {
            const share = totalBytes === 0 ? 0 : (100 * doneBytes) / totalBytes;
            if (share - shownShare < 1 && doneBytes < totalBytes) return;
            progress.report({
              increment: share - shownShare,
              message: `${formatSize(doneBytes)} of ${formatSize(totalBytes)}`,
            });
            shownShare = share;
          },
        });
        return true;
      } catch (error) {
        // What is there is kept; the next download goes on from it.
        if (signal.aborted) return false;
        throw error;
      }
    },
  );
}
