import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { flipsRecordOf } from '../../test/builders/flipsRecord';
import { flipsViewSchema } from '../contracts/flipsView';
import { flipsMarkdown } from './flipsMarkdown';
import { flipsPage } from './flipsPage';
import { flipsView } from './flipsView';
import { flipsToHtml, type EmbeddedFlips } from './html';

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

describe('the view of a flips run', () => {
  it('claims nothing of fewer than ten, and says which kinds and changes flipped', () => {
    const [panel] = flipsView(flipsRecordOf(4)).panels;
    expect(panel!.rows.map(({ flipped, suppressed }) => [flipped, suppressed])).toEqual([
      ['3 of 12', false],
      ['none', true],
      ['none', true],
      ['4 of 4', true],
    ]);
    expect(panel!.rows[3]!.rate).toContain('too few');
    expect(panel!.rows[3]!.interval).toBe('');
    expect(panel!.rows[0]).toMatchObject({ rate: '25%', drawn: { rate: 0.25 } });
    expect(panel!.kinds).toEqual([
      { kind: 'surface', flipped: '3 of 12' },
      { kind: 'mistake', flipped: '4 of 4' },
    ]);
    expect(panel!.flipped.map(({ strength }) => strength[0])).toEqual(['0', '0', '0', '3', '3', '3', '3']);
    expect(panel!.flipped[0]).toMatchObject({ before: 'A', after: 'B' });
  });

  it('keeps input and reasoning in panels of their own, and says that they do not compare', () => {
    const record = flipsRecordOf(12);
    const both = {
      ...record,
      figures: [record.figures[0]!, { ...record.figures[0]!, type: 'cot' as const }],
    };
    const view = flipsView(both);
    expect(view.panels.map(({ heading }) => heading)).toEqual([
      'Changes of the prompt',
      'Changes of the reasoning',
    ]);
    expect(view.notes.join(' ')).toContain('not compared');
    expect(view.panels[1]!.flipped).toEqual([]);
  });
});

describe('as a file', () => {
  const hostile = '</td><script>alert(1)</script>|[x](command:y)\n# ![i](http://e)\u202e';
  const record = flipsRecordOf(12, hostile, {
    source: { type: 'prompt', path: `<img src=x>${hostile}` },
    warnings: [hostile],
  });

  it('HTML: what a prompt says is inert data, without what cannot be seen', () => {
    const html = flipsToHtml(flipsPage(record), { script: 'main()', css: 'p{}', sha256 });
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).not.toMatch(/<img|\u202e/);
    const data = /id="evenkeel-data">(.*?)<\/script>/s.exec(html)![1]!;
    expect(data).not.toContain('<');
    const { flips } = JSON.parse(data) as EmbeddedFlips;
    expect(flipsViewSchema.parse(flips)).toEqual(flips);
    expect(flips.panels[0]!.rows[3]!.flipped).toBe('12 of 12');
  });

  it('Markdown: it makes no link, image, heading, HTML or cell', () => {
    const markdown = flipsMarkdown(flipsView(record));
    expect(markdown).not.toMatch(/(?<!\\)[<>]\w|(?<!\\)\]\(|\u202e/);
    expect(markdown.split('\n').filter((line) => line.startsWith('#'))).toHaveLength(2);
    const rows = markdown.split('\n').filter((line) => line.startsWith('| '));
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
  });
});
