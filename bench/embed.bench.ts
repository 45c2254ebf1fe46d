/**
 * Sentence encoder: texts per second at about 20 and 120 words, the WASM build that ships (through the product's
 * own worker) against onnxruntime-node, one thread each, in alternating rounds of one run.
 *
 *   npm run build -- embedWorker && npm run bench -- embed [--rounds 3] [--short 96] [--long 24]
 *
 * onnxruntime-node is no dependency of Evenkeel (46 MB of native code per platform): it is installed into the
 * development cache, without its install script, which would only fetch GPU parts. Where that fails, the bench
 * says so and measures WASM alone.
 */
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, homedir, loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type * as Ort from 'onnxruntime-web';
import { createRng } from '../src/stats/rng';
import { embedInBatches, type RunBatch } from '../src/workers/embedBatches';
import { createEmbedder } from '../src/workers/embedder';
import { createTextEncoder } from '../src/workers/encodeText';
import { SENTENCE_ENCODER } from '../src/workers/encoderFiles';

const root = path.resolve(import.meta.dirname, '..');
const modelDir = path.join(root, 'media/models');
const NATIVE = 'onnxruntime-node';
const NATIVE_VERSION = '1.30.0';
const nativeDir = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  `evenkeel-dev/${NATIVE}-${NATIVE_VERSION}`,
);

type Engine = 'wasm' | 'native';
type EmbedAll = (texts: string[]) => Promise<Float32Array>;
interface Measured {
  seconds: number;
  cpuSeconds: number;
  peakMiB: number;
  vectors: number[];
}

export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      engine: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      short: { type: 'string', default: '96' },
      long: { type: 'string', default: '24' },
    },
  });
  if (values.engine !== undefined) return serve(values.engine as Engine);
  const workerPath = path.join(root, 'dist/embedWorker.cjs');
  if (!existsSync(workerPath)) {
    console.error('dist/embedWorker.cjs is missing: run `npm run build -- embedWorker` first.');
    return 2;
  }
  const missing = installNative();
  if (missing !== null) console.log(`onnxruntime-node is left out: ${missing}`);
  return compare(
    missing === null ? ['wasm', 'native'] : ['wasm'],
    [
      { name: '20 words', texts: makeTexts(20, Number(values.short)) },
      { name: '120 words', texts: makeTexts(120, Number(values.long)) },
    ],
    Number(values.rounds),
  );
}

async function compare(
  engines: Engine[],
  sets: { name: string; texts: string[] }[],
  rounds: number,
): Promise<number> {
  const cpu = cpus()[0]?.model ?? 'unknown processor';
  console.log(
    `${cpu}, ${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)}, Node ${process.version}`,
  );
  const children = engines.map((engine) => ({ engine, child: startChild(engine) }));
  for (const { child } of children) await measure(child, sets[0]!.texts.slice(0, 16));
  console.log('texts       engine   texts/s (median of rounds)   texts per CPU s   peak memory');
  for (const { name, texts } of sets) {
    const results = new Map<Engine, Measured[]>(engines.map((engine) => [engine, []]));
    for (let round = 0; round < rounds; round++) {
      for (const { engine, child } of children) results.get(engine)!.push(await measure(child, texts));
    }
    const rate = (engine: Engine, key: 'seconds' | 'cpuSeconds') =>
      texts.length / median(results.get(engine)!.map((one) => one[key]));
    for (const engine of engines) {
      const peak = Math.max(...results.get(engine)!.map(({ peakMiB }) => peakMiB));
      const cells = [
        name.padEnd(11),
        engine.padEnd(8),
        rate(engine, 'seconds').toFixed(1).padEnd(28),
        rate(engine, 'cpuSeconds').toFixed(1).padEnd(17),
        `${peak.toFixed(0)} MiB`,
      ];
      console.log(cells.join(' '));
    }
    if (engines.includes('native')) {
      const ratio = (key: 'seconds' | 'cpuSeconds') => (rate('native', key) / rate('wasm', key)).toFixed(2);
      const a = results.get('native')!.at(-1)!.vectors;
      const b = results.get('wasm')!.at(-1)!.vectors;
      const apart = Math.max(...a.map((x, i) => Math.abs(x - b[i]!)));
      console.log(
        `${name}: native is ${ratio('seconds')} times as fast as WASM (per CPU second ${ratio('cpuSeconds')}); vectors at most ${apart.toExponential(1)} apart`,
      );
    }
  }
  for (const { child } of children) child.disconnect();
  return 0;
}

