import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { RunRecord } from '../contracts/runRecord';
import { toUserError } from '../contracts/userError';
import type { FlipsView } from '../contracts/flipsView';
import { PROTOCOL_VERSION } from '../contracts/protocolVersion';
import type { ExportFormat } from '../contracts/exportFormat';
import type { HostMessage } from '../contracts/webviewProtocol';
import { toPanelHtml } from '../report/html';
import { answerPage, type PageHandlers } from '../report/pageHost';
import { progressView } from '../report/progressView';
import { toReportView } from '../report/reportView';
import { createSampleBrowser, type SampleBrowser } from '../report/sampleBrowser';
import { sampleViews } from '../report/sampleView';
import { REPORT_VIEW } from './manifest';
import type { RunSession } from './runSession';

/** What the panel shows; whole snapshots, so that a page that comes late shows the same. */
type Content =
  | { kind: 'empty' }
  | { kind: 'progress'; session: RunSession }
  | { kind: 'record'; record: RunRecord; browser: SampleBrowser; kept: RunRecord[] }
  | { kind: 'flips'; view: FlipsView }
  | { kind: 'problem'; error: unknown };

export interface ReportPanel {
  showProgress(session: RunSession): void;
  /** `open: false` only updates a panel that is there. @returns whether the report can be seen */
  showRecord(record: RunRecord, options: { open: boolean }): boolean;
  showFlips(view: FlipsView): void;
  showProblem(error: unknown): void;
  /** Takes a panel that VS Code brings back after a reload. */
  adopt(panel: vscode.WebviewPanel, record: RunRecord | null): void;
  dispose(): void;
}

export interface ReportPanelActions {
  reveal(record: RunRecord, span: { start: number; end: number }): Promise<boolean>;
  save(record: RunRecord, format: ExportFormat, redact: boolean): Promise<string | null>;
  /** The newest kept runs, for the history. */
  kept(): Promise<RunRecord[]>;
}

const PROGRESS_INTERVAL_MS = 150;

/** One panel, reused. Closing it ends nothing but the view. */
export function createReportPanel(extensionUri: vscode.Uri, actions: ReportPanelActions): ReportPanel {
  const root = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  let panel: vscode.WebviewPanel | null = null;
  let content: Content = { kind: 'empty' };
  let listening: vscode.Disposable | null = null;
  let nextProgress: NodeJS.Timeout | null = null;

  const post = (message: HostMessage) => void panel?.webview.postMessage(message);
  const send = () => {
    if (panel === null) return;
    switch (content.kind) {
      case 'empty':
        panel.title = 'Evenkeel report';
        return post({ type: 'empty' });
      case 'progress':
        panel.title = `Checking ${content.session.progress().title}`;
        return post({ type: 'progress', progress: progressView(content.session.progress()) });
      case 'record': {
        panel.title = `Report: ${content.record.prompt.source?.path.split(/[\\/]/).at(-1) ?? 'prompt'}`;
        return post({ type: 'show', view: toReportView(content.record, { kept: content.kept }) });
      }
      case 'flips':
        panel.title = content.view.title;
        return post({ type: 'showFlips', view: content.view });
      case 'problem': {
        panel.title = 'Check failed';
        const { code, message, hint } = toUserError(content.error);
        return post({ type: 'problem', error: { code, message, hint } });
      }
    }
  };
  const set = (next: Content) => {
    content = next;
    listening?.dispose();
    listening = null;
    if (nextProgress !== null) clearTimeout(nextProgress);
    nextProgress = null;
    if (next.kind === 'progress') {
      listening = next.session.onChange(() => {
        nextProgress ??= setTimeout(() => {
          nextProgress = null;
          send();
        }, PROGRESS_INTERVAL_MS);
      });
    }
    send();
  };

  const setRecord = (record: RunRecord) => {
    set({ kind: 'record', record, browser: createSampleBrowser(record), kept: [] });
    // The report does not wait for its history.
    actions.kept().then(
      (kept) => {
        if (content.kind !== 'record' || content.record !== record || kept.length < 2) return;
        content = { ...content, kept };
        send();
      },
      () => undefined,
    );
  };

  const recordShown = () => (content.kind === 'record' ? content.record : null);
  const handlers: PageHandlers = {
    ready() {
      // After the reply, so that the page knows the version before it reads a snapshot.
      setTimeout(send, 0);
      return { protocol: PROTOCOL_VERSION };
    },
    samples({ conditionId, offset, limit }) {
      const record = recordShown();
      return record === null ? { total: 0, samples: [] } : sampleViews(record, conditionId, offset, limit);
    },
    browse(query) {
      return content.kind === 'record' ? content.browser.page(query) : { total: 0, samples: [] };
    },
    async reveal({ span }) {
      const record = recordShown();
      return { shown: record !== null && (await actions.reveal(record, span)) };
    },
    async export({ format, redact }) {
      const record = recordShown();
      return { path: record === null ? null : await actions.save(record, format, redact) };
    },
    async copy({ text }) {
      await vscode.env.clipboard.writeText(text);
      return { copied: true };
    },
    cancel() {
      if (content.kind !== 'progress') return { cancelled: false };
      content.session.cancel();
      return { cancelled: true };
    },
  };

  const take = (taken: vscode.WebviewPanel) => {
    panel = taken;
    const { webview } = taken;
    webview.options = { enableScripts: true, localResourceRoots: [root], enableCommandUris: false };
    taken.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
    taken.onDidDispose(() => {
      if (panel === taken) panel = null;
    });
    webview.onDidReceiveMessage(async (message: unknown) => {
      const answer = await answerPage(message, handlers);
      if (answer !== null && panel === taken) post(answer);
    });
    webview.html = toPanelHtml({
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(root, 'report.js')).toString(),
      styleUri: webview.asWebviewUri(vscode.Uri.joinPath(root, 'report.css')).toString(),
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
    });
  };
  const open = () => {
    if (panel !== null) panel.reveal(undefined, true);
    else {
      take(
        vscode.window.createWebviewPanel(
          REPORT_VIEW,
          'Evenkeel report',
          { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
          {},
        ),
      );
    }
  };

  return {
    showProgress(session) {
      open();
      set({ kind: 'progress', session });
    },
    showRecord(record, options) {
      if (options.open) open();
      setRecord(record);
      return panel?.visible ?? false;
    },
    showFlips(view) {
      open();
      set({ kind: 'flips', view });
    },
    showProblem: (error) => set({ kind: 'problem', error }),
    adopt(restored, record) {
      take(restored);
      // A check that began before the panel came back stays what is shown.
      if (content.kind === 'empty' && record !== null) setRecord(record);
    },
    dispose() {
      listening?.dispose();
      if (nextProgress !== null) clearTimeout(nextProgress);
      panel?.dispose();
    },
  };
}
