import { scaleLinear } from 'd3-scale';
import type { FlipsPanel } from '../../src/contracts/flipsView';
import { Axes } from './Axis';
import { Figure, margin } from './Figure';

const HEIGHT_PX = 230;
const percent = (share: number) => `${Math.round(share * 100)}%`;

/** Flip rate by strength with intervals and n; rates of fewer than ten changes are greyed and claim nothing. */
export function FlipRates({ panel }: { panel: FlipsPanel }) {
  const { rows } = panel;
  const draw = (widthPx: number) => {
    const x = scaleLinear()
      .domain([-0.5, rows.length - 0.5])
      .range([margin.left, widthPx - margin.right]);
    const y = scaleLinear()
      .domain([0, 1])
      .range([HEIGHT_PX - margin.bottom - 16, margin.top]);
    return (
      <>
        <Axes
          x={scaleLinear().domain([0, 0]).range([margin.left, widthPx])}
          y={y}
          widthPx={widthPx}
          heightPx={HEIGHT_PX}
          xTitle="strength of the change"
          xFormat={() => ''}
          yFormat={percent}
        />
        {rows.map((row, i) => (
          <g key={row.strength} class={row.suppressed ? 'few' : ''}>
            {row.drawn && (
              <>
                <line class="interval" x1={x(i)} x2={x(i)} y1={y(row.drawn.low)} y2={y(row.drawn.high)} />
                {[row.drawn.low, row.drawn.high].map((end, e) => (
                  <line class="interval" key={e} x1={x(i) - 5} x2={x(i) + 5} y1={y(end)} y2={y(end)} />
                ))}
                {row.suppressed ? (
                  <circle class="rate-few" cx={x(i)} cy={y(row.drawn.rate)} r={4} />
                ) : (
                  <circle class="rate-point" cx={x(i)} cy={y(row.drawn.rate)} r={4.5} />
                )}
              </>
            )}
            <text x={x(i)} y={y(0) + 16}>
              {widthPx < 420 ? row.strength.slice(0, 1) : row.strength}
            </text>
            <text x={x(i)} y={y(0) + 31}>
              n = {row.n}
            </text>
          </g>
        ))}
      </>
    );
  };
  return (
    <Figure
      name={`Flip rates, ${panel.heading.toLowerCase()}`}
      title="Good: low at 0, where the question stays the same, and high at 3, where it does not"
      legend={
        <p class="legend">Bars are 95% intervals. Hollow and grey: under 10 changes, nothing is claimed.</p>
      }
      spoken={`Flip rate by strength: ${rows.map((row) => `${row.strength}: ${row.flipped}${row.suppressed ? ', too few to claim anything' : `, ${row.rate}, ${row.interval}`}`).join('; ')}.`}
      numbers={{
        head: ['Strength', 'Flipped', 'Rate', 'CI low', 'CI high', 'Claimed'],
        rows: rows.map((row) => [
          row.strength,
          row.flipped,
          row.drawn?.rate.toFixed(3) ?? '',
          row.drawn?.low.toFixed(3) ?? '',
          row.drawn?.high.toFixed(3) ?? '',
          row.suppressed ? 'no' : 'yes',
        ]),
      }}
      heightPx={HEIGHT_PX}
      maxWidthPx={620}
      draw={draw}
    />
  );
}
