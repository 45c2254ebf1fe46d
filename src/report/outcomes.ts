import { outcomeSchema, type Sample } from '../contracts/runRecord';
import type { ComparisonView } from '../contracts/reportView';
import { outcomeWords } from './sentences';

/** How many samples came out how; outcomes that did not occur are left out. */
export function countOutcomes(samples: readonly Sample[]): ComparisonView['outcomes'] {
  return outcomeSchema.options.flatMap((outcome) => {
    const count = samples.filter((sample) => sample.outcome === outcome).length;
    return count === 0 ? [] : [{ outcome, label: outcomeWords[outcome], count }];
  });
}
