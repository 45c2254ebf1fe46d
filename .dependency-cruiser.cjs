/**
 * Direction of imports between rooms (ARCHITECTURE.md, invariants 1 and 2). Each rule's comment is what a person
 * reads; test/guards/dependencies.test.ts proves that each of them fires.
 */
const room = (name) => `^src/${name}/`;
const rooms = (...names) => `^src/(${names.join('|')})/`;
const TEST = '\\.test\\.tsx?$';
const only = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: room(from), pathNot: TEST },
  to: { path: '^src/', pathNot: [room(from), ...allowed.map(room)] },
});
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'A cycle means that two files are one thing or one of them is in the wrong room.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'vscode-only-in-extension',
      severity: 'error',
      comment: "Only src/extension imports 'vscode'.",
      from: { path: '^(src|webview)/', pathNot: room('extension') },
      to: { path: '(^vscode$|node_modules/@types/vscode/)' },
    },
    {
      name: 'pure-rooms-know-no-node',
      severity: 'error',
      comment: 'A pure room does no I/O: it takes what it needs as an argument.',
      from: {
        path: rooms('contracts', 'stats', 'perturb', 'prompts', 'answers', 'judge', 'report'),
        pathNot: TEST,
      },
      to: { dependencyTypes: ['core'] },
    },
    only(
      'contracts-import-no-room',
      'contracts is what crosses a boundary: it imports nothing of the project.',
      'contracts',
      [],
    ),
    {
      name: 'contracts-import-zod-only',
      severity: 'error',
      comment: 'contracts is read by every room and by the page: of packages, it imports zod alone.',
      from: { path: room('contracts'), pathNot: TEST },
      to: { path: 'node_modules/', pathNot: 'node_modules/zod/' },
    },
    only('stats-is-pure', 'stats is pure numerics.', 'stats', ['contracts']),
    only('perturb-is-pure', 'perturb: text and rng in, variants out.', 'perturb', [
      'contracts',
      'stats',
      'prompts',
    ]),
    only('prompts-is-pure', 'prompts: text in, spans out.', 'prompts', ['contracts']),
    only('answers-is-pure', 'answers: text in, answer out.', 'answers', ['contracts', 'prompts']),
    only('report-is-pure', 'report: run record in, view model out.', 'report', ['contracts']),
    only(
      'engine-imports-ports-never-adapters',
      'The engine knows ports; adapters are put in by the composition roots.',
      'engine',
      ['contracts', 'stats', 'perturb', 'prompts', 'answers', 'judge'],
    ),
    only('judge-is-pure', 'judge: texts in, request out; reply in, verdict out. The engine asks.', 'judge', [
      'contracts',
      'stats',
      'answers',
    ]),
    only(
      'providers-implement-ports',
      'A provider implements a port of the engine and knows nothing else.',
      'providers',
      ['contracts', 'engine'],
    ),
    only('store-implements-ports', 'The store implements a port of the engine.', 'store', [
      'contracts',
      'engine',
    ]),
    only(
      'workers-implement-ports',
      'Worker threads and their clients implement ports of the engine.',
      'workers',
      ['contracts', 'engine', 'stats'],
    ),
    {
      name: 'compose-serves-both-roots',
      severity: 'error',
      comment: 'compose is what both composition roots share: it knows the rooms below, never a root.',
      from: { path: room('compose'), pathNot: TEST },
      to: { path: rooms('cli', 'extension') },
    },
    {
      name: 'only-roots-import-compose',
      severity: 'error',
      comment: 'compose puts the product together: only the composition roots, cli and extension, import it.',
      from: { path: '^(src|webview)/', pathNot: [rooms('cli', 'extension', 'compose'), TEST] },
      to: { path: room('compose') },
    },
    {
      name: 'nobody-imports-a-root',
      severity: 'error',
      comment: 'cli and extension are where the program starts: nothing below knows them.',
      from: { path: '^(src|webview)/', pathNot: [rooms('cli', 'extension', 'compose'), TEST] },
      to: { path: rooms('cli', 'extension') },
    },
    {
      name: 'roots-do-not-meet',
      severity: 'error',
      comment: 'cli and extension are two composition roots: share through the engine or `compose`.',
      from: { path: '^src/(cli|extension)/' },
      to: { path: rooms('cli', 'extension'), pathNot: '^src/$1/' },
    },
    {
      name: 'page-knows-no-host',
      severity: 'error',
      comment: 'The page imports contracts and the types of report, never host code.',
      from: { path: '^webview/', pathNot: TEST },
      to: { path: '^src/', pathNot: rooms('contracts', 'report') },
    },
    {
      name: 'page-takes-types-of-report',
      severity: 'error',
      comment: 'The host makes the view, the page shows it: of report the page takes types only.',
      from: { path: '^webview/', pathNot: TEST },
      to: { path: room('report'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'host-knows-no-page',
      severity: 'error',
      comment: 'The host speaks with the page through src/contracts/webviewProtocol.ts, never by its code.',
      from: { path: '^src/' },
      to: { path: '^webview/' },
    },
    {
      name: 'product-knows-no-tests',
      severity: 'error',
      comment: 'Nothing under src or webview knows about tests.',
      from: { path: '^(src|webview)/', pathNot: TEST },
      to: { path: '(^test/|\\.test\\.tsx?$)' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      comment: 'Nobody imports this file: remove it or wire it in.',
      from: { orphan: true, path: '^(src|webview)/', pathNot: ['\\.d\\.ts$', TEST] },
      to: {},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^dist|^test/artefacts)' },
  },
};
