/**
 * The standard normal distribution.
 * Cumulative: W. J. Cody (1969), rational Chebyshev approximations for the error function, in the form of R's pnorm.
 * Quantile: M. J. Wichura (1988), AS 241 (PPND16). Relative error about 1e-15, far tails included.
 */

const INVERSE_SQRT_TWO_PI = 0.3989422804014327;

const polynomial = (coefficients: readonly number[], x: number) => {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * x + coefficients[i]!;
  return sum;
};

// ascending powers
const centreNumerator = [
  18154.98125334356, 1067.6894854603709, 161.02823106855587, 2.2352520354606837, 0.06568233791820745,
];
const centreDenominator = [45507.78933502673, 10260.932208618979, 976.0985517377767, 47.202581904688245, 1];
const middleNumerator = [
  9842.714838383978, 11602.65143764735, 6848.190450536283, 2494.5375852903726, 597.2702763948002,
  93.50665613217785, 8.883149794388377, 0.39894151208813466, 1.0765576773720192e-8,
];
const middleDenominator = [
  19685.429676859992, 38912.00328609327, 34900.95272114598, 18615.571640885097, 6485.558298266761,
  1519.3775994075547, 235.387901782625, 22.266688044328117, 1,
];
const farNumerator = [
  0.000029112874951168793, 0.0014216191932278934, 0.022235277870649807, 0.12740116116024736,
  0.215898534057957, 0.023073441764940174,
];
const farDenominator = [
  0.00007297515550839662, 0.0037823963320275824, 0.06598813786892856, 0.4682382124808651, 1.284260096144911,
  1,
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

/**
 * P(Z > z); keeps its relative accuracy in the far upper tail, down to underflow near z = 38. Cost: constant. @throws
 * RangeError on NaN.
 */
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

/** P(Z ≤ z). Cost and errors as `normalSf`. */
export function normalCdf(z: number): number {
  return normalSf(-z);
}

/** log P(Z > z), finite for every finite z. Cost and errors as `normalSf`. */
export function normalLogSf(z: number): number {
  if (z < -1) return Math.log1p(-normalSf(-z));
  return z < 1 ? Math.log(normalSf(z)) : -0.5 * z * z + Math.log(scaledUpperTail(z));
}

const quantileCentre = [
  [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
    67265.7709270087, 33430.57558358813, 2509.0809287301227,
  ],
  [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852854,
  ],
] as const;
const quantileMiddle = [
  [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
] as const;
const quantileFar = [
  [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7,
  ],
  [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133,
    0.000018463183175100548, 1.421511758316446e-7, 2.0442631033899397e-15,
  ],
] as const;

/**
 * The z with P(Z ≤ z) = p; −∞ at 0 and ∞ at 1.
 * Cost: constant.
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
