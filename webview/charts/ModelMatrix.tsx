import type { CompareView } from '../../src/contracts/compareView';
import { Figure } from './Figure';

const ROW_PX = 46;
const TOP_PX = 30;

const SIGNS = { steadier: '▲', lessSteady: '▽', tied: '=', undecided: '?' } as const;

/** How the model of each row stands to that of each column; a word and a sign besides the shade. */
export function ModelMatrix({ view }: { view: CompareView }) {
  const names = view.models.filter(({ movement }) => movement !== null).map(({ name }) => name);
  const heightPx = TOP_PX + names.length * ROW_PX + 6;
  const draw = (widthPx: number) => {
    const namePx = Math.max(70, Math.min(170, widthPx * 0.3));
    const cellPx = (widthPx - namePx - 2) / names.length;
    const clip = (text: string, px: number) => {
      const chars = Math.max(4, Math.floor(px / 6.6));
      // Names of one family differ at the end.
      const head = Math.ceil((chars - 1) / 2);
      return text.length > chars
        ? `${text.slice(0, head)}…${text.slice(text.length - (chars - 1 - head))}`
        : text;
    };
    return (
      <>
        {names.map((name, i) => (
          <g key={name}>
            <text x={namePx + (i + 0.5) * cellPx} y={18}>
              {clip(name, cellPx)}
            </text>
            <text class="to-right" x={0} y={TOP_PX + (i + 0.5) * ROW_PX + 4}>
              {clip(name, namePx - 6)}
            </text>
            <rect
              class="matrix-self"
              x={namePx + i * cellPx + 1}
              y={TOP_PX + i * ROW_PX + 1}
              width={cellPx - 2}
              height={ROW_PX - 2}
            />
          </g>
        ))}
        {view.matrix.map(({ row, column, state, text, pText }) => {
          const [left, top] = [namePx + column * cellPx, TOP_PX + row * ROW_PX];
          return (
            <g key={`${row}-${column}`}>
              <rect
                class={`matrix-${state}`}
                x={left + 1}
                y={top + 1}
                width={cellPx - 2}
                height={ROW_PX - 2}
              />
              <text class="strong" x={left + cellPx / 2} y={top + 20}>
                {cellPx < 74 ? SIGNS[state] : `${SIGNS[state]} ${text}`}
              </text>
              {cellPx >= 60 && (
                <text x={left + cellPx / 2} y={top + 36}>
                  {pText.startsWith('<') ? `p ${pText}` : `p = ${pText}`}
                </text>
              )}
            </g>
          );
        })}
      </>
    );
  };
  const count = (state: string) =>
    view.matrix.filter((cell) => cell.state === state && cell.row < cell.column).length;
  return (
    <Figure
      name="Model matrix"
      title="The model of the row against that of the column"
      legend={<p class="legend">▲ steadier · ▽ less steady · = tied · ? undecided</p>}
      spoken={`Matrix of ${names.length} models, the steadiest first: ${names.join(', ')}. ${count('steadier')} pairs decided, ${count('tied')} tied, ${count('undecided')} undecided.`}
      numbers={{
        head: ['Row', 'Column', 'Row is', 'Difference', '95% CI', 'Adjusted p'],
        rows: view.matrix.map((cell) => [
          names[cell.row]!,
          names[cell.column]!,
          cell.text,
          cell.differenceText,
          cell.intervalText,
          cell.pText,
        ]),
      }}
      heightPx={heightPx}
      draw={draw}
    />
  );
}
