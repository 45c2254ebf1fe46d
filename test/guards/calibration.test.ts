/** The calibration bench in short: 200 replicates with a fixed seed. The full run is `npm run bench -- calibration`. */
import { beforeAll, describe, expect, it } from 'vitest';
import { calibrate } from '../../bench/calibration/calibrate';
import { toMarkdown, type Calibration } from '../../bench/calibration/report';
import { fails, runCell } from '../../bench/calibration/study';

describe('calibration, 200 replicates', () => {
  let result: Calibration;
  beforeAll(() => {
    result = calibrate({ replicates: 200, seed: 20260801, sizes: [5, 10], now: () => 0 });
  }, 240_000);

  it('holds every method to its level under H0', () => {
    expect(result.rows.filter((row) => row.role === 'size').length).toBeGreaterThan(150);
    expect(result.rows.filter(fails)).toEqual([]);
  });

  it('would notice a method that rejects too often, and checks an alarm on fresh replicates', () => {
    const rows = runCell(
      {
        study: 'a broken test',
        shape: 'uniform p',
        size: 'halved',
        methods: [
          { name: 'halved p', role: 'size' },
          { name: 'p', role: 'size' },
        ],
        alphas: [0.05],
        simulate: (rng) => {
          const p = rng.unit();
          return [p / 2, p];
        },
      },
      400,
      1,
    );
    expect(rows.map(fails)).toEqual([true, false]);
    expect(rows[0]!.again!.replicates).toBe(800);
  });

  it('levels off with the fixed grid and is cured by the shrinking one; the looks save calls', () => {
    expect(result.claims.filter((claim) => !claim.holds)).toEqual([]);
  });

  it('has an omnibus that finds every alternative, where each single statistic misses one', () => {
    const leastPower = (method: string) => {
      const rates = result.rows
        .filter((row) => row.study.startsWith('power of the difference') && row.alpha === 0.05)
        .filter((row) => row.method === method)
        .map((row) => row.rate);
      expect(rates).toHaveLength(4);
      return Math.min(...rates);
    };
    expect(leastPower('omnibus')).toBeGreaterThan(0.3);
    expect(leastPower('omnibus')).toBeGreaterThan(leastPower('jsd'));
    expect(leastPower('omnibus')).toBeGreaterThan(leastPower('energy'));
  });

  it('writes a table of every rate', () => {
    const table = toMarkdown(result).toLowerCase();
    for (const { study } of result.rows) expect(table).toContain(`## ${study.toLowerCase()}`);
    expect(table).not.toMatch(/nan|undefined/);
  });
});
