import { scaleLinear } from 'd3-scale';
import { symbol, symbolDiamond } from 'd3-shape';
import type { CompositeView } from '../../src/contracts/reportView';
import { Term } from '../components/Glossary';
import { Figure } from './Figure';

const DOT_PX = 5;
const EDGE_PX = 16;
const TOP_PX = 26;
const BOTTOM_PX = 42;

/** Rewordings as dots by how far each stands from the rest, stacked where they meet; the edit is a mark of its own. */
export function CompositeNull({ composite }: { composite: CompositeView }) {
  const { rewordings, edit } = composite;
  const scores = rewordings.map(({ score }) => score);
  const ends = [Math.min(edit, ...scores), Math.max(edit, ...scores)];
  const heightPx = 150;
  const draw = (widthPx: number) => {
    const x = scaleLinear()
      .domain(ends)
      .nice()
      .range([EDGE_PX, widthPx - EDGE_PX]);
    const base = heightPx - BOTTOM_PX;
    const ticks = x.ticks(Math.max(2, Math.min(7, Math.floor(widthPx / 70))));
    const format = x.tickFormat(ticks.length);
    const columns = new Map<number, number>();
    const rightHalf = x(edit) > widthPx / 2;
    return (
      <>
        <line class="zero" x1={0} x2={widthPx} y1={base} y2={base} />
        <g class="axes">
          {ticks.map((tick) => (
            <text key={tick} x={x(tick)} y={base + 15}>
              {format(tick)}
            </text>
          ))}
          <text class="axis-title" x={widthPx / 2} y={heightPx - 8}>
            how far from all others (standardised)
          </text>
        </g>
        {rewordings.map((one, i) => {
          const column = Math.round(x(one.score) / (2 * DOT_PX + 1));
          const height = columns.get(column) ?? 0;
          columns.set(column, height + 1);
          return (
            <circle
              key={i}
              class="reworded"
              cx={x(one.score)}
              cy={base - 8 - height * (2 * DOT_PX + 1)}
              r={DOT_PX}
            >
              <title>{`${one.name}: ${one.score.toFixed(2)}`}</title>
            </circle>
          );
        })}
        <line class="observed" x1={x(edit)} x2={x(edit)} y1={TOP_PX - 6} y2={base} />
        <path
          class="edit-mark"
          d={symbol(symbolDiamond, 110)() ?? ''}
          transform={`translate(${x(edit)} ${TOP_PX - 8})`}
        />
        <text
          class={rightHalf ? 'observed-label to-left' : 'observed-label to-right'}
          x={x(edit) + (rightHalf ? -11 : 11)}
          y={TOP_PX - 4}
        >
          your edit {edit.toFixed(1)}
        </text>
      </>
    );
  };
  return (
    <Figure
      name="The edit among rewordings"
      title={
        <>
          An edit right of all dots moved the answers more than <Term id="composite">rewording</Term> does
        </>
      }
      legend={
        <p class="legend">
          <span>
            <span class="key key-reworded" /> a harmless rewording
          </span>
          <span>
            <span class="key key-diamond" /> your edit
          </span>
        </p>
      }
      spoken={`Distances of ${rewordings.length} harmless rewordings and of the edit from all others; the edit stands at ${edit.toFixed(2)}, the rewordings from ${Math.min(...scores).toFixed(2)} to ${Math.max(...scores).toFixed(2)}. ${composite.sentence}`}
      numbers={{
        head: ['Prompt', 'Distance', 'What it is'],
        rows: [
          ['Your edit', edit.toFixed(3), ''],
          ...[...rewordings]
            .sort((a, b) => b.score - a.score)
            .map(({ name, text, score }) => [name, score.toFixed(3), text]),
        ],
      }}
      heightPx={heightPx}
      maxWidthPx={620}
      draw={draw}
    />
  );
}
