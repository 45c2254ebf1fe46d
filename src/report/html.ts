/** The two HTML shells of the one page: the panel in the editor, and the file that stands alone. */
import type { SampleView } from '../contracts/reportView';
import type { RunRecord } from '../contracts/runRecord';
import type { HostMessage } from '../contracts/webviewProtocol';
import { toReportView, type OtherRuns } from './reportView';
import { sampleViews } from './sampleView';
import { spellHidden } from './visibleText';

/** What the exported file carries; the page finds it in the element `evenkeel-data`. */
export interface EmbeddedReport {
  /** What the host would say. */
  message: Extract<HostMessage, { view: unknown }>;
  samples: Record<string, SampleView[]>;
}

export interface PageAssets {
  /** Text of dist/webview/report.js. */
  script: string;
  /** Text of dist/webview/report.css. */
  css: string;
  /** SHA-256 of a text (UTF-8) in base64: the content-security policy names what may run. */
  sha256: (text: string) => string;
}

/** The report of a check as one file. */
export function toHtml(record: RunRecord, assets: PageAssets, others: OtherRuns = {}): string {
  const view = toReportView(record, others);
  const samples = Object.fromEntries(
    record.conditions.map(({ id }) => [id, sampleViews(record, id).samples]),
  );
  const title = `${view.headline.word}: ${view.title}`;
  return fileHtml(title, { message: { type: 'show', view }, samples }, assets);
}

/** Flip rates, or a comparison of models, as one file. */
export function sheetHtml(
  message: Extract<HostMessage, { type: 'showFlips' | 'showCompare' }>,
  assets: PageAssets,
): string {
  const title =
    message.type === 'showCompare'
      ? `${message.view.headline.word}: ${message.view.title}`
      : message.view.title;
  return fileHtml(title, { message, samples: {} }, assets);
}

/**
 * One file that opens from disk without a network. Run data stands in it as inert JSON only: every `<` is escaped,
 * so nothing a model said can end the element or begin another.
 */
function fileHtml(title: string, embedded: EmbeddedReport, assets: PageAssets): string {
  const script = inlineSafe(assets.script, 'script');
  const css = inlineSafe(assets.css, 'style');
  const policy = `default-src 'none'; script-src 'sha256-${assets.sha256(script)}'; style-src 'sha256-${assets.sha256(css)}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en" class="standalone">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(`${title} – Evenkeel`)}</title>
<style>${css}</style>
</head>
<body>
<div id="root"></div>
<noscript>This report needs JavaScript to be shown. It runs only what is inside this file.</noscript>
<script type="application/json" id="evenkeel-data">${toInertJson(embedded)}</script>
<script>${script}</script>
</body>
</html>
`;
}

interface PanelParts {
  /** URIs as the webview may load them. */
  scriptUri: string;
  styleUri: string;
  /** `webview.cspSource`. */
  cspSource: string;
  /** Fresh and unguessable for every page. */
  nonce: string;
}

/** The panel's HTML: no run data, one script by nonce, styles from the extension only. */
export function toPanelHtml(parts: PanelParts): string {
  const { scriptUri, styleUri, cspSource, nonce } = parts;
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${cspSource}; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Evenkeel report</title>
<link rel="stylesheet" href="${escapeHtml(styleUri)}">
</head>
<body>
<div id="root"></div>
<script nonce="${escapeHtml(nonce)}" src="${escapeHtml(scriptUri)}"></script>
</body>
</html>
`;
}

function toInertJson(value: unknown): string {
  return spellHidden(JSON.stringify(value)).replace(/</g, '\\u003c');
}

/** Our own bundle could hold the closing tag in a string: there an escaped `<` means the same. */
function inlineSafe(text: string, element: 'script' | 'style'): string {
  const less = element === 'script' ? '\\x3c' : '\\3c ';
  return text.replace(new RegExp(`<(?=/${element}|!--)`, 'gi'), less);
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
