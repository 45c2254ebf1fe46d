import type { FlipsRow, FlipsView } from './flipsView';
import { htmlText as text } from './htmlText';

const CSS = `
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --mark: #0969da; --note: #fff8c5; --page: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --mark: #4493f8; --note: #3b2e00; --page: #0d1117; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
p, td, th, dd { overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: 0.8rem 0; }
th, td { text-align: left; padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr.few td { color: var(--soft); }
svg { display: block; width: 12rem; height: 1rem; }
svg .axis { stroke: var(--line); } svg .interval { stroke: var(--mark); stroke-width: 2; } svg .rate { fill: var(--mark); }
tr.few svg .interval { stroke: var(--soft); stroke-dasharray: 3 3; } tr.few svg .rate { fill: var(--soft); }
.note { background: var(--note); padding: 0.4rem 0.8rem; border-radius: 4px; }
.soft { color: var(--soft); }
dt { font-weight: 600; } dd { margin: 0 0 0.5rem; }
`;

/**
 * Flip rates as one HTML file without a script: everything is text, and the policy lets nothing run or load.
 * @param sha256 of a text (UTF-8) in base64, for the policy
 */
export function flipsHtml(view: FlipsView, { sha256 }: { sha256: (text: string) => string }): string {
  const policy = `default-src 'none'; style-src 'sha256-${sha256(CSS)}'; base-uri 'none'; form-action 'none'`;
  const panels = view.panels.map(
    ({ heading, headline, rows, sentences, kinds, flipped, more }) => `<section>
<h2>${text(heading)}</h2>
<p><strong>${text(headline)}</strong></p>
<table>
<caption class="soft">Share of changes that flip the answer, by strength, with 95% intervals from 0 to 1</caption>
<thead><tr><th scope="col">Strength</th><th scope="col">Flipped</th><th scope="col">Rate</th><th scope="col">95% CI</th><th scope="col">0 to 1</th></tr></thead>
<tbody>
${rows.map(rowHtml).join('\n')}
</tbody>
</table>
${sentences.map((sentence) => `<p>${text(sentence)}</p>`).join('\n')}
<p>By kind: ${text(kinds.map(({ kind, flipped: count }) => `${kind} ${count}`).join(', '))}.</p>
${flipped.length === 0 ? '' : flippedHtml(flipped)}
${more === null ? '' : `<p class="soft">${text(more)}</p>`}
</section>`,
  );
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
${view.notes.map((note) => `<p class="note">${text(note)}</p>`).join('\n')}
${panels.join('\n')}
<p class="soft">${text(view.explained)}</p>
<dl>
${view.facts.map(({ name, value }) => `<dt>${text(name)}</dt><dd>${text(value)}</dd>`).join('\n')}
</dl>
</body>
</html>
`;
}

const rowHtml = (row: FlipsRow): string =>
  `<tr${row.suppressed ? ' class="few"' : ''}><td>${text(row.strength)}</td><td>${text(row.flipped)}</td><td>${text(row.rate)}</td><td>${text(row.interval)}</td><td>${drawing(row)}</td></tr>`;

/** A dot and its interval on the scale from 0 to 1; the numbers stand beside it. */
function drawing({ drawn }: FlipsRow): string {
  if (drawn === null) return '';
  const x = (share: number) => (4 + share * 192).toFixed(1);
  return `<svg viewBox="0 0 200 16" aria-hidden="true"><line class="axis" x1="4" x2="196" y1="8" y2="8"/><line class="interval" x1="${x(drawn.low)}" x2="${x(drawn.high)}" y1="8" y2="8"/><circle class="rate" cx="${x(drawn.rate)}" cy="8" r="4"/></svg>`;
}

const flippedHtml = (flipped: FlipsView['panels'][number]['flipped']): string => `<table>
<thead><tr><th scope="col">Change that flipped the answer</th><th scope="col">Strength</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
<tbody>
${flipped.map((one) => `<tr>${[one.change, one.strength, one.before, one.after].map((cell) => `<td>${text(cell)}</td>`).join('')}</tr>`).join('\n')}
</tbody>
</table>`;
