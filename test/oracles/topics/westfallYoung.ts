import { westfallYoung } from '../../../src/stats/westfallYoung';
import { compare, readMatrix, readNumber, type Check } from '../topic';

export const check: Check = (input, expected, tolerance) => {
  const statistics = readMatrix(input['statistics']);
  const [observed] = statistics.splice(readNumber(input['observedRow'] ?? 0), 1);
  const { raw, adjusted, singleStep } = westfallYoung([observed!, ...statistics]);
  return compare(
    '',
    { observed, rawP: raw, adjustedP: adjusted, singleStepP: singleStep },
    expected,
    tolerance,
  );
};
