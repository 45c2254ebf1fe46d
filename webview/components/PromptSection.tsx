import type { PromptPiece, ReportView } from '../../src/contracts/reportView';
import { goTo, rowId } from '../state';
import { Section } from './Section';
import { LongText, Runs } from './Text';

export function PromptSection({ view }: { view: ReportView }) {
  const { prompt } = view;
  const wobbling = prompt.pieces.filter(({ state }) => state === 'wobbles').length;
  const judged = prompt.pieces.some(({ state }) => state !== null);
  const hidden = prompt.pieces.at(-1)?.text.hiddenChars ?? 0;
  return (
    <Section id="prompt" title="The prompt">
      <p class="lead">
        {prompt.path && <code>{prompt.path}</code>}
        {judged &&
          wobbling === 0 &&
          ' No sentence was seen to wobble; each leads to the changes tried on it.'}
        {wobbling > 0 &&
          ' Sentences that wobble are underlined; each leads to the change that moved it most.'}
      </p>
      <div class="prompt-text">
        {prompt.pieces.map((piece) => (
          <Piece piece={piece} key={piece.span.start} />
        ))}
        {hidden > 0 && <span class="quiet"> … {hidden.toLocaleString('en')} more characters</span>}
      </div>
      {prompt.variables.length > 0 && (
        <dl class="variables">
          {prompt.variables.map(({ name, value }) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                <LongText text={value} chars={300} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}

function Piece({ piece }: { piece: PromptPiece }) {
  const target = piece.perturbationIds[0];
  const text = <Runs runs={piece.text.runs} />;
  if (piece.state === null || target === undefined) return <span>{text}</span>;
  const go = (event: Event) => {
    event.preventDefault();
    goTo(target);
  };
  return (
    <a class={`piece piece-${piece.state}`} href={`#${rowId(target)}`} title={piece.label} onClick={go}>
      {text}
      <span class="only-heard"> ({piece.label})</span>
    </a>
  );
}
