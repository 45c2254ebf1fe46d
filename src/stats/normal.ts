/**
 * The standard normal distribution.
 * Cumulative: W. J. Cody (1969), rational Chebyshev approximations for the error function, in the form of R's pnorm.
 * Quantile: M. J. Wichura (1988), AS 241 (PPND16). Relative error about 1e-15, far tails included.
 */

const INVERSE_SQRT_TWO_PI = 0.39894228040143267794;

const polynomial = (coefficients: readonly number[], x: number) => {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * x + coefficients[i]!;
  return sum;
};

// ascending powers
const centreNumerator = [
  18154.981253343561249, 1067.6894854603709582, 161.02823106855587881, 2.2352520354606839287,
  0.065682337918207449113,
];
const centreDenominator = [
  45507.789335026729956, 10260.932208618978205, 976.09855173777669322, 47.20258190468824187, 1,
];
const middleNumerator = [
  9842.7148383839780218, 11602.651437647350124, 6848.1904505362823326, 2494.5375852903726711,
  597.27027639480026226, 93.506656132177855979, 8.8831497943883759412, 0.39894151208813466764,
  1.0765576773720192317e-8,
];
const middleDenominator = [
  19685.429676859990727, 38912.003286093271411, 34900.952721145977266, 18615.571640885098091,
  6485.558298266760755, 1519.377599407554805, 235.38790178262499861, 22.266688044328115691, 1,
];
const farNumerator = [
  2.9112874951168792e-5, 0.001421619193227893466, 0.022235277870649807, 0.1274011611602473639, 0.21589853405795699,
  0.02307344176494017303,
];
const farDenominator = [
  7.29751555083966205e-5, 0.00378239633202758244, 0.0659881378689285515, 0.468238212480865118,
  1.28426009614491121, 1,
];

/** exp(−z²/2) with z² split, so that rounding of the square does not spoil the far tail. */
function gaussian(z: number): number {
  const head = Math.trunc(z * 16) / 16;
  return Math.exp(-head * head * 0.5) * Math.exp(-(z - head) * (z + head) * 0.5);
}

/** sf(z)/exp(−z²/2) for z ≥ 0.66. */
function scaledUpperTail(z: number): number {
  if (z < 5.656854249492381) return polynomial(middleNumerator, z) / polynomial(middleDenominator, z);
  const s = 1 / (z * z);
  return (INVERSE_SQRT_TWO_PI - (s * polynomial(farNumerator, s)) / polynomial(farDenominator, s)) / z;
}

/** Density of the standard normal at z. */
export function normalPdf(z: number): number {
  return INVERSE_SQRT_TWO_PI * gaussian(Math.abs(z));
}

/** P(Z > z); keeps its relative accuracy in the far upper tail, down to underflow near z = 38. */
export function normalSf(z: number): number {
  if (Number.isNaN(z)) throw new RangeError('z must be a number, got NaN');
  const size = Math.abs(z);
  if (size < 0.66291) {
    const square = size * size;
    return 0.5 - (z * polynomial(centreNumerator, square)) / polynomial(centreDenominator, square);
  }
  if (size === Infinity) return z > 0 ? 0 : 1;
  const tail = gaussian(size) * scaledUpperTail(size);
  return z > 0 ? tail : 1 - tail;
}

/** P(Z ≤ z). */
export function normalCdf(z: number): number {
  return normalSf(-z);
}

/** log P(Z > z), finite for every finite z. */
export function normalLogSf(z: number): number {
  if (z < -1) return Math.log1p(-normalSf(-z));
  return z < 1 ? Math.log(normalSf(z)) : -0.5 * z * z + Math.log(scaledUpperTail(z));
}

const quantileCentre = [
  [
    3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
    45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727,
  ],
  [
    1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077, 21213.794301586595867,
    39307.89580009271061, 28729.085735721942674, 5226.495278852854561,
  ],
] as const;
const quantileMiddle = [
  [
    1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
    1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833, 7.7454501427834140764e-4,
  ],
  [
    1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455, 0.14810397642748007459,
    0.0151986665636164571966, 5.475938084995344946e-4, 1.05075007164441684324e-9,
  ],
] as const;
const quantileFar = [
  [
    6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123,
    0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
  ],
  [
    1, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525, 7.868691311456132591e-4,
    1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15,
  ],
] as const;

/**
 * The z with P(Z ≤ z) = p; −∞ at 0 and ∞ at 1.
 * @throws RangeError if p is not in [0, 1].
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`p must be in [0, 1], got ${p}`);
  if (p === 0) return -Infinity;
  if (p === 1) return Infinity;
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(quantileCentre[0], r)) / polynomial(quantileCentre[1], r);
  }
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  const [numerator, denominator] = r <= 5 ? quantileMiddle : quantileFar;
  const shifted = r <= 5 ? r - 1.6 : r - 5;
  const size = polynomial(numerator, shifted) / polynomial(denominator, shifted);
  return q < 0 ? -size : size;
}
