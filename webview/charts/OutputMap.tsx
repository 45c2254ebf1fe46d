import { scaleLinear } from 'd3-scale';
import { symbol, symbolDiamond } from 'd3-shape';
import { useState } from 'preact/hooks';
import type { ComparisonView, MapView } from '../../src/contracts/reportView';
import { Term } from '../components/Glossary';
import { Figure } from './Figure';

const HEIGHT_PX = 260;
const EDGE_PX = 24;

/** Where the answers of both prompts lie, as far as two dimensions tell. */
export function OutputMap({
  map,
  row,
  baselineId,
}: {
  map: MapView;
  row: ComparisonView;
  baselineId: string;
}) {
  const [hovered, setHovered] = useState<MapView['points'][number] | null>(null);
  const own = map.points.filter(
    ({ conditionId }) => conditionId === baselineId || conditionId === row.conditionId,
  );
  const others = map.points.filter((point) => !own.includes(point));
  const armName = ({ conditionId }: { conditionId: string }) =>
    conditionId === baselineId ? 'Baseline' : conditionId === row.conditionId ? row.name : 'Another change';
  const draw = (widthPx: number) => {
    const range = (of: (point: MapView['points'][number]) => number, low: number, high: number) => {
      const values = map.points.map(of);
      return scaleLinear()
        .domain([Math.min(...values), Math.max(...values)])
        .range([low, high]);
    };
    const x = range((point) => point.x, EDGE_PX, widthPx - EDGE_PX);
    const y = range((point) => point.y, HEIGHT_PX - EDGE_PX, EDGE_PX);
    const radius = (count: number) => Math.min(14, 3 + 1.6 * Math.sqrt(count - 1));
    return (
      <>
        <rect class="map-frame" x={0.5} y={0.5} width={widthPx - 1} height={HEIGHT_PX - 1} />
        {others.map((point, i) => (
          <circle key={i} class="map-other" cx={x(point.x)} cy={y(point.y)} r={2} />
        ))}
        {own.map((point, i) => {
          const r = radius(point.count);
          const hover = {
            onMouseEnter: () => setHovered(point),
            onMouseLeave: () => setHovered(null),
          };
          return point.conditionId === baselineId ? (
            <circle key={i} class="map-p0" cx={x(point.x)} cy={y(point.y)} r={r} {...hover} />
          ) : (
            <path
              key={i}
              class="map-p1"
              d={symbol(symbolDiamond, Math.PI * (r + 1) ** 2)() ?? ''}
              transform={`translate(${x(point.x)} ${y(point.y)})`}
              {...hover}
            />
          );
        })}
      </>
    );
  };
  const count = (id: string) => own.filter(({ conditionId }) => conditionId === id).length;
  return (
    <Figure
      name={`Map of answers, ${row.name}`}
      title={
        <>
          Where the marks of both prompts part, the answers do (<Term id="map">a sketch</Term>)
        </>
      }
      legend={
        <p class="legend map-legend">
          {hovered ? (
            <span>
              <strong>
                {armName(hovered)}
                {hovered.count > 1 && ` ×${hovered.count}`}:
              </strong>{' '}
              <bdi>{hovered.text}</bdi>
            </span>
          ) : (
            <>
              <span>
                <span class="key key-dot" /> Baseline
              </span>
              <span>
                <span class="key key-diamond" /> {row.name}
              </span>
              <span>larger: given more often; point at one to read it</span>
            </>
          )}
        </p>
      }
      spoken={`Sketch of ${count(baselineId)} distinct answers to the baseline and ${count(row.conditionId)} to ${row.name}; its two axes show ${map.sharesText} of what varies (principal components, ${map.embedder}). No verdict rests on it.`}
      numbers={{
        head: ['Prompt', 'Answer', 'Times', 'x', 'y'],
        rows: own.map((point) => [
          armName(point),
          point.text,
          String(point.count),
          point.x.toFixed(3),
          point.y.toFixed(3),
        ]),
      }}
      heightPx={HEIGHT_PX}
      maxWidthPx={520}
      draw={draw}
    />
  );
}
