import type { RunRecord, Sample } from '../contracts/runRecord';
import { principalMap } from '../stats/principalMap';
import { createRng } from '../stats/rng';
import type { EmbeddedTexts } from './compare';
import { usable } from './judgeArms';

/** A hundredth of the width of a unit sphere is more than a picture shows. */
const round = (value: number) => Math.round(value * 1e4) / 1e4;

/** Where the answers lie, in two dimensions; nothing without an embedder. Embeddings themselves are not kept. */
export function outputMap(
  samples: Sample[],
  embedded: EmbeddedTexts | undefined,
  seed: number,
): Pick<RunRecord, 'map'> {
  const distinct = embedded?.rowOf.size ?? 0;
  if (embedded === undefined || distinct < 2) return {};
  const { embedder, vectors, dim, rowOf } = embedded;
  const { points, shares } = principalMap(vectors, distinct, dim, createRng(seed, 'map'));
  const placed = new Set(usable(samples));
  return {
    map: {
      embedder,
      shares,
      points: samples.map((sample) => {
        const row = placed.has(sample) ? rowOf.get(sample.text) : undefined;
        return row === undefined ? null : [round(points[2 * row]!), round(points[2 * row + 1]!)];
      }),
    },
  };
}
