import { scaleLinear } from 'd3-scale';
import type { ReportView } from '../../src/contracts/reportView';

export interface ForestScale {
  /** Effect → position, as SVG takes it: `37.5%`. Values outside stay at the edge. */
  at(effect: number): string;
  ticks: { value: number; text: string }[];
}

/** One scale for all rows: holds every interval, zero and the noise floor, so that rows can be compared by eye. */
export function forestScale(view: ReportView): ForestScale {
  const effects = view.comparisons.flatMap(({ effect }) => (effect ? [effect.low, effect.high] : []));
  const low = Math.min(-0.05, ...effects);
  const high = Math.max(0.2, view.noiseFloor?.q95 ?? 0, ...effects);
  // Room at both edges, so that no mark or label is cut.
  const scale = scaleLinear().domain([low, high]).nice(5).range([5, 95]).clamp(true);
  const format = scale.tickFormat(5);
  return {
    at: (effect) => `${scale(effect).toFixed(2)}%`,
    ticks: scale.ticks(5).map((value) => ({ value, text: format(value) })),
  };
}
