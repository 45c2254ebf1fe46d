/** 08: curve, AUC, DeLong, TPR at FPR; shares called changed at a level. */
import {
  auc,
  delong,
  ratesAtAlpha,
  rocCurve,
  tprAtFprInterpolated,
  tprAtFprStep,
} from '../../../src/stats/roc';
import { compare, readNumbers, type Check, type JsonObject } from '../topic';

const fromKeys = (keys: string[], value: (fpr: number) => number) =>
  Object.fromEntries(keys.map((key) => [key, value(Number(key))]));

function curveFigures(input: JsonObject, expected: JsonObject) {
  const labels = readNumbers(input.labels);
  const scores = readNumbers(input.scores);
  const curve = rocCurve(labels, scores);
  const spread = delong(labels, scores);
  return {
    auc: auc(labels, scores),
    curve,
    tprAtFprStep: fromKeys(Object.keys(expected.tprAtFprStep as JsonObject), (x) => tprAtFprStep(curve, x)),
    tprAtFprInterpolated: fromKeys(Object.keys(expected.tprAtFprInterpolated as JsonObject), (x) =>
      tprAtFprInterpolated(curve, x),
    ),
    delong: spread && {
      variance: spread.variance,
      ci: [spread.interval.low, spread.auc, spread.interval.high],
    },
  };
}

function rates(input: JsonObject) {
  const p = { irrelevant: readNumbers(input.pIrrelevant), meaningful: readNumbers(input.pMeaningful) };
  const atAlphas = readNumbers(input.alphas).map((alpha) => ratesAtAlpha(p, alpha));
  return {
    // An empty class has no share: null here, NaN in the file.
    tprStrict: atAlphas.map((rate) => rate.tprStrict ?? NaN),
    fprStrict: atAlphas.map((rate) => rate.fprStrict ?? NaN),
    tprInclusive: atAlphas.map((rate) => rate.tprInclusive ?? NaN),
    fprInclusive: atAlphas.map((rate) => rate.fprInclusive ?? NaN),
  };
}

export const check: Check = (input, expected, tolerance) =>
  compare('', 'pIrrelevant' in input ? rates(input) : curveFigures(input, expected), expected, tolerance);
