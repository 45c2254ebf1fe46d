import { symbol, symbolCircle, symbolDiamond, symbolSquare, type SymbolType } from 'd3-shape';
import type { Verdict } from '../../src/contracts/runRecord';

const shapes: Record<Verdict, SymbolType> = {
  changed: symbolDiamond,
  changedWithinRewordingNoise: symbolDiamond,
  noChangeDetected: symbolCircle,
  equivalent: symbolCircle,
  undecided: symbolSquare,
};

/** A verdict's mark around (0, 0): shape and filling tell it, colour only repeats it. */
export function VerdictMark({ verdict }: { verdict: Verdict }) {
  const size = shapes[verdict] === symbolDiamond ? 84 : 66;
  return <path class={`mark mark-${verdict}`} d={symbol(shapes[verdict], size)() ?? ''} />;
}

export function VerdictGlyph({ verdict }: { verdict: Verdict }) {
  return (
    <svg class="glyph" viewBox="-9 -9 18 18" width="16" height="16" aria-hidden="true">
      <VerdictMark verdict={verdict} />
    </svg>
  );
}
