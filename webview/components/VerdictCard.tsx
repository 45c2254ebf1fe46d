import type { ReportView } from '../../src/contracts/reportView';
import { bridge } from '../state';
import { SaveTools } from './SaveTools';
import { StateIcon } from './StateIcon';

export function VerdictCard({ view }: { view: ReportView }) {
  const { headline } = view;
  // The word is the heading; the sentence goes on from it.
  const rest = headline.sentence.slice(headline.word.length + 2);
  return (
    <>
      {view.caution && (
        <p class="caution" role="note">
          <WarningSign />
          <span>{view.caution}</span>
        </p>
      )}
      <header class={`card card-${headline.state}`}>
        <StateIcon state={headline.state} />
        <div class="card-body">
          <p class="eyebrow">{view.title}</p>
          <h1>{headline.word}</h1>
          <p class="sentence">{rest.charAt(0).toUpperCase() + rest.slice(1)}</p>
          {view.composite && <p class="sentence">{view.composite}</p>}
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
        {bridge.kind === 'editor' && <SaveTools />}
      </header>
      {view.warnings.length > 0 && (
        <ul class="warnings" aria-label="Warnings">
          {view.warnings.map((warning) => (
            <li key={warning}>
              <WarningSign />
              <span>{warning}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function WarningSign() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path class="warning-sign" d="M8 1.8 14.8 14H1.2ZM8 6.2v3.6M8 11.4v.6" />
    </svg>
  );
}
