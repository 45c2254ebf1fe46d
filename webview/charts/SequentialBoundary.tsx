import { scaleLinear, scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import type { SequentialView } from '../../src/contracts/reportView';
import { Term } from '../components/Glossary';
import { Figure } from './Figure';

const HEIGHT_PX = 236;
const LEFT_PX = 52;
const RIGHT_PX = 20;
const TOP_PX = 16;
const BOTTOM_PX = 38;

/** The p of every change at every look that was made, against the boundary; smaller p stand higher. */
export function SequentialBoundary({ sequential }: { sequential: SequentialView }) {
  const { looks, changes } = sequential;
  const smallest = Math.min(
    ...looks.map(({ first }) => (first > 0 ? first : 1)),
    ...changes.flatMap(({ points }) => points.map(({ p }) => p)),
  );
  const low = 10 ** Math.floor(Math.log10(Math.max(1e-9, smallest)));
  const draw = (widthPx: number) => {
    const answers = looks.map((look) => look.answers);
    const x = scaleLinear()
      .domain([(answers[0] ?? 0) * 0.8, (answers.at(-1) ?? 1) * 1.03])
      .range([LEFT_PX, widthPx - RIGHT_PX]);
    const y = scaleLog()
      .domain([1, low])
      .range([HEIGHT_PX - BOTTOM_PX, TOP_PX])
      .clamp(true);
    const ticks = Array.from({ length: Math.round(-Math.log10(low)) + 1 }, (_, i) => 10 ** -i);
    const shown = ticks.filter((_, i) => ticks.length <= 6 || i % 2 === 0);
    const boundary = (of: (look: (typeof looks)[number]) => number) =>
      line<(typeof looks)[number]>()
        .x((look) => x(look.answers))
        .y((look) => y(Math.max(low, of(look))))(looks) ?? '';
    return (
      <>
        {shown.map((tick) => (
          <g key={tick} class="axes">
            <line
              class={tick === 1 ? 'zero' : 'grid'}
              x1={LEFT_PX}
              x2={widthPx - RIGHT_PX}
              y1={y(tick)}
              y2={y(tick)}
            />
            <text class="y-label" x={LEFT_PX - 6} y={y(tick) + 4}>
              {String(Number(tick.toPrecision(1)))}
            </text>
          </g>
        ))}
        {looks.map((look, i) => (
          <g key={look.answers} class="axes">
            <line class="grid" x1={x(look.answers)} x2={x(look.answers)} y1={TOP_PX} y2={y(1)} />
            <text x={x(look.answers)} y={HEIGHT_PX - BOTTOM_PX + 15}>
              {look.answers}
            </text>
            {!look.made && (
              <text class="quiet-label" x={x(look.answers)} y={TOP_PX - 4}>
                {i === looks.length - 1 ? 'not needed' : 'not made'}
              </text>
            )}
          </g>
        ))}
        <text class="axis-title" x={(LEFT_PX + widthPx - RIGHT_PX) / 2} y={HEIGHT_PX - 5}>
          answers to each prompt
        </text>
        <path class="boundary" d={boundary(({ level }) => level)} />
        <path class="boundary boundary-first" d={boundary(({ first }) => first)} />
        {changes.map((change) => {
          const path = line<(typeof change.points)[number]>()
            .x((point) => x(point.answers))
            .y((point) => y(Math.max(low, point.p)));
          return (
            <g key={change.perturbationId} class={change.stopped ? 'look-decided' : 'look-open'}>
              <path class="look-path" d={path(change.points) ?? ''} />
              {change.points.map((point) => (
                <circle key={point.answers} cx={x(point.answers)} cy={y(Math.max(low, point.p))} r={3.5}>
                  <title>{`${change.name}, ${point.answers} answers: p ${point.pText}`}</title>
                </circle>
              ))}
            </g>
          );
        })}
      </>
    );
  };
  return (
    <Figure
      name="Looks and their boundary"
      title={
        <>
          Changes above the <Term id="looks">boundary</Term> were decided there and asked no more
        </>
      }
      legend={
        <p class="legend">
          <span>
            <span class="key key-decided" /> decided
          </span>
          <span>
            <span class="key key-open" /> still open
          </span>
          <span>
            <span class="key key-boundary-first" /> boundary for the first to be decided
          </span>
          <span>
            <span class="key key-boundary" /> for the last
          </span>
        </p>
      }
      spoken={`p-values of ${changes.length} changes at ${looks.filter(({ made }) => made).length} of ${looks.length} looks, against the boundary of each. ${sequential.sentence}`}
      numbers={{
        head: ['Change', ...looks.map(({ answers }) => `p at ${answers}`), 'Decided early'],
        rows: [
          ...changes.map((change) => [
            change.name,
            ...looks.map(
              ({ answers }) => change.points.find((point) => point.answers === answers)?.pText ?? '',
            ),
            change.stopped ? 'yes' : 'no',
          ]),
          ['Boundary, first', ...looks.map(({ firstText }) => firstText), ''],
          ['Boundary, last', ...looks.map(({ levelText }) => levelText), ''],
        ],
      }}
      heightPx={HEIGHT_PX}
      maxWidthPx={620}
      draw={draw}
    />
  );
}
