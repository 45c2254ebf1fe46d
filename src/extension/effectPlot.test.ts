import { describe, expect, it } from 'vitest';
import { buildRunRecord } from '../../test/builders/runRecord';
import { effectPlot } from './effectPlot';

const colors = { text: '#000', quiet: '#555', marked: '#b50', band: '#ddd' };
const record = buildRunRecord({ scenario: 'wobbles', seed: 3 });
const withEffect = record.comparisons.filter(({ effect }) => effect !== null);

describe('the plot of a hover', () => {
  it('has a row per change, and marks the one in question', () => {
    const plot = effectPlot(record, withEffect[0]!.perturbationId, colors);
    const rows = Math.min(8, withEffect.length);
    expect(plot?.svg.match(/<circle/g)).toHaveLength(rows);
    expect(plot?.svg.match(/font-weight="600"/g)).toHaveLength(1);
    expect(plot?.height).toBe(6 + rows * 17 + 30);
  });

  it('keeps every mark inside', () => {
    const plot = effectPlot(record, withEffect[0]!.perturbationId, colors)!;
    for (const [, x] of plot.svg.matchAll(/c?x[12]?="(-?[\d.]+)"/g)) {
      expect(Number(x)).toBeGreaterThanOrEqual(0);
      expect(Number(x)).toBeLessThanOrEqual(plot.width);
    }
  });

  it('makes markup of no name', () => {
    const name = '"/><script>alert(1)</script>&amp;\u202e';
    const perturbations = record.perturbations.map((one) => ({ ...one, name }));
    const { svg } = effectPlot({ ...record, perturbations }, withEffect[0]!.perturbationId, colors)!;
    expect(svg).not.toContain('<script');
    expect(svg).not.toContain('\u202e');
    expect(svg).toContain('&quot;/&gt;&lt;script&gt;');
  });

  it('is none where no change has an effect size', () => {
    const comparisons = record.comparisons.map((one) => ({ ...one, effect: null }));
    expect(effectPlot({ ...record, comparisons }, 'x', colors)).toBeNull();
  });
});
