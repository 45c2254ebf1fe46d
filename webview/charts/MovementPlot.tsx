import { scaleLinear } from 'd3-scale';
import type { CompareView } from '../../src/contracts/compareView';
import { Figure } from './Figure';

const ROW_PX = 26;
const TOP_PX = 8;
const BOTTOM_PX = 42;

/** Mean movement of every model with its interval, the steadiest on top. */
export function MovementPlot({ view }: { view: CompareView }) {
  const rows = view.models.flatMap(({ name, movement }) => (movement === null ? [] : [{ name, movement }]));
  const heightPx = TOP_PX + rows.length * ROW_PX + BOTTOM_PX;
  const draw = (widthPx: number) => {
    const namePx = Math.max(80, Math.min(190, widthPx * 0.38));
    const chars = Math.floor(namePx / 6.8);
    const x = scaleLinear()
      .domain([
        Math.min(0, ...rows.map(({ movement }) => movement.low)),
        Math.max(0.1, ...rows.map(({ movement }) => movement.high)),
      ])
      .nice(5)
      .range([namePx + 8, widthPx - 14]);
    const base = heightPx - BOTTOM_PX;
    const ticks = x.ticks(Math.max(2, Math.min(6, Math.floor((widthPx - namePx) / 60))));
    const format = x.tickFormat(ticks.length);
    return (
      <>
        {ticks.map((tick) => (
          <g key={tick}>
            <line class={tick === 0 ? 'zero' : 'grid'} x1={x(tick)} x2={x(tick)} y1={TOP_PX} y2={base} />
            <text x={x(tick)} y={base + 15}>
              {format(tick)}
            </text>
          </g>
        ))}
        <text class="axis-title" x={(namePx + 8 + widthPx - 14) / 2} y={base + 33}>
          mean movement (0 none)
        </text>
        {rows.map(({ name, movement }, i) => {
          const y = TOP_PX + (i + 0.5) * ROW_PX;
          return (
            <g key={name}>
              <text class="to-right" x={0} y={y + 4}>
                {name.length > chars ? `${name.slice(0, chars - 1)}…` : name}
              </text>
              <line class="interval" x1={x(movement.low)} x2={x(movement.high)} y1={y} y2={y} />
              {[movement.low, movement.high].map((end, e) => (
                <line class="interval" key={e} x1={x(end)} x2={x(end)} y1={y - 4} y2={y + 4} />
              ))}
              <circle class="rate-point" cx={x(movement.mean)} cy={y} r={4.5} />
            </g>
          );
        })}
      </>
    );
  };
  return (
    <Figure
      name="Movement by model"
      title="Further left is steadier; bars that overlap much are no clear difference"
      spoken={`Mean movement of ${rows.length} models: ${rows.map(({ name, movement }) => `${name} ${movement.text}, ${movement.intervalText}`).join('; ')}.`}
      numbers={{
        head: ['Model', 'Movement', 'CI low', 'CI high'],
        rows: rows.map(({ name, movement }) => [
          name,
          movement.mean.toFixed(4),
          movement.low.toFixed(4),
          movement.high.toFixed(4),
        ]),
      }}
      heightPx={heightPx}
      draw={draw}
    />
  );
}
