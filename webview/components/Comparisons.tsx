import type { ComparisonView, ReportView } from '../../src/contracts/reportView';
import { ForestFigure } from '../charts/ForestFigure';
import { ForestAxis, ForestRow } from '../charts/Forest';
import { forestScale, type ForestScale } from '../charts/forestScale';
import { VerdictGlyph } from '../charts/VerdictGlyph';
import { rowId, selected, toggleSelected } from '../state';
import { ComparisonDetail } from './ComparisonDetail';
import { Term } from './Glossary';
import { Disclosure, Section } from './Section';
import { DiffLine } from './Text';

/** Forest plot and table in one: each row's picture stands beside its numbers. Roles are explicit, as CSS lays rows out as grids. */
export function Comparisons({ view }: { view: ReportView }) {
  const scale = forestScale(view);
  const moved = view.comparisons.some(({ verdict }) => verdict === 'changed');
  const title = view.edit ? 'What it did to the answers' : moved ? 'What moved it' : 'What was tried';
  return (
    <Section id="changes" title={title}>
      <table class="rows" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col" class="cell-change">
              <Term id="perturbation">Change</Term>
            </th>
            <th role="columnheader" scope="col" class="cell-plot">
              <span class="only-heard">Plot</span>
              <ForestAxis scale={scale} floor={view.noiseFloor} />
            </th>
            <th role="columnheader" scope="col" class="cell-effect">
              <Term id="effect">Effect</Term>
            </th>
            <th role="columnheader" scope="col" class="cell-p">
              <Term id="adjusted-p">Adj. p</Term>
            </th>
            <th role="columnheader" scope="col" class="cell-verdict">
              <Term id="verdict">Verdict</Term>
            </th>
          </tr>
        </thead>
        {view.comparisons.map((row) => (
          <Row key={row.perturbationId} row={row} view={view} scale={scale} />
        ))}
      </table>
      <p class="legend">
        <span>
          <VerdictGlyph verdict="changed" /> changed
        </span>
        <span>
          <VerdictGlyph verdict="noChangeDetected" /> no change detected
        </span>
        <span>
          <VerdictGlyph verdict="undecided" /> undecided
        </span>
        {view.noiseFloor && (
          <span>
            <span class="key key-floor" /> <Term id="noise-floor">noise floor</Term>
          </span>
        )}
        <span>
          bars: 95% <Term id="interval">confidence interval</Term>
        </span>
      </p>
      <Disclosure id="forest" class="sub" summary="As one picture">
        <ForestFigure view={view} />
      </Disclosure>
    </Section>
  );
}

function Row({ row, view, scale }: { row: ComparisonView; view: ReportView; scale: ForestScale }) {
  const open = selected.value === row.perturbationId;
  const toggle = () => toggleSelected(row.perturbationId);
  // The whole row answers to the mouse, unless text in it is being selected.
  const onRow = (event: MouseEvent) => {
    const onControl = event.target instanceof Element && event.target.closest('button, a, summary');
    if (!onControl && window.getSelection()?.isCollapsed !== false) toggle();
  };
  return (
    <tbody role="rowgroup" class={`row row-${row.verdict}${open ? ' row-open' : ''}`}>
      <tr role="row" class="row-main" onClick={onRow} data-perturbation={row.perturbationId}>
        <th role="rowheader" scope="row" class="cell-change">
          <div class="row-name">
            <button
              type="button"
              id={rowId(row.perturbationId)}
              class="row-toggle"
              aria-expanded={open}
              onClick={toggle}
            >
              <svg class="chevron" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
                <path d="M6 3.5 10.5 8 6 12.5" />
              </svg>
              {row.name}
            </button>
            <span class="tags">
              <vscode-badge>{row.kindText}</vscode-badge>
              <span class="quiet">
                {row.expectation === 'meaningful' && `${row.expectationText} · `}
                {row.expectationText !== null &&
                  (row.strength === null ? 'not rated' : `strength ${row.strength}`)}
              </span>
            </span>
          </div>
          <DiffLine hunks={row.diff} />
          {row.undecidedText && <p class="reason">{row.undecidedText}</p>}
        </th>
        <td role="cell" class="cell-plot">
          <ForestRow row={row} scale={scale} floor={view.noiseFloor} />
        </td>
        <td role="cell" class="cell-effect">
          {row.effect ? (
            <>
              <strong data-field="effect">{row.effect.text}</strong>{' '}
              <span class="quiet" data-field="interval">
                {row.effect.intervalText}
              </span>
            </>
          ) : (
            <span class="quiet">not measured</span>
          )}
        </td>
        <td role="cell" class="cell-p">
          <span class="only-narrow quiet">adj. p </span>
          <span data-field="adjustedP">{row.adjustedPText}</span>
        </td>
        <td role="cell" class="cell-verdict">
          <VerdictGlyph verdict={row.verdict} />
          <span>
            <span data-field="verdict">{row.verdictText}</span>
            {row.sizeText && <span class="quiet"> {row.sizeText}</span>}
          </span>
        </td>
      </tr>
      {open && (
        <tr role="row" class="row-detail">
          <td role="cell" colSpan={5}>
            <ComparisonDetail row={row} view={view} />
          </td>
        </tr>
      )}
    </tbody>
  );
}
