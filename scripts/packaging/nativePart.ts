import { build, type Metafile, type Plugin } from 'esbuild';
import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Read from disk at run time, not imported. */
const DATA_OF_NODE_LLAMA_CPP = [
  'LICENSE',
  'llama/package.json',
  'llama/binariesGithubRelease.json',
  'llama/llama.cpp.info.json',
  'llama/grammars',
];

/**
 * Writes node-llama-cpp with its dependencies as two files into `into` (a node_modules folder): 83 MB as installed become
 * about 32 with the binaries. Sources of llama.cpp, command line and typings stay out; its package.json names no
 * dependency, so that npm adds none.
 * @returns what was bundled
 */
export async function stageNativeLibrary(root: string, into: string): Promise<Metafile[]> {
  const from = realpathSync(path.join(root, 'node_modules'));
  const library = path.join(from, 'node-llama-cpp');
  const staged = path.join(into, 'node-llama-cpp');
  for (const entry of DATA_OF_NODE_LLAMA_CPP) {
    cpSync(path.join(library, entry), path.join(staged, entry), { recursive: true });
  }
  const manifest = JSON.parse(readFileSync(path.join(library, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  const kept = Object.fromEntries(
    ['name', 'version', 'description', 'license', 'author', 'type', 'main'].map((key) => [
      key,
      manifest[key],
    ]),
  );
  writeFileSync(path.join(staged, 'package.json'), `${JSON.stringify(kept, null, 2)}\n`);
  return Promise.all([
    bundle(from, into, 'index.js', '.'),
    // Forked by path, to try the binary before it is loaded.
    bundle(from, into, 'bindings/utils/testBindingBinary.js', '../..'),
  ]);
}

/** Writes the binaries of one platform beside the library. @param from the folder of their package */
export function stageBinaries(from: string, into: string, packageName: string): void {
  mkdirSync(into, { recursive: true });
  cpSync(realpathSync(from), path.join(into, packageName), { recursive: true });
}

/** @param toDist from the entry's folder to the library's dist folder; */
async function bundle(from: string, into: string, entry: string, toDist: string): Promise<Metafile> {
  const dist = path.join(from, 'node-llama-cpp/dist');
  const { metafile } = await build({
    absWorkingDir: path.dirname(from),
    entryPoints: [path.join(dist, entry)],
    outfile: path.join(into, 'node-llama-cpp/dist', entry),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    logLevel: 'error',
    // Only building llama.cpp from source and copying files by reflink go through these.
    external: ['*.node', '@node-llama-cpp/*', '@reflink/*', 'electron'],
    banner: {
      js: [
        "import { createRequire as __createRequire } from 'node:module';",
        'const require = __createRequire(import.meta.url);',
        `const __distUrl = new URL('${toDist}/', import.meta.url).href;`,
      ].join('\n'),
    },
    plugins: [keepOwnUrl(dist)],
  });
  return metafile;
}

/**
 * The library finds its data and the file that it forks relative to each source file. In one file all would be relative to
 * that one, so each source is told the place it has in the library.
 */
function keepOwnUrl(dist: string): Plugin {
  return {
    name: 'keep-own-url',
    setup(pluginBuild) {
      pluginBuild.onLoad({ filter: /node-llama-cpp[/\\]dist[/\\].*\.js$/ }, ({ path: file }) => {
        const place = path.relative(dist, file).split(path.sep).join('/');
        return {
          contents: readFileSync(file, 'utf8').replaceAll(
            'import.meta.url',
            `new URL(${JSON.stringify(place)}, __distUrl).href`,
          ),
          loader: 'js',
        };
      });
    },
  };
}
