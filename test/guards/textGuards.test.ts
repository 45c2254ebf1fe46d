/** Each text guard finds an offender and lets a clean neighbour pass. Offending texts are spelled in parts. */
import { describe, expect, it } from 'vitest';
import { docLinks } from '../../scripts/check/docLinks';
import {
  fakesInProduct,
  longFiles,
  machinePaths,
  names,
  registryHosts,
  rooms,
  type TextGuard,
} from '../../scripts/check/textGuards';

const tree = (files: Record<string, string | null>) =>
  Object.entries(files).map(([path, text]) => ({ path, text }));
const faults = (guard: TextGuard, files: Record<string, string | null>) =>
  guard(tree(files)).map(({ path, line, message }) => `${path}:${line} ${message}`);

describe('registry hosts', () => {
  const guard = registryHosts(['mirror.example.net']);
  it.each([
    ['registry', 'npmjs', 'org'],
    ['files', 'pythonhosted', 'org'],
    ['pypi', 'org'],
    ['proxy', 'golang', 'org'],
    ['cdn', 'jsdelivr', 'net'],
    ['mirror', 'example', 'net'],
  ])('%s.%s are found with their line', (...labels) => {
    const name = labels.filter((label) => label !== undefined).join('.');
    expect(faults(guard, { 'docs/a.md': `one\nsee https://${name}/x\n` })).toEqual([
      expect.stringMatching(/^docs\/a\.md:2 names a package registry/),
    ]);
  });
  it('are not seen in other hosts, or in binary files', () => {
    expect(faults(guard, { 'a.md': 'https://example.net http://127.0.0.1:11434', 'a.png': null })).toEqual(
      [],
    );
  });
});

describe('paths of one machine', () => {
  const guard = machinePaths(['/home/ada', 'C:\\Users\\ada', '/']);
  it.each([`/${'root'}/.cache/x`, `'/${'work'}/main/a.ts'`, `see /home/ada/evenkeel.`, `file:///home/ada/x`])(
    '%s is found',
    (text) => {
      expect(faults(guard, { 'src/a.ts': `\n${text}\n` })).toEqual([
        expect.stringMatching(/^src\/a\.ts:2 holds a path of one machine/),
      ]);
    },
  );
  it.each([
    '../work/a',
    './root/a',
    'docs/work/a',
    '~/work/x',
    '/home/adaline/x',
    'https://example.com/x',
    '/roots/x',
  ])('%s is not', (text) => expect(faults(guard, { 'src/a.ts': text })).toEqual([]));
});

it('files of over 400 lines are found in src and webview', () => {
  const lines = (count: number) => 'x\n'.repeat(count);
  const files = {
    'src/a.ts': lines(401),
    'webview/a.tsx': lines(401),
    'webview/b.tsx': lines(400),
    'test/a.ts': lines(900),
  };
  expect(faults(longFiles, files)).toEqual([
    expect.stringMatching(/^src\/a\.ts:null is longer/),
    expect.stringMatching(/^webview\/a\.tsx:null is longer/),
  ]);
});

it('fakes are found in the product, not in tests', () => {
  const code = 'const fakeModel = 1;\n';
  expect(
    faults(fakesInProduct, {
      'src/engine/a.ts': code,
      'webview/b.tsx': 'useFake();',
      'src/providers/fakeServer.ts': '',
      'src/engine/a.test.ts': code,
      'test/builders/fakeModel.ts': code,
      'src/perturb/words.ts': "['fake', 'real'] // a fake word",
    }).map((fault) => fault.split(' ')[0]),
  ).toEqual(['src/engine/a.ts:1', 'webview/b.tsx:1', 'src/providers/fakeServer.ts:null']);
});

it('names that say nothing, or in another case, are found', () => {
  const offenders = [
    'src/utils/a.ts',
    'src/stats/helpers.ts',
    'webview/dateUtils.ts',
    'test/helper/a.ts',
    'src/stats/jsd_test.ts',
    'src/stats/Mmd.ts',
    'src/stats/two-words.ts',
  ];
  const clean = [
    'src/stats/jsd.ts',
    'src/stats/jsd.test.ts',
    'webview/charts/Forest.tsx',
    'bench/embed.bench.ts',
    'test/oracles/a-b.json',
  ];
  const found = names(tree(Object.fromEntries([...offenders, ...clean].map((path) => [path, ''])))).map(
    ({ path }) => path,
  );
  expect(found).toEqual(offenders);
});

describe('rooms', () => {
  const map = '| room | holds |\n| --- | --- |\n| `src/stats` | numerics |\n| `webview` | the page |\n';
  it('listed and existing agree', () => {
    expect(faults(rooms, { 'ARCHITECTURE.md': map, 'src/stats/a.ts': '', 'webview/main.tsx': '' })).toEqual(
      [],
    );
  });
  it('a room that is not listed, one that does not exist, and a missing map are found', () => {
    expect(faults(rooms, { 'ARCHITECTURE.md': map, 'src/stats/a.ts': '', 'src/magic/a.ts': '' })).toEqual([
      'ARCHITECTURE.md:null does not list the room src/magic',
      'ARCHITECTURE.md:null lists webview, which does not exist',
    ]);
    expect(faults(rooms, { 'src/stats/a.ts': '' })).toEqual(['ARCHITECTURE.md:null is missing']);
  });
});

describe('links between documents', () => {
  const guide = '# The guide\n\n## What is *H*?\n\n## Twice\n\n## Twice\n';
  const check = (text: string, more: Record<string, string> = {}) =>
    faults(docLinks, {
      'README.md': text,
      'docs/guide.md': guide,
      'media/a.png': null as unknown as string,
      ...more,
    });

  it('that lead somewhere pass', () => {
    const links =
      '[a](docs/guide.md) [b](docs/guide.md#what-is-h) [c](docs/guide.md#twice-1) ![d](media/a.png) [e](docs/) [f](https://example.com/x) [g](#top)\n# Top\n```\n[x](nowhere.md)\n```\n';
    expect(check(links)).toEqual([]);
  });
  it.each([
    ['[a](docs/none.md)', 'links to docs/none.md, which does not exist'],
    ['![a](media/b.png)', 'links to media/b.png, which does not exist'],
    ['<img src="media/c.png">', 'links to media/c.png, which does not exist'],
    ['[a](docs/guide.md#none)', 'links to docs/guide.md#none, but there is no such heading'],
    ['[a](#none)', 'links to #none, but there is no such heading'],
  ])('%s is found', (text, message) => expect(check(text)).toEqual([`README.md:1 ${message}`]));

  it('paths that ARCHITECTURE.md and CONTRIBUTING.md name must exist', () => {
    const more = {
      'ARCHITECTURE.md': '`docs/guide.md` `docs/` `docs/*.md` `media/*.svg`\n`src/none.ts` `src/<name>.ts`',
    };
    expect(check('', more)).toEqual([
      'ARCHITECTURE.md:1 names media/*.svg, which does not exist',
      'ARCHITECTURE.md:2 names src/none.ts, which does not exist',
    ]);
  });
});
