import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const noIoMessage =
  'This room is pure: no I/O, clock or chance. Take what you need as an argument (ARCHITECTURE.md, invariant 1).';
const pureRooms = ['stats', 'perturb', 'prompts', 'answers', 'report', 'contracts'].map(
  (room) => `src/${room}/**/*.ts`,
);

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'test/artefacts', '**/*.cjs', 'media'] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    languageOptions: {
      globals: {
        console: 'readonly',
        process: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
        AbortSignal: 'readonly',
        AbortController: 'readonly',
      },
    },
    rules: {
      'no-undef': 'off',
      'no-control-regex': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportAllDeclaration',
          message: 'No barrels: import from the file that defines the name.',
        },
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
      ],
    },
  },
  {
    files: pureRooms,
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [
                'node:*',
                'fs',
                'path',
                'os',
                'child_process',
                'worker_threads',
                'http',
                'https',
                'net',
                'crypto',
                'vscode',
              ],
              message: noIoMessage,
            },
          ],
        },
      ],
      'no-restricted-globals': [
        'error',
        ...[
          'process',
          'fetch',
          'setTimeout',
          'setInterval',
          'performance',
          'Buffer',
          'require',
          'window',
          'document',
          'crypto',
          'console',
        ].map((name) => ({ name, message: noIoMessage })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: noIoMessage },
        { object: 'Date', property: 'now', message: noIoMessage },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: noIoMessage },
        { selector: 'ImportExpression', message: noIoMessage },
        {
          selector: 'ExportAllDeclaration',
          message: 'No barrels: import from the file that defines the name.',
        },
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
      ],
    },
  },
  {
    // Nothing a model says reaches HTML as HTML (ARCHITECTURE.md, invariant 5).
    files: ['webview/**/*.{ts,tsx}', 'src/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML'].map((property) => ({
          property,
          message: 'Model output is hostile text: write text nodes, never HTML (invariant 5).',
        })),
        { object: 'Math', property: 'random', message: noIoMessage },
      ],
      'no-eval': 'error',
    },
  },
  {
    files: ['webview/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'Model output is hostile text (invariant 5).',
        },
        {
          selector: "JSXAttribute[name.name='style']",
          message: 'No inline styles: the content-security policy forbids them (invariant 7).',
        },
      ],
    },
  },
  { files: ['src/cli/**', 'scripts/**', 'bench/**', 'test/**'], rules: { 'no-console': 'off' } },
  { files: ['*.config.{js,ts}', 'eslint.config.js'], rules: { 'no-restricted-syntax': 'off' } },
);
