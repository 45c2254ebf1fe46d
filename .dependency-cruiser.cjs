/** Direction of imports between rooms (ARCHITECTURE.md, invariants 1 and 2). Each rule's comment is what a person reads. */
const room = (name) => `^src/${name}/`;
const only = (name, comment, from, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: room(from), pathNot: '\\.test\\.ts$' },
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
      from: { path: '^(src|webview)/', pathNot: '^src/extension/' },
      to: { path: '^(vscode|node_modules/@types/vscode)' },
    },
    only(
      'contracts-import-zod-only',
      'contracts is what crosses a boundary: it imports nothing of the project.',
      'contracts',
      [],
    ),
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
      ['contracts', 'stats', 'perturb', 'prompts', 'answers'],
    ),
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
      name: 'roots-do-not-meet',
      severity: 'error',
      comment: 'cli and extension are two composition roots: share through the engine or `compose`.',
      from: { path: '^src/(cli|extension)/' },
      to: { path: '^src/(cli|extension)/', pathNot: '^src/$1/' },
    },
    {
      name: 'page-takes-types-only',
      severity: 'error',
      comment: 'The page imports contracts (and types of report), never host code.',
      from: { path: '^webview/' },
      to: { path: '^src/', pathNot: '^src/contracts/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'product-knows-no-tests',
      severity: 'error',
      comment: 'Nothing under src or webview knows about tests.',
      from: { path: '^(src|webview)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '(^test/|\\.test\\.tsx?$)' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      comment: 'Nobody imports this file: remove it or wire it in.',
      from: { orphan: true, path: '^(src|webview)/', pathNot: ['\\.d\\.ts$', '\\.test\\.tsx?$'] },
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
