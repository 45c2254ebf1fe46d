import * as vscode from 'vscode';
import type { Evenkeel, ModelListing } from '../compose/evenkeel';
import { formatSize } from './pickModel';
import { plainText } from './plainText';
import { withSignal } from './withSignal';

/** Two or more models of those that can be asked, each with its size and digest. @returns undefined on Escape */
export async function pickModels(evenkeel: Evenkeel, current: string): Promise<string[] | undefined> {
  const models = await withSignal('Looking for models', (signal) => evenkeel.models(signal));
  const items = models
    .filter(({ state }) => state !== 'unavailable')
    .map((model) => ({ ...itemOf(model), picked: model.id === current }));
  for (;;) {
    const picked = await vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: 'Evenkeel: models to compare on this prompt',
      placeHolder: 'Choose two or more; each is loaded once, in this order',
      matchOnDescription: true,
      matchOnDetail: true,
      ignoreFocusOut: true,
    });
    if (picked === undefined) return undefined;
    if (picked.length > 1) return picked.map(({ modelId }) => modelId);
    const again = 'Choose Again';
    const answer = await vscode.window.showWarningMessage('Choose two models or more to compare.', again);
    if (answer !== again) return undefined;
  }
}

const DIGEST_CHARACTERS = 12;

function itemOf({ id, state, detail, sizeBytes, digest }: ModelListing) {
  const parts = [
    ...(sizeBytes === null ? [] : [formatSize(sizeBytes)]),
    ...(digest === null ? [] : [digest.replace(/^sha256:/, '').slice(0, DIGEST_CHARACTERS)]),
    ...(state === 'download' ? ['downloaded on first use'] : []),
  ];
  return {
    label: plainText(id),
    description: plainText(parts.join(' · ')),
    detail: plainText(detail),
    modelId: id,
  };
}
