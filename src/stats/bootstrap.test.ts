import { describe, expect, it } from 'vitest';
import { bootstrap, clusterBootstrap, resampleIndices } from './bootstrap';
import { createRng } from './rng';

const mean = (x: readonly number[]) => (indices: ArrayLike<number>) =>
  Array.from(indices).reduce((sum, i) => sum + x[i]!, 0) / indices.length;

describe('bootstrap', () => {
  const x = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];

  it('is the same for the same seed', () => {
    const run = () =>
      bootstrap({ units: 12, statistic: mean(x), resamples: resampleIndices(12, 500, createRng(7)) });
    expect(run()).toEqual(run());
    expect(run().bca!.low).toBeLessThan(mean(x)([...x.keys()]));
  });

  it('has intervals that move and stretch with the data', () => {
    const run = (data: number[]) =>
      bootstrap({ units: 12, statistic: mean(data), resamples: resampleIndices(12, 500, createRng(7)) });
    const plain = run(x);
    const moved = run(x.map((value) => 10 - 2 * value));
    expect(moved.percentile!.low).toBeCloseTo(10 - 2 * plain.percentile!.high, 9);
    expect(moved.bca!.high).toBeCloseTo(10 - 2 * plain.bca!.low, 9);
  });

  it('says null, never NaN, where an interval is not defined', () => {
    const constant = bootstrap({
      units: 4,
      statistic: () => 2,
      resamples: resampleIndices(4, 50, createRng(1)),
    });
    expect(constant.percentile).toMatchObject({ low: 2, high: 2 });
    expect(constant.biasCorrected).toMatchObject({ low: 2, high: 2 });
    expect(constant.bca).toBeNull();
    const oneSided = bootstrap({
      units: 4,
      statistic: (indices) => (new Set(Array.from(indices)).size === 4 ? 1 : 0),
      resamples: [
        [0, 0, 1, 2],
        [1, 1, 1, 1],
      ],
    });
    expect(oneSided).toMatchObject({ estimate: 1, z0: null, biasCorrected: null, bca: null });
    const undefinedAlways = bootstrap({
      units: 3,
      statistic: () => null,
      resamples: resampleIndices(3, 20, createRng(1)),
    });
    expect(undefinedAlways).toMatchObject({ estimate: null, percentile: null, undefinedDraws: 20 });
  });

  it('is wider over clusters than over items where items of a cluster are alike', () => {
    const clusters = Array.from({ length: 60 }, (_, i) => Math.floor(i / 6));
    const values = clusters.map((cluster) => (cluster * 7) % 10);
    const byCluster = clusterBootstrap({
      clusters,
      statistic: mean(values),
      draws: 800,
      rng: createRng(3),
    }).percentile!;
    const byItem = bootstrap({
      units: 60,
      statistic: mean(values),
      resamples: resampleIndices(60, 800, createRng(3)),
    }).percentile!;
    expect(byCluster.high - byCluster.low).toBeGreaterThan(1.5 * (byItem.high - byItem.low));
  });

  it('names the wrong argument', () => {
    const statistic = () => 1;
    expect(() => bootstrap({ units: 0, statistic, resamples: [] })).toThrow(/^units must/);
    expect(() => bootstrap({ units: 1, statistic, resamples: [], confidence: 1 })).toThrow(
      /^confidence must/,
    );
    expect(() => clusterBootstrap({ clusters: [], statistic, draws: 9, rng: createRng(1) })).toThrow(
      /^clusters must/,
    );
    expect(() => [...resampleIndices(3, 0, createRng(1))]).toThrow(/^draws must/);
  });
});
