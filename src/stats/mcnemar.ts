import { requireInteger } from './argumentChecks';
import { binomialCdf, binomialPmf } from './distributions';
import { chi2Sf } from './gamma';

export interface McNemarResult {
  exactP: number;
  /** Smaller than the exact p and not guaranteed to hold the level; label it where it is shown. */
  midP: number;
  /** Null where there are no discordant pairs. */
  chi2: number | null;
  chi2P: number | null;
  chi2Corrected: number | null;
  chi2CorrectedP: number | null;
}

/**
 * McNemar's test on paired yes/no outcomes: `b` pairs changed one way, `c` the other.
 * H0: a discordant pair goes either way with probability ½; pairs independent. Exact for any size; 1 at b + c = 0.
 * midP = 2P(X ≤ min) − P(X = min), capped at 1 (Fagerland 2013). @throws RangeError unless b, c are integers ≥ 0.
 * Cost: constant. Source: McNemar (1947).
 */
export function mcnemar(b: number, c: number): McNemarResult {
  requireInteger('b', b, 0);
  requireInteger('c', c, 0);
  const n = b + c;
  if (n === 0)
    return { exactP: 1, midP: 1, chi2: null, chi2P: null, chi2Corrected: null, chi2CorrectedP: null };
  const smaller = Math.min(b, c);
  const doubled = 2 * binomialCdf(smaller, n, 0.5);
  const chi2 = (b - c) ** 2 / n;
  const chi2Corrected = (Math.abs(b - c) - 1) ** 2 / n;
  return {
    exactP: Math.min(1, doubled),
    midP: Math.min(1, doubled - binomialPmf(smaller, n, 0.5)),
    chi2,
    chi2P: chi2Sf(chi2, 1),
    chi2Corrected,
    chi2CorrectedP: chi2Sf(chi2Corrected, 1),
  };
}
