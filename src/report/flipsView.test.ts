import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { answer, perturbation, planOf, question } from '../../test/builders/flipsPlan';
import type { FlipsCondition, FlipsRecord } from '../contracts/flipsRecord';
import { flipsFindings } from '../engine/flipsFindings';
import { flipsMarkdown } from './flipsMarkdown';
import { flipsView } from './flipsView';
import { sheetHtml } from './html';

/** 12 questions: strength 0 flips every fourth, strength 3 is there for `strong` of them and flips always. */
function recordOf(strong: number, name = 'turned', more: Partial<FlipsRecord> = {}): FlipsRecord {
  const questions = Array.from({ length: 12 }, (_, i) => question(`q${i}`));
  const plan = planOf(questions, ({ id }) => [
    perturbation(0, 'spaced', 'surface'),
    ...(Number(id.slice(1)) < strong ? [perturbation(3, name)] : []),
  ]);
  const answers = plan.conditions.map((condition) => answer(condition.id, said(condition)));
  return {
    ...plan,
    state: 'complete',
    finishedAt: plan.startedAt,
    versions: {},
    model: {
      ...{ id: 'local:m', provider: 'local', resolved: 'm.gguf', digest: null, baseUrl: null },
      ...{ parameterSize: null, quantization: null, contextLength: null, runtime: null },
    },
    decoding: 'text',
    answers,
    ...flipsFindings(plan, answers, { stopped: null }),
    actual: { calls: answers.length, seconds: 3 },
    error: null,
    ...more,
  };
}
const said = ({ question: id, perturbation: change }: FlipsCondition): string =>
  change === null || (change.kind === 'surface' && Number(id.slice(1)) % 4 > 0) ? 'A' : 'B';
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

describe('the view of a flips run', () => {
  it('claims nothing of fewer than ten, and says which kinds and changes flipped', () => {
    const [panel] = flipsView(recordOf(4)).panels;
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
    const record = recordOf(12);
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
  const record = recordOf(12, hostile, {
    source: { type: 'prompt', path: `<img src=x>${hostile}` },
    warnings: [hostile],
  });

  it('HTML: what a prompt says is inert data of the page, whose policy names what may run', () => {
    const html = sheetHtml(
      { type: 'showFlips', view: flipsView(record) },
      { script: 'let page = 1;', css: 'p { margin: 0 }', sha256 },
    );
    expect(html).not.toMatch(/<script>alert|<img|\u202e/);
    expect(html.match(/<script/g)).toHaveLength(2);
    const data = JSON.parse(
      /<script type="application\/json" id="evenkeel-data">([\s\S]*?)<\/script>/.exec(html)![1]!,
    ) as { message: { view: { panels: { rows: { flipped: string }[] }[] } } };
    expect(data.message.view.panels[0]!.rows[3]!.flipped).toBe('12 of 12');
    expect(html).toContain(`script-src 'sha256-${sha256('let page = 1;')}'`);
    expect(html).toContain(`style-src 'sha256-${sha256('p { margin: 0 }')}'`);
  });

  it('Markdown: it makes no link, image, heading, HTML or cell', () => {
    const markdown = flipsMarkdown(flipsView(record));
    expect(markdown).not.toMatch(/(?<!\\)[<>]\w|(?<!\\)\]\(|\u202e/);
    expect(markdown.split('\n').filter((line) => line.startsWith('#'))).toHaveLength(2);
    const rows = markdown.split('\n').filter((line) => line.startsWith('| '));
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
  });
});
