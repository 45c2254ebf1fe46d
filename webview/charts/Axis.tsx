import type { ScaleLinear } from 'd3-scale';
import { chartHeightPx, margin } from './Figure';

/** Ticks, labels and title below, light lines and labels at the left. */
export function Axes(props: {
  x: ScaleLinear<number, number>;
  y: ScaleLinear<number, number>;
  widthPx: number;
  xTitle: string;
  yFormat: (value: number) => string;
  xFormat?: (value: number) => string;
  heightPx?: number;
}) {
  const { x, y, widthPx } = props;
  const base = (props.heightPx ?? chartHeightPx) - margin.bottom;
  const xTicks = x.ticks(Math.max(2, Math.min(7, Math.floor(widthPx / 70))));
  const format = props.xFormat ?? x.tickFormat(xTicks.length);
  return (
    <g class="axes">
      {y.ticks(3).map((tick) => (
        <g key={tick}>
          <line
            class={tick === 0 ? 'zero' : 'grid'}
            x1={margin.left}
            x2={widthPx - margin.right}
            y1={y(tick)}
            y2={y(tick)}
          />
          <text class="y-label" x={margin.left - 6} y={y(tick) + 4}>
            {props.yFormat(tick)}
          </text>
        </g>
      ))}
      {xTicks.map((tick) => (
        <text key={tick} x={x(tick)} y={base + 15}>
          {format(tick)}
        </text>
      ))}
      <text class="axis-title" x={(margin.left + widthPx - margin.right) / 2} y={base + 31}>
        {props.xTitle}
      </text>
    </g>
  );
}
