/**
 * The rules that teach where things belong; test/guards/eslint.test.ts proves that each of them fires.
 *
 * A later entry REPLACES the options of a rule set by an earlier one. So the restrictions of each group of files are
 * put together below from named lists, and no file takes `no-restricted-*` from two entries.
 */
import { builtinModules } from 'node:module';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const PURE =
  'This room is pure: no I/O, clock or chance. Take what you need as an argument (ARCHITECTURE.md, invariant 1).';
const REPEATABLE =
  'A run must be repeatable: take chance from an Rng argument (src/stats/rng.ts; ARCHITECTURE.md, invariant 3).';
const PORTS =
  'The engine meets the world through its ports: take a Clock, a Store or another port as an argument (ARCHITECTURE.md, invariant 2).';
const HOSTILE = 'Model output is hostile text: write text nodes, never HTML (ARCHITECTURE.md, invariant 5).';
const NO_SHELL =
  'Nothing reaches a shell: use execFile or spawn with a list of arguments (ARCHITECTURE.md, invariant 5).';
const KEYS =
  'Only the composition roots (src/cli, src/extension) read the environment, which may hold keys: take the value as an argument (ARCHITECTURE.md, invariant 6).';
const CSP =
  "The page's content-security policy forbids inline styles: use a class or an SVG attribute (ARCHITECTURE.md, invariant 7).";

const pureRooms = ['stats', 'perturb', 'prompts', 'answers', 'judge', 'report', 'contracts'].map(
  (room) => `src/${room}/**/*.ts`,
);
const tests = ['**/*.test.ts', '**/*.test.tsx'];

const banned = (message, selectors) => selectors.map((selector) => ({ selector, message }));
const syntax = {
  modules: [
    ...banned('No barrels: import from the file that defines the name.', [
      'ExportAllDeclaration',
      'ExportNamedDeclaration[source]',
    ]),
    ...banned('Named exports only.', [
      'ExportDefaultDeclaration',
      "ExportSpecifier[exported.name='default']",
    ]),
  ],
  clock: (message) =>
    banned(message, [
      "NewExpression[callee.name='Date'][arguments.length=0]",
      "CallExpression[callee.name='Date']",
    ]),
  dynamicImport: banned(PURE, ['ImportExpression']),
  shell: banned(NO_SHELL, ["Property[key.name='shell'][value.value=true]"]),
  // Handing the whole environment on to a child process reads nothing.
  environment: banned(KEYS, [
    "MemberExpression[object.object.name='process'][object.property.name='env']",
    "VariableDeclarator[id.type='ObjectPattern'] > MemberExpression[object.name='process'][property.name='env']",
  ]),
  commandLinks: banned(
    'Trusted Markdown runs every command link in it: set { enabledCommands } instead (ARCHITECTURE.md, invariant 5).',
    [
      "Property[key.name='isTrusted'][value.value=true]",
      "AssignmentExpression[left.property.name='isTrusted'][right.value=true]",
    ],
  ),
  html: banned(HOSTILE, [
    "JSXAttribute[name.name='dangerouslySetInnerHTML']",
    "Property[key.name='dangerouslySetInnerHTML']",
    'JSXAttribute[name.name=/^srcdoc$/i]',
  ]),
  inlineStyle: banned(CSP, [
    "JSXAttribute[name.name='style']",
    "CallExpression[callee.property.name='setAttribute'][arguments.0.value='style']",
  ]),
};

const properties = {
  html: [
    'innerHTML',
    'outerHTML',
    'insertAdjacentHTML',
    'setHTMLUnsafe',
    'createContextualFragment',
    'srcdoc',
  ].map((property) => ({ property, message: HOSTILE })),
  chance: (message) => [{ object: 'Math', property: 'random', message }],
  clock: (message) => [
    { object: 'Date', property: 'now', message },
    { object: 'performance', property: 'now', message },
  ],
};

