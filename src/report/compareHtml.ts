import type { CompareView, ModelRow } from './compareView';
import { htmlText as text } from './htmlText';
import { letterOf, modelMatrixSvg } from './modelMatrixSvg';

const CSS = `
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --mark: #0969da; --note: #fff8c5; --page: #fff; --better: #d2f4d9; --worse: #ffe1dc; --same: #ddf0ff; --open: #f0f2f4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --mark: #4493f8; --note: #3b2e00; --page: #0d1117; --better: #12361f; --worse: #4a1b16; --same: #0d2f52; --open: #21262d; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; } h3 { font-size: 1rem; }
p, td, th, dd { overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 0.8rem 0; }
th, td { text-align: left; padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
svg.shift { display: block; width: 10rem; height: 1rem; }
svg .axis { stroke: var(--line); } svg .interval { stroke: var(--mark); stroke-width: 2; } svg .mean { fill: var(--mark); }
svg.matrix { width: 100%; max-width: 56rem; height: auto; }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; } svg .name { font-weight: 600; }
svg rect { stroke: var(--line); } .better { fill: var(--better); } .worse { fill: var(--worse); } .same { fill: var(--same); } .open { fill: var(--open); } .self { fill: none; }
.note { background: var(--note); padding: 0.4rem 0.8rem; border-radius: 4px; }
.soft { color: var(--soft); }
dt { font-weight: 600; } dd { margin: 0 0 0.5rem; }
`;

/**
 * A comparison of models as one HTML file without a script: everything is text, and the policy lets nothing run or load.
 * @param sha256 of a text (UTF-8) in base64, for the policy
 */
export function compareHtml(view: CompareView, { sha256 }: { sha256: (text: string) => string }): string {
  const policy = `default-src 'none'; style-src 'sha256-${sha256(CSS)}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${text(view.title)} – Evenkeel</title>
<style>${CSS}</style>
</head>
<body>
<h1>${text(view.title)}</h1>
<p><strong>${text(view.headline)}</strong></p>
${view.notes.map((note) => `<p class="note">${text(note)}</p>`).join('\n')}
${modelsHtml(view.models)}
${view.matrices.map(matrixHtml).join('\n')}
<h2>Every pair</h2>
${view.pairs.map(({ heading, sentences }) => `<h3>${text(heading)}</h3>\n${sentences.map((sentence) => `<p>${text(sentence)}</p>`).join('\n')}`).join('\n')}
${rocHtml(view.roc)}
<h2>Every change</h2>
${tableHtml(view.items.head, view.items.rows)}
${view.explained.map((sentence) => `<p class="soft">${text(sentence)}</p>`).join('\n')}
<dl>
${view.facts.map(({ name, value }) => `<dt>${text(name)}</dt><dd>${text(value)}</dd>`).join('\n')}
</dl>
</body>
</html>
`;
}

function modelsHtml(models: ModelRow[]): string {
  const head = [
    'Rank',
    'Model',
    'Weights',
    'Shift',
    '0 to 1',
    'CI',
    'Flips',
    'Changed',
    'Usable answers',
    'Commonest answer',
    'Speed',
  ];
  const rows = models.map((row, i) =>
    [
      text(row.rank),
      text(`${letterOf(i)} ${row.model}`),
      text(row.weights),
      text(row.shift),
      drawing(row),
      ...[row.interval, row.flips, row.changed, row.usable, row.commonest, row.speed].map(text),
    ]
      .map((cell) => `<td>${cell}</td>`)
      .join(''),
  );
  return `<div class="wide"><table>
<caption class="soft">How far harmless changes move each model</caption>
<thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${row}</tr>`).join('\n')}
</tbody>
</table></div>`;
}

/** A dot and its interval on the scale from 0 to 1; the numbers stand beside it. */
function drawing({ drawn }: ModelRow): string {
  if (drawn === null) return '';
  const x = (share: number) => (4 + share * 192).toFixed(1);
  return `<svg class="shift" viewBox="0 0 200 16" aria-hidden="true"><line class="axis" x1="4" x2="196" y1="8" y2="8"/><line class="interval" x1="${x(drawn.low)}" x2="${x(drawn.high)}" y1="8" y2="8"/><circle class="mean" cx="${x(drawn.mean)}" cy="8" r="4"/></svg>`;
}

const matrixHtml = (matrix: CompareView['matrices'][number]): string => `<h2>${text(matrix.title)}</h2>
${modelMatrixSvg(matrix)}
<details><summary>The same as a table</summary>
${tableHtml(
  ['', ...matrix.models],
  matrix.cells.map((row, r) => [matrix.models[r]!, ...row.map((cell) => cell?.text ?? '')]),
)}
</details>`;

function rocHtml(roc: CompareView['roc']): string {
  if (roc.length === 0) return '';
  return `<h2>Changes that should matter against those that should not</h2>
${tableHtml(
  ['Model', 'AUC', 'Found at 1% false alarms', '2%', '5%', '10%', '20%'],
  roc.map(({ model, auc, rates }) => [model, auc, ...rates]),
)}`;
}

const tableHtml = (head: string[], rows: string[][]): string => `<div class="wide"><table>
<thead><tr>${head.map((cell) => `<th scope="col">${text(cell)}</th>`).join('')}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${row.map((cell) => `<td>${text(cell)}</td>`).join('')}</tr>`).join('\n')}
</tbody>
</table></div>`;
