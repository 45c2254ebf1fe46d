import { build, type Plugin } from 'esbuild';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** Read from disk at run time, not imported. */
const DATA_OF_NODE_LLAMA_CPP = [
  'package.json',
  'LICENSE',
  'llama/package.json',
  'llama/binariesGithubRelease.json',
  'llama/llama.cpp.info.json',
  'llama/grammars',
];

/**
 * Writes node-llama-cpp with its dependencies as two files, and the binaries of one platform, into `into`
 * (a node_modules folder): 83 MB as installed become about 32. Sources of llama.cpp, command line and typings stay out,
 * every licence is kept in one notice.
 */
export async function stageNativePart(root: string, into: string, target: string): Promise<void> {
  const from = realpathSync(path.join(root, 'node_modules'));
  const binaries = path.join('@node-llama-cpp', target);
  if (!existsSync(path.join(from, binaries))) {
    throw new Error(
      `node_modules/${binaries} is missing: npm install on a ${target} machine, then package again`,
    );
  }
  cpSync(path.join(from, binaries), path.join(into, binaries), { recursive: true });

  const library = path.join(from, 'node-llama-cpp');
  for (const entry of DATA_OF_NODE_LLAMA_CPP) {
    cpSync(path.join(library, entry), path.join(into, 'node-llama-cpp', entry), { recursive: true });
  }
  const inputs = await Promise.all([
    bundle(from, into, 'index.js', '.'),
    // Forked by path, to try the binary before it is loaded.
    bundle(from, into, 'bindings/utils/testBindingBinary.js', '../..'),
  ]);
  writeNotices(from, inputs.flat(), path.join(into, 'THIRD_PARTY_NOTICES.txt'));
}

/** @param toDist from the entry's folder to the library's dist folder; @returns the files that went in */
async function bundle(from: string, into: string, entry: string, toDist: string): Promise<string[]> {
  const dist = path.join(from, 'node-llama-cpp/dist');
  const { metafile } = await build({
    absWorkingDir: from,
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
  return Object.keys(metafile.inputs);
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

/** Licence texts of every package that the two files hold, each once. */
function writeNotices(from: string, inputs: string[], file: string): void {
  const packages = new Set(inputs.map(packageOf).filter((name) => name !== null));
  const notices = [...packages].sort().map((name) => {
    const folder = path.join(from, name);
    const { version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      version: string;
      license?: string;
    };
    const texts = readdirSync(folder)
      .filter((entry) => /^(licen[cs]e|notice|copying)/i.test(entry))
      .map((entry) => readFileSync(path.join(folder, entry), 'utf8').trim());
    return [`## ${name} ${version} (${license ?? 'see text'})`, ...texts].join('\n\n');
  });
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${notices.join('\n\n\n')}\n`);
}

/** `a/node_modules/@s/b/lib/x.js` → `a/node_modules/@s/b`; null for a file of no package. */
function packageOf(file: string): string | null {
  return /^(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file.replace(/^\(disabled\):/, ''))?.[0] ?? null;
}
