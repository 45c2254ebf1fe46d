import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { RocView } from '../../src/contracts/reportView';
import { Term } from '../components/Glossary';
import { Axes } from './Axis';
import { Figure, margin } from './Figure';

const HEIGHT_PX = 240;
const percent = (share: number) => `${Math.round(share * 100)}%`;

/** How well p tells changes that should matter from those that should not. */
export function RocCurve({ roc }: { roc: RocView }) {
  const draw = (widthPx: number) => {
    const x = scaleLinear()
      .domain([0, 1])
      .range([margin.left, widthPx - margin.right - 14]);
    const y = scaleLinear()
      .domain([0, 1])
      .range([HEIGHT_PX - margin.bottom, margin.top]);
    const path = line<RocView['points'][number]>()
      .x(({ fpr }) => x(fpr))
      .y(({ tpr }) => y(tpr));
    return (
      <>
        <Axes
          x={x}
          y={y}
          widthPx={widthPx}
          heightPx={HEIGHT_PX}
          xTitle="harmless changes called changed (FPR)"
          xFormat={percent}
          yFormat={percent}
        />
        <line class="chance" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
        <path class="p1-line" d={path(roc.points) ?? ''} />
        {roc.points.map(({ fpr, tpr }, i) => (
          <circle key={i} class="roc-point" cx={x(fpr)} cy={y(tpr)} r={3} />
        ))}
        <text class="to-left" x={x(1) - 4} y={y(0) - 8}>
          AUC {roc.aucText}
        </text>
      </>
    );
  };
  return (
    <Figure
      name="ROC curve"
      title={
        <>
          The closer to the upper left, the better p sorts (<Term id="roc">ROC</Term>)
        </>
      }
      legend={<p class="legend">{roc.sentence}</p>}
      spoken={roc.sentence}
      numbers={{
        head: ['p at most', 'Harmless called changed', 'Meaningful called changed'],
        rows: roc.points.map(({ fpr, tpr, thresholdText }) => [
          thresholdText,
          fpr.toFixed(3),
          tpr.toFixed(3),
        ]),
      }}
      heightPx={HEIGHT_PX}
      maxWidthPx={420}
      draw={draw}
    />
  );
}
