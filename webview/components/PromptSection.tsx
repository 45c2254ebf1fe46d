import type { PromptPiece, ReportView } from '../../src/contracts/reportView';
import { goTo, openPiece, togglePiece } from '../state';
import { Section } from './Section';
import { Diff, LongText, Runs } from './Text';
import { VerdictGlyph } from '../charts/VerdictGlyph';

export function PromptSection({ view }: { view: ReportView }) {
  const { prompt } = view;
  const wobbling = prompt.pieces.filter(({ state }) => state === 'wobbles').length;
  const judged = prompt.pieces.some(({ state }) => state !== null);
  const hidden = prompt.pieces.at(-1)?.text.hiddenChars ?? 0;
  return (
    <Section id="prompt" title="The prompt">
      <p class="lead">
        {prompt.path && <code>{prompt.path}</code>}
        {judged && wobbling === 0 && ' No sentence was seen to wobble; each opens what was tried on it.'}
        {wobbling > 0 && ' Sentences that wobble are underlined; each opens what was tried on it.'}
      </p>
      <div class="prompt-text">
        {prompt.pieces.map((piece) => (
          <Piece piece={piece} key={piece.span.start} />
        ))}
        {hidden > 0 && <span class="quiet"> … {hidden.toLocaleString('en')} more characters</span>}
      </div>
      {judged && <HeatLegend />}
      <PieceChanges view={view} />
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
  const text = <Runs runs={piece.text.runs} />;
  if (piece.state === null || piece.perturbationIds.length === 0) return <span>{text}</span>;
  const start = piece.span.start;
  const open = (event: Event) => {
    event.preventDefault();
    togglePiece(start);
  };
  return (
    <a
      class={`piece piece-${piece.state} heat-${piece.heat ?? 0}`}
      href="#piece-changes"
      role="button"
      aria-expanded={openPiece.value === start}
      title={piece.label}
      onClick={open}
      onKeyDown={(event) => event.key === ' ' && open(event)}
    >
      {text}
      <span class="only-heard"> ({piece.label})</span>
    </a>
  );
}

/** What was tried on the stretch that the reader chose; each change leads to its samples. */
function PieceChanges({ view }: { view: ReportView }) {
  const piece = view.prompt.pieces.find(({ span }) => span.start === openPiece.value);
  if (!piece || piece.perturbationIds.length === 0) return null;
  const rows = piece.perturbationIds.flatMap(
    (id) => view.comparisons.find((row) => row.perturbationId === id) ?? [],
  );
  return (
    <ul id="piece-changes" class="piece-changes" aria-label="What was tried on this stretch">
      {rows.map((row) => (
        <li key={row.perturbationId}>
          <button type="button" class="link" onClick={() => goTo(row.perturbationId)}>
            <VerdictGlyph verdict={row.verdict} /> {row.name}
          </button>
          <span class="quiet">
            {row.verdictText}
            {row.effect && `, effect ${row.effect.text}`}
          </span>
          <Diff hunks={row.diff} />
        </li>
      ))}
    </ul>
  );
}

/** The shades and what they stand for. */
function HeatLegend() {
  return (
    <p class="legend" aria-hidden="true">
      <span>Effect of what was tried there:</span>
      {['under 0.05', '0.05', '0.15', '0.30', '0.50 and more'].map((text, step) => (
        <span key={text}>
          <span class={`key key-heat heat-${step}`} /> {text}
        </span>
      ))}
    </p>
  );
}