const builtins = (names, message) => ({
  paths: names.flatMap((name) => [
    { name, message },
    { name: `node:${name}`, message },
  ]),
});
const everyBuiltin = builtinModules.filter((name) => !name.startsWith('_') && !name.startsWith('node:'));
const ioBuiltins = everyBuiltin.filter((name) =>
  /^(fs|child_process|worker_threads|cluster|https?|http2|net|tls|dgram|dns|readline|repl)(\/|$)/.test(name),
);
const pureGlobals = [
  'process',
  'Buffer',
  'require',
  'console',
  'fetch',
  'WebSocket',
  'XMLHttpRequest',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'performance',
  'crypto',
  'window',
  'document',
  'navigator',
  'localStorage',
  'globalThis',
].map((name) => ({ name, message: PURE }));

const noEval = {
  'no-eval': 'error',
  'no-new-func': 'error',
  'no-implied-eval': 'error',
  'no-script-url': 'error',
};

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'test/artefacts', '**/*.cjs', 'media'] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    rules: {
      // TypeScript knows the names; Node's and the page's globals differ by room.
      'no-undef': 'off',
      'no-control-regex': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-syntax': ['error', ...syntax.modules],
      ...noEval,
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: tests,
    rules: {
      'no-restricted-syntax': [
        'error',
        ...syntax.modules,
        ...syntax.shell,
        ...syntax.environment,
        ...syntax.commandLinks,
        ...syntax.html,
      ],
      'no-restricted-properties': ['error', ...properties.html, ...properties.chance(REPEATABLE)],
      'no-restricted-imports': [
        'error',
        {
          paths: ['child_process', 'node:child_process'].map((name) => ({
            name,
            importNames: ['exec', 'execSync'],
            message: NO_SHELL,
          })),
        },
      ],
    },
  },
  {
    files: ['src/cli/**/*.ts', 'src/extension/**/*.ts'],
    ignores: tests,
    rules: {
      'no-restricted-syntax': [
        'error',
        ...syntax.modules,
        ...syntax.shell,
        ...syntax.commandLinks,
        ...syntax.html,
      ],
    },
  },
  {
    files: ['src/engine/**/*.ts'],
    ignores: tests,
    rules: {
      'no-restricted-syntax': [
        'error',
        ...syntax.modules,
        ...syntax.shell,
        ...syntax.environment,
        ...syntax.commandLinks,
        ...syntax.html,
        ...syntax.clock(PORTS),
      ],
      'no-restricted-properties': [
        'error',
        ...properties.html,
        ...properties.chance(REPEATABLE),
        ...properties.clock(PORTS),
      ],
      'no-restricted-globals': ['error', { name: 'fetch', message: PORTS }],
      'no-restricted-imports': ['error', builtins(ioBuiltins, PORTS)],
    },
  },
  {
    files: pureRooms,
    ignores: tests,
    rules: {
      'no-restricted-syntax': [
        'error',
        ...syntax.modules,
        ...syntax.shell,
        ...syntax.commandLinks,
        ...syntax.html,
        ...syntax.clock(PURE),
        ...syntax.dynamicImport,
      ],
      'no-restricted-properties': [
        'error',
        ...properties.html,
        ...properties.chance(PURE),
        ...properties.clock(PURE),
      ],
      'no-restricted-globals': ['error', ...pureGlobals],
      'no-restricted-imports': [
        'error',
        { ...builtins(everyBuiltin, PURE), patterns: [{ group: ['node:*', 'vscode'], message: PURE }] },
      ],
    },
  },
  {
    files: ['webview/**/*.{ts,tsx}'],
    ignores: tests,
    rules: {
      'no-restricted-syntax': ['error', ...syntax.modules, ...syntax.html, ...syntax.inlineStyle],
      'no-restricted-properties': ['error', ...properties.html, ...properties.chance(REPEATABLE)],
    },
  },
  { files: ['src/cli/**', 'scripts/**', 'bench/**', 'test/**'], rules: { 'no-console': 'off' } },
  // A test may try to do what the page's content-security policy forbids.
  {
    files: ['test/**', ...tests],
    rules: { 'no-eval': 'off', 'no-new-func': 'off', 'no-implied-eval': 'off' },
  },
  { files: ['*.config.{js,ts}'], rules: { 'no-restricted-syntax': 'off' } },
);
