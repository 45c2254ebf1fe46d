import type { ComponentChildren } from 'preact';
import type { HeadlineState } from '../../src/contracts/reportView';
import { attempt, bridge } from '../state';
import { StateIcon } from './StateIcon';

/** The card on top of flip rates and of a comparison of models, with what must be known before believing a number. */
export function SheetHead(props: {
  state: HeadlineState;
  title: string;
  word: string;
  sentence: string;
  facts: { label: string; value: string; title?: string | undefined }[];
  notes: string[];
}) {
  return (
    <>
      <header class={`card card-${props.state}`}>
        <StateIcon state={props.state} />
        <div class="card-body">
          <p class="eyebrow">{props.title}</p>
          <h1>{props.word}</h1>
          <p class="sentence">{props.sentence}</p>
          <dl class="facts">
            {props.facts.map((fact) => (
              <div key={fact.label}>
                <dt>{fact.label}</dt>
                <dd title={fact.title}>{fact.value}</dd>
              </div>
            ))}
          </dl>
        </div>
      </header>
      {props.notes.length > 0 && (
        <ul class="warnings" aria-label="Notes">
          {props.notes.map((note) => (
            <li key={note}>
              <span>{note}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export function Reproduce({ command }: { command: string }) {
  const copy = () =>
    void attempt(bridge.request('copy', { text: command }), () => 'The command is on the clipboard.');
  return (
    <>
      <h3>Do it again</h3>
      <div class="command">
        <code>{command}</code>
        <vscode-button secondary onClick={copy}>
          Copy
        </vscode-button>
      </div>
    </>
  );
}

export function ScrollTable(props: { label: string; children: ComponentChildren }) {
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label={props.label}>
      <table class="sheet-grid">{props.children}</table>
    </div>
  );
}
