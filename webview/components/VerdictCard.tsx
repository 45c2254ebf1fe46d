import type { ReportView } from '../../src/contracts/reportView';
import { attempt, bridge } from '../state';
import { StateIcon } from './StateIcon';

export function VerdictCard({ view }: { view: ReportView }) {
  const { headline } = view;
  // The word is the heading; the sentence goes on from it.
  const rest = headline.sentence.slice(headline.word.length + 2);
  return (
    <>
      <header class={`card card-${headline.state}`}>
        <StateIcon state={headline.state} />
        <div class="card-body">
          <p class="eyebrow">{view.title}</p>
          <h1>{headline.word}</h1>
          <p class="sentence">{rest.charAt(0).toUpperCase() + rest.slice(1)}</p>
          {view.nextStep && <p class="hint">{view.nextStep}</p>}
          <dl class="facts">
            {view.facts.map((fact) => (
              <div key={fact.label}>
                <dt>{fact.label}</dt>
                <dd title={fact.title}>{fact.value}</dd>
              </div>
            ))}
          </dl>
        </div>
        {bridge.kind === 'editor' && (
          <div class="actions">
            <vscode-button secondary onClick={() => save('html')}>
              Export HTML
            </vscode-button>
            <vscode-button secondary onClick={() => save('json')}>
              Export JSON
            </vscode-button>
          </div>
        )}
      </header>
      {view.warnings.length > 0 && (
        <ul class="warnings" aria-label="Warnings">
          {view.warnings.map((warning) => (
            <li key={warning}>
              <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
                <path class="warning-sign" d="M8 1.8 14.8 14H1.2ZM8 6.2v3.6M8 11.4v.6" />
              </svg>
              <span>{warning}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function save(format: 'html' | 'json') {
  void attempt(bridge.request('export', { format }), ({ path }) =>
    path === null ? '' : `Saved to ${path}.`,
  );
}
