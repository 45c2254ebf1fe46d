import { scaleLinear } from 'd3-scale';
import type { FlipsPanel } from '../../src/contracts/flipsView';
import { Term } from '../components/Glossary';
import { Figure } from './Figure';

const ROW_PX = 30;
const TOP_PX = 8;
const BOTTOM_PX = 40;
const LABEL_PX = 104;
const COUNT_PX = 78;

/** Share of changes that flip the answer, strength by strength, with intervals; greyed where too few were tried. */
export function FlipRates({ panel }: { panel: FlipsPanel }) {
  const { rows } = panel;
  const heightPx = TOP_PX + rows.length * ROW_PX + BOTTOM_PX;
  const draw = (widthPx: number) => {
    const x = scaleLinear()
      .domain([0, 1])
      .range([LABEL_PX, widthPx - COUNT_PX]);
    const base = heightPx - BOTTOM_PX;
    const ticks = widthPx < 420 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
    return (
      <>
        <g class="axes">
          {ticks.map((tick) => (
            <g key={tick}>
              <line class={tick === 0 ? 'zero' : 'grid'} x1={x(tick)} x2={x(tick)} y1={TOP_PX} y2={base} />
              <text x={x(tick)} y={base + 15}>
                {`${100 * tick}%`}
              </text>
            </g>
          ))}
          <text class="axis-title" x={(LABEL_PX + widthPx - COUNT_PX) / 2} y={heightPx - 8}>
            answers flipped
          </text>
        </g>
        {rows.map((row, i) => {
          const y = TOP_PX + (i + 0.5) * ROW_PX;
          return (
            <g key={row.strength} class={row.suppressed ? 'rate-few' : 'rate'}>
              <text class="to-right" x={0} y={y + 4}>
                {row.strength}
              </text>
              {row.drawn && (
                <>
                  <line class="rate-interval" x1={x(row.drawn.low)} x2={x(row.drawn.high)} y1={y} y2={y} />
                  <circle class="rate-mark" cx={x(row.drawn.rate)} cy={y} r={5} />
                </>
              )}
              <text class="to-left" x={widthPx - 2} y={y + 4}>
                {row.flipped}
              </text>
            </g>
          );
        })}
      </>
    );
  };
  return (
    <Figure
      name={`Flip rates, ${panel.heading}`}
      title={
        <>
          The further right the dot, the easier a change of that strength{' '}
          <Term id="flip-rate">flips the answer</Term>
        </>
      }
      legend={
        <p class="legend">
          <span>bars: 95% intervals</span>
          <span>grey and dashed: fewer than ten, nothing is claimed</span>
        </p>
      }
      spoken={`${panel.headline} ${rows.map(({ strength, flipped }) => `Strength ${strength}: ${flipped}`).join('; ')}.`}
      numbers={{
        head: ['Strength', 'Flipped', 'Rate', '95% CI'],
        rows: rows.map(({ strength, flipped, rate, interval }) => [strength, flipped, rate, interval]),
      }}
      heightPx={heightPx}
      maxWidthPx={620}
      draw={draw}
    />
  );
}
