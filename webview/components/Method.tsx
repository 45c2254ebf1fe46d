import type { ReportView } from '../../src/contracts/reportView';
import { attempt, bridge } from '../state';
import { Section } from './Section';
import { LongText } from './Text';

export function Method({ view }: { view: ReportView }) {
  const copy = () =>
    void attempt(bridge.request('copy', { text: view.reproduce }), () => 'The command is on the clipboard.');
  return (
    <Section id="method" title="How was this computed?" closed>
      <dl class="method">
        {view.method.map(({ heading, text }) => (
          <div key={heading}>
            <dt>{heading}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <h3>Settings and versions</h3>
      <dl class="facts">
        {view.options.map((option) => (
          <div key={option.label}>
            <dt>{option.label}</dt>
            <dd title={option.title}>{option.value}</dd>
          </div>
        ))}
      </dl>
      {view.prompt.rendered && (
        <>
          <h3>The prompt as it was sent</h3>
          <div class="prompt-text">
            <LongText text={view.prompt.rendered} chars={1200} />
          </div>
        </>
      )}
      <h3 id="reproduce-title">Do it again</h3>
      <div class="command">
        <code>{view.reproduce}</code>
        <vscode-button secondary onClick={copy}>
          Copy
        </vscode-button>
      </div>
    </Section>
  );
}
