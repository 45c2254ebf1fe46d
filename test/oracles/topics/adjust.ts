import { adjustPValues, type MultiplicityMethod } from '../../../src/stats/multiplicity';
import { compare, readNumber, readNumbers, type Check, type Json, type JsonObject } from '../topic';

export const check: Check = (input, expected, tolerance) => {
  const p = readNumbers(input['p']);
  return Object.entries(expected).flatMap(([method, wanted]) => {
    const adjusted = adjustPValues(p, method as MultiplicityMethod);
    if (Array.isArray(wanted)) return compare(method, adjusted, wanted, tolerance);
    const reject = decisions(
      adjusted,
      readNumber(input['alpha']),
      (wanted as JsonObject)['reject'] as Json[],
    );
    return compare(method, { adjusted, reject }, wanted, tolerance);
  });
};

/** statsmodels compares p with alpha / m, we compare p · m with alpha: a tie falls either way by rounding alone. */
const decisions = (adjusted: number[], alpha: number, wanted: Json[]) =>
  adjusted.map((value, i) => (Math.abs(value - alpha) <= 1e-12 * alpha ? wanted[i] : value <= alpha));
