import * as vscode from 'vscode';
import type { Evenkeel, ModelListing } from '../compose/evenkeel';
import { withSignal } from './withSignal';

/** Lists the models and lets the person choose. @returns undefined on Escape */
export async function pickModel(evenkeel: Evenkeel, currentId: string): Promise<string | undefined> {
  const models = await withSignal('Looking for models', (signal) => evenkeel.models(signal));
  const order = { ready: 0, download: 1, unavailable: 2 };
  const items = models
    .toSorted((a, b) => order[a.state] - order[b.state])
    .map((model) => ({ ...itemOf(model), modelId: model.id, state: model.state }));
  const picker = vscode.window.createQuickPick<(typeof items)[number]>();
  picker.title = 'Evenkeel: the model whose answers are tested';
  picker.placeholder = 'Local models cost nothing and send nothing anywhere';
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.items = items;
  picker.activeItems = items.filter(({ modelId }) => modelId === currentId);
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      const [item] = picker.selectedItems;
      // An id that is not listed may be typed: servers do not list every model.
      const typed = picker.value.includes(':') ? picker.value.trim() : undefined;
      if (item?.state === 'unavailable') {
        picker.title = `${item.modelId}: ${item.detail ?? 'not available'}`;
        return;
      }
      resolve(item?.modelId ?? typed);
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

const STATES: Record<ModelListing['state'], { icon: string; words: string }> = {
  ready: { icon: 'check', words: 'ready' },
  download: { icon: 'cloud-download', words: 'downloaded on first use' },
  unavailable: { icon: 'circle-slash', words: 'not available' },
};

function itemOf({ id, state, detail, sizeBytes }: ModelListing): vscode.QuickPickItem {
  const size = sizeBytes === null ? '' : ` · ${formatSize(sizeBytes)}`;
  return { label: `$(${STATES[state].icon}) ${id}`, description: `${STATES[state].words}${size}`, detail };
}

/** `491 MB`, `1.1 GB`. */
export function formatSize(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.max(1, Math.round(bytes / 1e6))} MB`;
}
