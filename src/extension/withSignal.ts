import * as vscode from 'vscode';

/** A CancellationToken as an AbortSignal: cancelling becomes one at the extension's edge. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

/** Runs `work` under a progress notification that appears only when it takes a while, with cancel. */
export function withSignal<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Thenable<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: `Evenkeel: ${title}`, cancellable: true },
    (_progress, token) => work(signalOf(token)),
  );
}
