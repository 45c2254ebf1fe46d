import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { TimelineView } from '../../src/contracts/reportView';
import { Axes } from './Axis';
import { chartHeightPx, Figure, margin } from './Figure';

/** Did the model or its server change while it was asked? */
export function Timeline({ timeline }: { timeline: TimelineView }) {
  const { points, medians } = timeline;
  const draw = (widthPx: number) => {
    const x = scaleLinear()
      .domain([0, Math.max(1, ...points.map(({ at }) => at))])
      .range([margin.left, widthPx - margin.right]);
    const y = scaleLinear()
      .domain([0, Math.max(0.01, ...points.map(({ seconds }) => seconds))])
      .nice(3)
      .range([chartHeightPx - margin.bottom, margin.top]);
    const path = line<TimelineView['medians'][number]>()
      .x(({ at }) => x(at))
      .y(({ seconds }) => y(seconds));
    return (
      <>
        <Axes
          x={x}
          y={y}
          widthPx={widthPx}
          xTitle="seconds since the first call"
          yFormat={(value) => `${value} s`}
        />
        {points.map(({ at, seconds, ok }, i) =>
          ok ? (
            <circle key={i} class="time-point" cx={x(at)} cy={y(seconds)} r={2.2} />
          ) : (
            <path key={i} class="time-failed" d={`M${x(at) - 3.5} ${y(seconds) - 3.5}l7 7m0 -7l-7 7`} />
          ),
        )}
        <path class="p0-line median-line" d={path(medians) ?? ''} />
      </>
    );
  };
  const failed = medians.reduce((sum, stretch) => sum + stretch.failed, 0);
  return (
    <Figure
      name="Time line"
      title="A line that climbs or jumps means that the model or its server changed on the way"
      legend={
        <p class="legend">
          <span>
            <span class="key key-point" /> one answer
          </span>
          <span>
            <span class="key key-median" /> median of a stretch
          </span>
          {failed > 0 && <span>× without a usable answer</span>}
        </p>
      }
      spoken={timeline.sentence}
      numbers={{
        head: ['Around second', 'Median seconds', 'Calls', 'Without a usable answer'],
        rows: medians.map(({ at, seconds, calls, failed: bad }) => [
          at.toFixed(1),
          seconds.toFixed(2),
          String(calls),
          String(bad),
        ]),
      }}
      draw={draw}
    />
  );
}
