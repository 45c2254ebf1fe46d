import { adjustPValues, type MultiplicityMethod } from '../../../src/stats/multiplicity';
import { compare, readNumber, readNumbers, type Check } from '../topic';

export const check: Check = (input, expected, tolerance) => {
  const p = readNumbers(input['p']);
  return Object.entries(expected).flatMap(([method, wanted]) => {
    const adjusted = adjustPValues(p, method as MultiplicityMethod);
    if (Array.isArray(wanted)) return compare(method, adjusted, wanted, tolerance);
    const reject = adjusted.map((value) => value <= readNumber(input['alpha']));
    return compare(method, { adjusted, reject }, wanted, tolerance);
  });
};
