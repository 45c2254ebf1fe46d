import { scaleLinear } from 'd3-scale';
import type { ComparisonView } from '../../src/contracts/reportView';
import { Term } from '../components/Glossary';
import { Axes } from './Axis';
import { chartHeightPx, Figure, margin } from './Figure';

/** What shuffling gives, and where the observed statistic stands. */
export function NullHistogram({ row }: { row: ComparisonView }) {
  const histogram = row.nullHistogram;
  if (!histogram) return null;
  const { edges, counts, observed } = histogram;
  const draw = (widthPx: number) => {
    const x = scaleLinear()
      .domain([Math.min(edges[0] ?? 0, observed), Math.max(edges.at(-1) ?? 1, observed)])
      .nice()
      .range([margin.left, widthPx - margin.right]);
    const y = scaleLinear()
      .domain([0, Math.max(1, ...counts)])
      .range([chartHeightPx - margin.bottom, margin.top + 14]);
    const base = y(0);
    const rightHalf = x(observed) > widthPx / 2;
    return (
      <>
        <Axes x={x} y={y} widthPx={widthPx} xTitle="largest standardised statistic" yFormat={short} />
        {counts.map((count, i) => {
          const left = x(edges[i] ?? 0);
          const right = x(edges[i + 1] ?? 0);
          const beyond = (edges[i] ?? 0) >= observed;
          return (
            <rect
              key={i}
              class={beyond ? 'null-bar null-bar-beyond' : 'null-bar'}
              x={left}
              y={y(count)}
              width={Math.max(0, right - left - 1)}
              height={base - y(count)}
            />
          );
        })}
        <line class="observed" x1={x(observed)} x2={x(observed)} y1={margin.top} y2={base} />
        <text
          class={rightHalf ? 'observed-label to-left' : 'observed-label to-right'}
          x={x(observed) + (rightHalf ? -6 : 6)}
          y={margin.top + 8}
        >
          observed {observed.toFixed(1)}
        </text>
      </>
    );
  };
  return (
    <Figure
      name={`Permutation null, ${row.name}`}
      title={
        <>
          Where shuffled answers fall, and where yours do (<Term id="p">p-value</Term>)
        </>
      }
      legend={<p class="legend">{row.permutationText}</p>}
      spoken={`Histogram of the omnibus statistic over shuffled answers; the observed one is ${observed.toFixed(1)}. ${row.permutationText}`}
      numbers={{
        head: ['Statistic', 'Shuffles'],
        rows: [
          ...counts.flatMap((count, i) =>
            count === 0
              ? []
              : [
                  [
                    `${(edges[i] ?? 0).toFixed(2)} to ${(edges[i + 1] ?? 0).toFixed(2)}`,
                    count.toLocaleString('en'),
                  ],
                ],
          ),
          ['Observed', observed.toFixed(3)],
        ],
      }}
      draw={draw}
    />
  );
}

const short = (count: number) => (count >= 1000 ? `${count / 1000}k` : String(count));
