import type { Interval } from '../contracts/runRecord';
import { requireFinite, requirePositive } from './argumentChecks';

/**
 * Is the effect small enough not to matter? True where the whole interval lies inside the margin. For an effect that
 * cannot be negative beyond noise (H) only the upper end counts; for differences pass `twoSided`.
 *
 * Null hypothesis: the effect is at least as large as the margin (two-sided: in either direction). With an interval of
 * level 1 − a the test has level a/2 (two one-sided tests, Schuirmann 1987), as far as the interval keeps its level.
 * Small samples: wide intervals, so equivalence is rarely shown; that is not evidence of a change.
 * Cost: constant.
 * @param margin in the unit of the effect, above 0, stated before sampling. @throws RangeError otherwise.
 */
export function isEquivalent(
  { low, high }: Pick<Interval, 'low' | 'high'>,
  margin: number,
  twoSided = false,
): boolean {
  requirePositive('margin', margin);
  requireFinite('interval', [low, high]);
  if (low > high) throw new RangeError(`interval ends are in the wrong order: ${low}, ${high}`);
  return high < margin && (!twoSided || low > -margin);
}
