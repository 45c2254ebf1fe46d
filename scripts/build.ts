/** Builds every target into dist/. `--watch` rebuilds on change. */
import { build, context, type BuildOptions, type Plugin } from 'esbuild';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const watch = process.argv.includes('--watch');

const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  sourcemap: watch ? 'inline' : false,
  minify: !watch,
  metafile: true,
  // The editor's watch task waits for esbuild's own lines.
  logLevel: watch ? 'info' : 'warning',
  legalComments: 'none',
};
/** zod brings its messages in fifty languages, 200 kB of every bundle; ours are shown in English. */
const englishOnly: Plugin = {
  name: 'english-only',
  setup: (pluginBuild) =>
    pluginBuild.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
      loader: 'js',
    })),
};
const node: BuildOptions = {
  ...common,
  plugins: [englishOnly],
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // Natives and vscode stay outside; the ESM entries of ONNX Runtime and fdir call createRequire at load, which a CJS bundle
  // cannot.
  external: ['vscode', 'node-llama-cpp'],
  alias: {
    'onnxruntime-web': './node_modules/onnxruntime-web/dist/ort.node.min.js',
    fdir: './node_modules/fdir/dist/index.cjs',
  },
  define: {
    __EVENKEEL_VERSION__: JSON.stringify(
      (await import('../package.json', { with: { type: 'json' } })).default.version,
    ),
  },
};

const targets: Record<string, BuildOptions> = {
  extension: { ...node, entryPoints: ['src/extension/extension.ts'], outfile: 'dist/extension.cjs' },
  // Everything behind the commands; extension.cjs loads it when the first command is used.
  editor: { ...node, entryPoints: ['src/extension/editor.ts'], outfile: 'dist/editor.cjs' },
  // What finds prompts, for the lines above them; loaded when the editor first asks for those.
  discovery: { ...node, entryPoints: ['src/extension/discovery.ts'], outfile: 'dist/discovery.cjs' },
  cli: {
    ...node,
    entryPoints: ['src/cli/start.ts'],
    outfile: 'dist/cli.cjs',
    banner: { js: '#!/usr/bin/env node' },
  },
  statsWorker: { ...node, entryPoints: ['src/workers/statsWorker.ts'], outfile: 'dist/statsWorker.cjs' },
  embedWorker: { ...node, entryPoints: ['src/workers/embedWorker.ts'], outfile: 'dist/embedWorker.cjs' },
  inProcessChild: {
    ...node,
    entryPoints: ['src/providers/inProcess/child.ts'],
    outfile: 'dist/inProcessChild.cjs',
  },
  page: {
    ...common,
    platform: 'browser',
    format: 'iife',
    target: ['chrome120', 'firefox120', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryPoints: { report: 'webview/main.tsx' },
    outdir: 'dist/webview',
  },
};

// What a former build left is not shipped.
if (!watch && process.argv.length === 2) rmSync(path.join(root, 'dist'), { recursive: true, force: true });
mkdirSync(path.join(root, 'dist'), { recursive: true });
// The WASM runtime is loaded from disk, never fetched.
const wasmFrom = path.join(root, 'node_modules/onnxruntime-web/dist');
for (const file of ['ort-wasm-simd-threaded.wasm', 'ort-wasm-simd-threaded.mjs']) {
  mkdirSync(path.join(root, 'dist/ort'), { recursive: true });
  cpSync(path.join(wasmFrom, file), path.join(root, 'dist/ort', file));
}

// The parsers of prompt discovery; JavaScript is read by the grammar of TSX.
const parsersFrom = path.join(root, 'node_modules/@vscode/tree-sitter-wasm/wasm');
const parsersTo = path.join(root, 'dist/treesitter');
mkdirSync(parsersTo, { recursive: true });
// CommonJS, whatever the package around it says.
cpSync(path.join(parsersFrom, 'tree-sitter.js'), path.join(parsersTo, 'tree-sitter.cjs'));
for (const part of ['', '-typescript', '-tsx', '-python']) {
  cpSync(path.join(parsersFrom, `tree-sitter${part}.wasm`), path.join(parsersTo, `tree-sitter${part}.wasm`));
}

const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
for (const [name, options] of Object.entries(targets)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const entry = Array.isArray(options.entryPoints) ? String(options.entryPoints[0]) : 'webview/main.tsx';
  if (!existsSync(path.join(root, entry))) {
    throw new Error(`build target ${name}: ${entry} does not exist`);
  }
  if (watch) {
    const watching = await context(options);
    await watching.watch();
  } else {
    const result = await build(options);
    writeFileSync(path.join(root, `dist/${name}.meta.json`), JSON.stringify(result.metafile));
  }
}
