import * as vscode from 'vscode';

const SCHEME = 'evenkeel';

export interface VirtualDocuments {
  /** A read-only document of this text; the same name shows the newest text. */
  uriFor(name: string, text: string): vscode.Uri;
  dispose(): void;
}

export function createVirtualDocuments(): VirtualDocuments {
  const texts = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => texts.get(uri.path) ?? '',
  });
  return {
    uriFor(name, text) {
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
      texts.set(uri.path, text);
      changed.fire(uri);
      return uri;
    },
    dispose() {
      provider.dispose();
      changed.dispose();
    },
  };
}
