import { scaleLinear } from 'd3-scale';
import { area, curveStepAfter, line } from 'd3-shape';
import type { ComparisonView } from '../../src/contracts/reportView';
import { Term } from '../components/Glossary';
import { Axes } from './Axis';
import { smoothDensity } from './smoothDensity';
import { chartHeightPx, Figure, margin } from './Figure';

const percent = (share: number) => `${(share * 100).toFixed(share < 0.1 && share > 0 ? 1 : 0)}%`;

/** P0 and P1 on shared edges, as shares of their pairs (the two have different numbers of pairs). */
export function SimilarityHistogram({ row }: { row: ComparisonView }) {
  const { histogram } = row;
  if (!histogram) return null;
  const { edges } = histogram;
  const p0 = toShares(histogram.p0);
  const p1 = toShares(histogram.p1);
  const common = p0.reduce((sum, share, i) => sum + Math.min(share, p1[i] ?? 0), 0);
  const binWidth = ((edges.at(-1) ?? 1) - (edges[0] ?? 0)) / histogram.p0.length;
  const draw = (widthPx: number) => {
    const x = scaleLinear()
      .domain([edges[0] ?? 0, edges.at(-1) ?? 1])
      .range([margin.left, widthPx - margin.right]);
    // Density per bin, so that the smooth lines and the bars share one axis.
    const smooth = [histogram.p0, histogram.p1].map((counts) =>
      smoothDensity(edges, counts).map(([at, density]): [number, number] => [at, density * binWidth]),
    );
    const y = scaleLinear()
      .domain([0, Math.max(0.01, ...p0, ...p1, ...smooth.flat().map(([, share]) => share))])
      .nice(3)
      .range([chartHeightPx - margin.bottom, margin.top]);
    const steps = (shares: number[]): [number, number][] => [
      ...shares.map((share, i): [number, number] => [x(edges[i] ?? 0), y(share)]),
      [x(edges.at(-1) ?? 1), y(shares.at(-1) ?? 0)],
    ];
    const filled = area<[number, number]>()
      .x(([at]) => at)
      .y0(y(0))
      .y1(([, height]) => height)
      .curve(curveStepAfter);
    const outline = line<[number, number]>().curve(curveStepAfter);
    return (
      <>
        <Axes x={x} y={y} widthPx={widthPx} xTitle="similarity of two answers" yFormat={percent} />
        <path class="p0-area" d={filled(steps(p0)) ?? ''} />
        <path class="p0-line" d={outline(steps(p0)) ?? ''} />
        <path class="p1-line" d={outline(steps(p1)) ?? ''} />
        {smooth.map((points, arm) => (
          <path
            key={arm}
            class={`density density-p${arm}`}
            d={
              line<[number, number]>()(points.map(([at, share]): [number, number] => [x(at), y(share)])) ?? ''
            }
          />
        ))}
      </>
    );
  };
  return (
    <Figure
      name={`P0 and P1, ${row.name}`}
      title={
        <>
          The further apart, the more it moved (<Term id="p0-p1">P0 and P1</Term>)
        </>
      }
      legend={
        <p class="legend">
          <span>
            <span class="key key-p0" /> within the baseline (P0)
          </span>
          <span>
            <span class="key key-p1" /> baseline to {row.name} (P1); thin: <Term id="density">smoothed</Term>
          </span>
        </p>
      }
      spoken={`Histograms of the similarities within the baseline and between baseline and ${row.name}. They have ${percent(common)} in common.`}
      numbers={{
        head: ['Similarity', 'P0', 'P1'],
        rows: p0.flatMap((share, i) => {
          const other = p1[i] ?? 0;
          if (share === 0 && other === 0) return [];
          return [
            [
              `${(edges[i] ?? 0).toFixed(2)} to ${(edges[i + 1] ?? 0).toFixed(2)}`,
              percent(share),
              percent(other),
            ],
          ];
        }),
      }}
      draw={draw}
    />
  );
}

function toShares(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (total === 0 ? 0 : count / total));
}
