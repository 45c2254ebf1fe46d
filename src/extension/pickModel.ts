import * as vscode from 'vscode';
import type { Evenkeel, ModelListing } from '../compose/evenkeel';
import { plainText } from './plainText';

type ModelItem = vscode.QuickPickItem & { modelId: string; state: ModelListing['state'] };

/**
 * Lists the models and lets the person choose; the list opens at once and fills when every source has answered.
 * @returns undefined on Escape
 */
export function pickModel(evenkeel: Evenkeel, currentId: string): Promise<string | undefined> {
  const looking = new AbortController();
  const picker = vscode.window.createQuickPick<ModelItem>();
  picker.title = vscode.l10n.t('Evenkeel: the model whose answers are tested');
  picker.placeholder = vscode.l10n.t('Local models cost nothing and send nothing anywhere');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.busy = true;
  return new Promise((resolve, reject) => {
    evenkeel
      .models(looking.signal)
      .then((models) => {
        const items = models.map(itemOf).toSorted((a, b) => ORDER[a.state] - ORDER[b.state]);
        picker.items = items;
        picker.activeItems = items.filter(({ modelId }) => modelId === currentId);
        picker.busy = false;
      })
      .catch((error: unknown) => {
        reject(error as Error);
        picker.hide();
      });
    picker.onDidAccept(() => {
      const [item] = picker.selectedItems;
      if (item?.state === 'unavailable') {
        picker.title = item.detail ?? plainText(`${item.modelId} is not available`);
        return;
      }
      // An id that is not listed may be typed: servers do not list every model.
      const typed = picker.value.includes(':') ? picker.value.trim() : undefined;
      resolve(item?.modelId ?? typed);
      picker.hide();
    });
    picker.onDidHide(() => {
      looking.abort();
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

const ORDER: Record<ModelListing['state'], number> = { ready: 0, download: 1, unavailable: 2 };
const STATES: Record<ModelListing['state'], { icon: string; words: string }> = {
  ready: { icon: 'check', words: 'ready' },
  download: { icon: 'cloud-download', words: 'downloaded on first use' },
  unavailable: { icon: 'circle-slash', words: 'not available' },
};

function itemOf({ id, state, detail, sizeBytes }: ModelListing): ModelItem {
  const { icon, words } = STATES[state];
  const size = sizeBytes === null ? '' : ` · ${formatSize(sizeBytes)}`;
  return {
    label: `$(${icon}) ${plainText(id)}`,
    description: `${words}${size}`,
    detail: plainText(detail),
    modelId: id,
    state,
  };
}

/** `491 MB`, `1.1 GB`. */
export function formatSize(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.max(1, Math.round(bytes / 1e6))} MB`;
}
