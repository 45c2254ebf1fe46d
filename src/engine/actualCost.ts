import type { Price } from '../contracts/budget';
import type { RunRecord, Sample } from '../contracts/runRecord';
import { costUsd } from './budget';

/** What a run cost: null where a server did not count, or nobody knows the price. Answers that were kept cost nothing now. */
export function actualCost(
  samples: Sample[],
  seconds: number,
  phases: Record<string, number>,
  price: Price | null | undefined,
): RunRecord['actual'] {
  const sum = (of: Sample[], pick: (sample: Sample) => number | null) =>
    samples.length > 0 && samples.every((sample) => pick(sample) !== null)
      ? of.reduce((total, sample) => total + (pick(sample) ?? 0), 0)
      : null;
  // A request for several answers reads its prompt once.
  const read = (sample: Sample) => ((sample.drawn?.choice ?? 0) > 0 ? 0 : sample.promptTokens);
  const written = (sample: Sample) => sample.completionTokens;
  const paid = samples.filter((sample) => sample.cached !== true);
  const [paidRead, paidWritten] = [sum(paid, read), sum(paid, written)];
  return {
    calls: samples.length,
    cached: samples.length - paid.length,
    promptTokens: sum(samples, read),
    completionTokens: sum(samples, written),
    priceUsd:
      price && paidRead !== null && paidWritten !== null ? costUsd(price, paidRead, paidWritten) : null,
    seconds,
    phases,
  };
}