/** A process per engine, so that each one's peak memory is its own. */
function startChild(engine: Engine): ChildProcess {
  return fork(path.join(root, 'bench/run.ts'), ['embed', '--engine', engine]);
}

function measure(child: ChildProcess, texts: string[]): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const lost = (code: number | null) => reject(new Error(`the engine's process ended with ${code}`));
    child.once('exit', lost);
    child.once('message', (message) => {
      child.off('exit', lost);
      resolve(message as Measured);
    });
    child.send(texts);
  });
}

/** The child's side: embeds what it is sent until the parent disconnects. */
async function serve(engine: Engine): Promise<number> {
  const embedAll = engine === 'wasm' ? wasmEngine() : await nativeEngine();
  process.on('message', (texts: string[]) => {
    void (async () => {
      const startedMs = performance.now();
      const before = process.cpuUsage();
      const vectors = await embedAll(texts);
      const { user, system } = process.cpuUsage(before);
      process.send!({
        seconds: (performance.now() - startedMs) / 1000,
        cpuSeconds: (user + system) / 1e6,
        peakMiB: process.resourceUsage().maxRSS / 1024,
        vectors: [...vectors],
      } satisfies Measured);
    })();
  });
  await new Promise((resolve) => process.once('disconnect', resolve));
  return 0;
}

function wasmEngine(): EmbedAll {
  const embedder = createEmbedder({
    workerPath: path.join(root, 'dist/embedWorker.cjs'),
    modelDir,
    ortDir: path.join(root, 'dist/ort'),
    threads: 1,
  });
  const { signal } = new AbortController();
  return async (texts) => (await embedder.embed(texts, { signal })).vectors;
}

async function nativeEngine(): Promise<EmbedAll> {
  const ort = createRequire(path.join(nativeDir, 'package.json'))(NATIVE) as typeof Ort;
  const session = await ort.InferenceSession.create(path.join(modelDir, SENTENCE_ENCODER.weights.file), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
  });
  const json = (file: string) => JSON.parse(readFileSync(path.join(modelDir, file), 'utf8')) as object;
  const encode = createTextEncoder(
    json(SENTENCE_ENCODER.tokenizer.file),
    json(SENTENCE_ENCODER.tokenizerConfig.file),
  );
  const runBatch: RunBatch = async (ids, rows, length) => {
    const output = await session.run({
      input_ids: new ort.Tensor('int32', ids, [rows, length]),
      attention_mask: new ort.Tensor('int32', new Int32Array(ids.length).fill(1), [rows, length]),
    });
    return output['embedding']!.data as Float32Array;
  };
  return async (texts) => (await embedInBatches(texts.map(encode), runBatch, async () => true))!;
}

/** @returns null, or why it cannot be had. */
function installNative(): string | null {
  try {
    if (!existsSync(path.join(nativeDir, 'node_modules', NATIVE))) {
      mkdirSync(nativeDir, { recursive: true });
      console.log(`installing ${NATIVE} ${NATIVE_VERSION} into the development cache …`);
      execFileSync(
        'npm',
        [
          'install',
          '--ignore-scripts',
          '--no-audit',
          '--no-fund',
          '--prefix',
          nativeDir,
          `${NATIVE}@${NATIVE_VERSION}`,
        ],
        { stdio: ['ignore', 'ignore', 'pipe'], shell: process.platform === 'win32' },
      );
    }
    createRequire(path.join(nativeDir, 'package.json'))(NATIVE);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.split('\n')[0]! : String(error);
  }
}

/** Distinct texts of exactly `words` common words; about 1.2 tokens a word. */
function makeTexts(words: number, count: number): string[] {
  const vocabulary =
    `the a of to and in is that it for on with as was at by an be this from or have are not but had they which one
    you were all there would her their we him been has when who will more if no out so what up said about into than
    them can only other time new some could these two may first then do any like my now over such our man me even
    most made after also did many before must through years where much your way well down should because long each
    people state government committee reviewed budget annual report medicine patient treatment weather temperature
    photosynthesis chlorophyll probability distribution hypothesis confidence interval refund window password settings`
      .trim()
      .split(/\s+/);
  const rng = createRng(7, `bench ${words}`);
  return Array.from({ length: count }, () =>
    Array.from({ length: words }, () => vocabulary[rng.below(vocabulary.length)]!).join(' '),
  );
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
