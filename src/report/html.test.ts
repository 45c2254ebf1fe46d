import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { buildRunRecord } from '../../test/builders/runRecord';
import { toHtml, toPanelHtml } from './html';
import { toReportView } from './reportView';

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');
const assets = { script: 'const a = "</script><!-- <b>";', css: 'a::after{content:"</style>"}', sha256 };
const nasty = ['</script><script>alert(1)</script>', '<!--<script>', '\u2028\u2029', ']]>'];

test('data is inert JSON that gives the view back', () => {
  const record = buildRunRecord({ hostileTexts: nasty });
  const html = toHtml(record, assets);
  const [, json = ''] =
    /<script type="application\/json" id="evenkeel-data">(.*)<\/script>\n/.exec(html) ?? [];
  expect(json).not.toMatch(/[<\u2028\u2029]/);
  const data = JSON.parse(json);
  expect(data.message.view).toEqual(toReportView(record));
  expect(data.samples.baseline[0].text.runs[0].text).toBe(nasty[0]);
});

test('nothing ends our own elements early, and the policy names exactly what is inside', () => {
  const html = toHtml(buildRunRecord(), assets);
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html.match(/<\/script/g)).toHaveLength(2);
  expect(html.match(/<\/style/g)).toHaveLength(1);
  const [, script = ''] = /<script>([^]*?)<\/script>/.exec(html) ?? [];
  expect(html).toContain(`'sha256-${sha256(script)}'`);
  expect(html).not.toContain('unsafe');
  expect(runInNewContext(`${script}; a`)).toBe('</script><!-- <b>');
});

test('names from outside are escaped', () => {
  const record = buildRunRecord();
  record.prompt.source = { path: 'a"><img src=x>.prompt', uri: null, range: { start: 0, end: 1 } };
  expect(toHtml(record, assets)).not.toContain('<img');
  expect(toPanelHtml({ scriptUri: 'x"><b>', styleUri: 's', cspSource: 'c', nonce: 'n' })).not.toContain(
    '<b>',
  );
});
