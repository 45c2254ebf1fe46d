import { scaleLinear } from 'd3-scale';
import type { ReportView } from '../../src/contracts/reportView';
import { Figure } from './Figure';
import { VerdictMark } from './VerdictGlyph';

const ROW_PX = 24;
const TOP_PX = 26;
const BOTTOM_PX = 40;
const P_PX = 62;

/** The table's plots as one picture, to be taken elsewhere: every change with strength, effect, interval and adjusted p. */
export function ForestFigure({ view }: { view: ReportView }) {
  const rows = view.comparisons;
  const ends = rows.flatMap(({ effect }) => (effect ? [effect.low, effect.high] : []));
  const heightPx = TOP_PX + rows.length * ROW_PX + BOTTOM_PX;
  const draw = (widthPx: number) => {
    const namePx = Math.max(90, Math.min(240, widthPx * 0.36));
    const chars = Math.floor(namePx / 6.6);
    const x = scaleLinear()
      .domain([Math.min(-0.05, ...ends), Math.max(0.2, view.noiseFloor?.q95 ?? 0, ...ends)])
      .nice(5)
      .range([namePx + 8, widthPx - P_PX - 10]);
    const base = heightPx - BOTTOM_PX;
    const ticks = x.ticks(Math.max(2, Math.min(6, Math.floor((widthPx - namePx - P_PX) / 55))));
    const format = x.tickFormat(ticks.length);
    return (
      <>
        {view.noiseFloor && (
          <rect
            class="noise-floor"
            x={namePx + 8}
            y={TOP_PX - 4}
            width={Math.max(0, x(view.noiseFloor.q95) - namePx - 8)}
            height={base - TOP_PX + 4}
          />
        )}
        {ticks.map((tick) => (
          <g key={tick}>
            <line class={tick === 0 ? 'zero' : 'grid'} x1={x(tick)} x2={x(tick)} y1={TOP_PX - 4} y2={base} />
            <text x={x(tick)} y={base + 15}>
              {format(tick)}
            </text>
          </g>
        ))}
        <text class="axis-title" x={(namePx + 8 + widthPx - P_PX - 10) / 2} y={base + 32}>
          effect H (0 none, 1 nothing in common)
        </text>
        <text class="to-right strong" x={0} y={14}>
          change (strength)
        </text>
        <text class="to-left strong" x={widthPx - 2} y={14}>
          adjusted p
        </text>
        {rows.map((row, i) => {
          const y = TOP_PX + (i + 0.5) * ROW_PX;
          const label = `${row.name} (${row.strength ?? '–'})`;
          return (
            <g key={row.perturbationId} class={`forest-${row.verdict}`}>
              <text class={`to-right${row.verdict === 'changed' ? ' strong' : ''}`} x={0} y={y + 4}>
                {label.length > chars ? `${row.name.slice(0, chars - 6)}… (${row.strength ?? '–'})` : label}
              </text>
              {row.effect && (
                <>
                  <line class="interval" x1={x(row.effect.low)} x2={x(row.effect.high)} y1={y} y2={y} />
                  {[row.effect.low, row.effect.high].map((end, e) => (
                    <line class="interval" key={e} x1={x(end)} x2={x(end)} y1={y - 4} y2={y + 4} />
                  ))}
                  <g transform={`translate(${x(row.effect.debiased)} ${y})`}>
                    <VerdictMark verdict={row.verdict} />
                  </g>
                </>
              )}
              <text class={`to-left${row.verdict === 'changed' ? ' strong' : ''}`} x={widthPx - 2} y={y + 4}>
                {row.adjustedPText}
              </text>
            </g>
          );
        })}
      </>
    );
  };
  const moved = rows.filter(({ verdict }) => verdict === 'changed').length;
  return (
    <Figure
      name="Forest plot"
      title="Marks right of the grey band, with bars clear of it, moved the answers most"
      spoken={`Forest plot of ${rows.length} changes; ${moved} moved the answers. Largest effect: ${rows[0]?.name ?? 'none'}, ${rows[0]?.effect?.text ?? 'not measured'}.`}
      numbers={{
        head: [
          'Change',
          'Strength',
          'Effect H',
          'CI low',
          'CI high',
          'Adjusted p',
          'Verdict',
          'n before',
          'n after',
        ],
        rows: rows.map((row) => [
          row.name,
          row.strength === null ? 'not rated' : String(row.strength),
          row.effect?.text ?? '',
          row.effect?.low.toFixed(3) ?? '',
          row.effect?.high.toFixed(3) ?? '',
          row.adjustedPText,
          row.verdictText,
          String(row.n0),
          String(row.n1),
        ]),
      }}
      heightPx={heightPx}
      draw={draw}
    />
  );
}
