import type { ComparisonView, ReportView } from '../../src/contracts/reportView';
import type { ForestScale } from './forestScale';
import { VerdictMark } from './VerdictGlyph';

type Floor = ReportView['noiseFloor'];

function Backdrop({ scale, floor }: { scale: ForestScale; floor: Floor }) {
  return (
    <>
      {floor && <rect class="noise-floor" x="0" y="0" width={scale.at(floor.q95)} height="100%" />}
      {scale.ticks.map(({ value }) => (
        <line
          key={value}
          class={value === 0 ? 'zero' : 'grid'}
          x1={scale.at(value)}
          x2={scale.at(value)}
          y1="0"
          y2="100%"
        />
      ))}
    </>
  );
}

/** One row of the forest plot: effect with its interval, over the noise floor. Its numbers stand in the row's cells. */
export function ForestRow(props: { row: ComparisonView; scale: ForestScale; floor: Floor }) {
  const { row, scale, floor } = props;
  const { effect } = row;
  return (
    <svg class={`forest forest-${row.verdict}`} width="100%" height="100%" aria-hidden="true">
      <Backdrop scale={scale} floor={floor} />
      {effect && (
        <>
          <line class="interval" x1={scale.at(effect.low)} x2={scale.at(effect.high)} y1="50%" y2="50%" />
          {[effect.low, effect.high].map((end, i) => (
            <svg class="at-point" key={i} x={scale.at(end)} y="50%">
              <line class="interval" y1="-4" y2="4" />
            </svg>
          ))}
          <svg class="at-point" x={scale.at(effect.debiased)} y="50%">
            <VerdictMark verdict={row.verdict} />
          </svg>
        </>
      )}
    </svg>
  );
}

export function ForestAxis({ scale, floor }: { scale: ForestScale; floor: Floor }) {
  return (
    <svg class="forest forest-axis" width="100%" height="22" aria-hidden="true">
      {floor && <rect class="noise-floor" x="0" y="18" width={scale.at(floor.q95)} height="4" />}
      {scale.ticks.map(({ value, text }) => (
        <g key={value}>
          <text x={scale.at(value)} y="12">
            {text}
          </text>
          <line
            class={value === 0 ? 'zero' : 'grid'}
            x1={scale.at(value)}
            x2={scale.at(value)}
            y1="17"
            y2="22"
          />
        </g>
      ))}
    </svg>
  );
}
