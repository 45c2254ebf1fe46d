import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { HistoryEntry } from '../../src/contracts/reportView';
import { Figure } from './Figure';

const HEIGHT_PX = 96;
const COMMIT_PX = 70;
const PAD_PX = 12;

/** The same prompt's runs over time: how far the change that moved it most moved it. */
export function Sparkline({ history, runId }: { history: readonly HistoryEntry[]; runId: string }) {
  const measured = history.flatMap((entry, i) =>
    entry.largest === null ? [] : [{ ...entry, i, largest: entry.largest }],
  );
  const draw = (widthPx: number) => {
    const x = scaleLinear()
      .domain([0, Math.max(1, history.length - 1)])
      .range([PAD_PX, widthPx - PAD_PX]);
    const y = scaleLinear()
      .domain([0, Math.max(0.2, ...measured.map(({ largest }) => largest))])
      .range([HEIGHT_PX - PAD_PX - 16, PAD_PX]);
    const path = line<(typeof measured)[number]>()
      .x(({ i }) => x(i))
      .y(({ largest }) => y(largest));
    return (
      <>
        <line class="zero" x1={0} x2={widthPx} y1={y(0)} y2={y(0)} />
        <path class="p0-line" d={path(measured) ?? ''} />
        {measured.map((entry) => (
          <circle
            key={entry.runId}
            class={`spark spark-${entry.state}${entry.runId === runId ? ' spark-here' : ''}`}
            cx={x(entry.i)}
            cy={y(entry.largest)}
            r={entry.runId === runId ? 5.5 : 4}
          >
            <title>{[entry.when, entry.commit, entry.largest.toFixed(2)].filter(Boolean).join(', ')}</title>
          </circle>
        ))}
        {measured.map(
          (entry, n) =>
            // A commit is named where it is a new one, and where there is room.
            entry.commit !== null &&
            entry.commit !== measured[n - 1]?.commit &&
            history.length * COMMIT_PX < widthPx && (
              <text
                key={`commit ${entry.runId}`}
                class={
                  entry.i === 0
                    ? 'commit to-right'
                    : entry.i === history.length - 1
                      ? 'commit to-left'
                      : 'commit'
                }
                x={entry.i === 0 ? 0 : entry.i === history.length - 1 ? widthPx : x(entry.i)}
                y={HEIGHT_PX - 2}
              >
                {entry.commit}
              </text>
            ),
        )}
      </>
    );
  };
  const wobbled = history.filter(({ state }) => state === 'wobbles').length;
  return (
    <Figure
      name="History"
      title="A line that climbs: the prompt became more easily moved"
      legend={
        <p class="legend">
          Largest effect of a harmless change, run by run; filled: it wobbled; the large mark is this run.
        </p>
      }
      spoken={`${history.length} runs of this prompt with this model; ${wobbled} of them wobbled.`}
      numbers={{
        head: ['When', 'Run', 'Verdict', 'Largest effect', 'Moved', 'Tested', 'Same text', 'Commit'],
        rows: history.map((entry) => [
          entry.when,
          entry.runId,
          entry.state,
          entry.largest === null ? '' : entry.largest.toFixed(2),
          String(entry.moved),
          String(entry.tested),
          entry.samePrompt ? 'yes' : 'no',
          entry.commit ?? '',
        ]),
      }}
      heightPx={HEIGHT_PX}
      maxWidthPx={520}
      draw={draw}
    />
  );
}
