import * as vscode from 'vscode';
import { z } from 'zod';

const SCHEME = 'evenkeel';
const answersQuerySchema = z.object({ run: z.string(), perturbation: z.string() });

export interface VirtualDocuments {
  /** A read-only document of this text; the same name shows the newest text. */
  uriFor(name: string, text: string): vscode.Uri;
  dispose(): void;
}

/** Where a finding links to: the link of a diagnostic may open a document, but not run a command. */
export function answersUri(runId: string, perturbation: { id: string; name: string }): vscode.Uri {
  return vscode.Uri.from({
    scheme: SCHEME,
    path: `/answers/${perturbation.name.replaceAll(/[\\/]/g, '-')}.txt`,
    query: JSON.stringify({ run: runId, perturbation: perturbation.id }),
  });
}

/** @param answers text of the answers of one perturbation of a kept run */
export function createVirtualDocuments(
  answers: (runId: string, perturbationId: string) => Promise<string>,
): VirtualDocuments {
  const texts = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: changed.event,
    async provideTextDocumentContent(uri) {
      const kept = texts.get(uri.path);
      if (kept !== undefined) return kept;
      try {
        const { run, perturbation } = answersQuerySchema.parse(JSON.parse(uri.query));
        return await answers(run, perturbation);
      } catch {
        return 'These answers are not kept any more. Run the check again.\n';
      }
    },
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
