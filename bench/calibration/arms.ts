/** Simulated outputs: unit vectors in 64 dimensions, some with answers and texts. */
import { drawNormal } from '../../src/stats/draws';
import { createRng, type Rng } from '../../src/stats/rng';

const DIM = 64;

export interface Output {
  vector: Float64Array;
  label: string;
  text: string;
}
export type Source = (rng: Rng) => Output;

export interface Pool {
  vectors: Float64Array;
  dim: number;
  labels: string[];
  strings: string[];
}

/** n0 outputs of one source, then n1 of another. */
export function pool(n0: number, n1: number, first: Source, second: Source, rng: Rng): Pool {
  const outputs = [
    ...Array.from({ length: n0 }, () => first(rng)),
    ...Array.from({ length: n1 }, () => second(rng)),
  ];
  const vectors = new Float64Array(outputs.length * DIM);
  outputs.forEach(({ vector }, row) => vectors.set(vector, row * DIM));
  return {
    vectors,
    dim: DIM,
    labels: outputs.map(({ label }) => label),
    strings: outputs.map(({ text }) => text),
  };
}

/** A unit vector around a direction: coordinate 0 at cos(angle), coordinate 1 at sin(angle), noise of the given size. */
function around(angle: number, noise: number, rng: Rng): Float64Array {
  const vector = Float64Array.from({ length: DIM }, () => (noise * drawNormal(rng)) / Math.sqrt(DIM));
  vector[0]! += Math.cos(angle);
  vector[1]! += Math.sin(angle);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Answers around one direction. The label is crude on purpose: a coarse reading of the vector. */
export const gaussian =
  (noise = 1, angle = 0): Source =>
  (rng) => {
    const vector = around(angle, noise, rng);
    const positive = vector[2]! > 0;
    const text = `${positive ? 'yes' : 'no'} ${Math.round(20 * vector[3]!)}`;
    return { vector, label: positive ? 'yes' : 'no', text };
  };

/** Three kinds of answers at 50, 30 and 20%. */
export const clustered: Source = (rng) => {
  const u = rng.unit();
  const kind = u < 0.5 ? 0 : u < 0.8 ? 1 : 2;
  return {
    vector: around(kind * 0.9, 0.4, rng),
    label: `kind ${kind}`,
    text: 'abcdefgh'.slice(kind, kind + 3 + rng.below(4)),
  };
};

const texts = ['Yes', 'yes, it is', 'No', 'No, it is not.', 'It depends', 'I cannot say'];
const prototypes = texts.map((text) => around(0, 1.5, createRng(1, text)));
const cumulative = [0.4, 0.65, 0.8, 0.9, 0.96, 1];

/** Six fixed answers with unequal frequencies: nearly all distances are tied. */
export const discrete: Source = (rng) => {
  const u = rng.unit();
  const kind = cumulative.findIndex((limit) => u < limit);
  return { vector: prototypes[kind]!, label: texts[kind]!.slice(0, 2).toLowerCase(), text: texts[kind]! };
};

export const nullSources: Record<string, Source> = {
  'Gaussian unit vectors': gaussian(),
  'three clusters': clustered,
  'discrete with ties': discrete,
};

/** The four alternatives to `gaussian()` of the methods' section 1.3. */
export const alternatives: Record<string, Source> = {
  'location shift': gaussian(1, 0.2),
  'more dispersion': gaussian(1.3),
  'less dispersion': gaussian(0.78),
  '20% mixture': (rng) => (rng.unit() < 0.2 ? gaussian(1, 1.2)(rng) : gaussian()(rng)),
};
