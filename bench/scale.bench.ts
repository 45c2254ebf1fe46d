/**
 * A suite of 1,000 prompts × 20 conditions × 20 answers: 400,000 calls planned, asked of a server in another process, kept,
 * tested and recorded, one prompt after the other. Memory must not grow with what is behind. Use: `npm run bench -- scale
 * [--prompts 1000] [--record]`; --record writes docs/validation/scale.md. Exit code 1 where the heap grows by more than 64
 * bytes an answer (each costs a kilobyte on its way), or peak RSS by more than a quarter. What is listed of the cache while
 * its oldest answers are evicted, 16 bytes each, may be among them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createEvenkeel } from '../src/compose/createEvenkeel';

const PERTURBATIONS = 19;
const SAMPLES = 20;
const PER_PROMPT = (PERTURBATIONS + 1) * SAMPLES;
const MOST_RSS_GROWTH = 1.25;
const MOST_BYTES_AN_ANSWER = 64;
const root = path.resolve(import.meta.dirname, '..');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Row {
  calls: number;
  rssMb: number;
  peakRssMb: number;
  heapMb: number;
  minutes: number;
}

export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { prompts: { type: 'string', default: '1000' }, record: { type: 'boolean', default: false } },
  });
  const prompts = Number(values.prompts);
  const marks = [0.025, 0.25, 0.5, 1].map((share) => Math.max(1, Math.round(prompts * share)));
  const cacheDir = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-scale-'));
  const server = spawn(
    process.execPath,
    ['--import', 'tsx', path.join(root, 'bench', 'scale', 'server.ts')],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  try {
    const [baseUrl] = (await once(createInterface(server.stdout), 'line')) as [string];
    const rows = await suite({ prompts, marks, cacheDir, baseUrl });
    if (values.record) await record(rows);
    const { bytesAnAnswer, rss } = growthOf(rows);
    console.log(
      `from the first mark to the last: heap + ${bytesAnAnswer} bytes an answer, peak RSS × ${rss.toFixed(2)}`,
    );
    return bytesAnAnswer <= MOST_BYTES_AN_ANSWER && rss <= MOST_RSS_GROWTH ? 0 : 1;
  } finally {
    server.stdin.end();
    await rm(cacheDir, { recursive: true, force: true });
  }
}

function growthOf(rows: Row[]): { bytesAnAnswer: number; rss: number } {
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const answers = Math.max(1, last.calls - first.calls);
  return {
    bytesAnAnswer: Math.round(((last.heapMb - first.heapMb) * 1e6) / answers),
    rss: last.peakRssMb / first.peakRssMb,
  };
}

async function suite(given: {
  prompts: number;
  marks: number[];
  cacheDir: string;
  baseUrl: string;
}): Promise<Row[]> {
  const { prompts, marks, cacheDir, baseUrl } = given;
  const evenkeel = createEvenkeel({
    paths: { distDir: path.join(root, 'dist'), mediaDir: path.join(root, 'media'), cacheDir },
    endpoints: () => [{ name: 'bench', baseUrl, apiKey: null, keyHint: '' }],
    servers: () => ({ concurrency: 32 }),
    modelMirror: () => null,
    ollamaUrl: () => 'http://127.0.0.1:9',
    version: 'bench',
    useCache: () => true,
    clock: { nowMs: () => Date.now() },
  });
  const rows: Row[] = [];
  const fromMs = performance.now();
  let calls = 0;
  for (let i = 1; i <= prompts; i++) {
    calls += await one(evenkeel, i);
    if (!marks.includes(i)) continue;
    collectGarbage();
    const { rss, heapUsed } = process.memoryUsage();
    const mb = (bytes: number) => Math.round(bytes / 1e6);
    rows.push({
      calls,
      rssMb: mb(rss),
      // Kilobytes.
      peakRssMb: mb(process.resourceUsage().maxRSS * 1024),
      heapMb: Math.round(heapUsed / 1e5) / 10,
      minutes: (performance.now() - fromMs) / 60_000,
    });
    console.log(lineOf(rows.at(-1)!));
  }
  await evenkeel.close();
  return rows;
}

async function one(evenkeel: ReturnType<typeof createEvenkeel>, number: number): Promise<number> {
  const prepared = await evenkeel.prepare({
    text: textOf(number),
    source: null,
    variables: {},
    modelId: 'bench:m',
    seed: number,
    limit: PERTURBATIONS,
    options: { samples: SAMPLES, permutations: 1_999 },
    reproduce: () => '',
  });
  const { samples, comparisons, state } = await evenkeel.run(prepared, {
    signal: new AbortController().signal,
  });
  if (samples.length !== PER_PROMPT || comparisons.length !== PERTURBATIONS || state !== 'complete')
    throw new Error(
      `prompt ${number}: ${samples.length} answers, ${comparisons.length} comparisons, ${state}`,
    );
  return samples.length;
}

const textOf = (number: number) =>
  `You are a friendly assistant in the support team of a small bookshop. Please answer the customer who asks about order ${number}. ` +
  'Say when the parcel will arrive. Please do not promise anything that the shop cannot keep. Write one short sentence, and be polite and clear.';

const lineOf = ({ calls, rssMb, peakRssMb, heapMb, minutes }: Row): string =>
  `${calls.toLocaleString('en')} answers: heap ${heapMb} MB after collection, RSS ${rssMb} MB, peak RSS ${peakRssMb} MB, ${minutes.toFixed(1)} min`;

async function record(rows: Row[]): Promise<void> {
  const machine = `${os.cpus()[0]?.model.trim() ?? 'unknown processor'}, ${os.cpus().length} threads, Node ${process.versions.node}`;
  const text = [
    '# Scale: memory over a suite of 400,000 calls',
    '',
    'Written by `npm run bench -- scale --record`; do not edit.',
    '',
    `Each prompt is planned, changed in ${PERTURBATIONS} ways, asked ${SAMPLES} times per condition of an OpenAI-protocol server in`,
    'another process, every answer kept on disk, embedded, tested and recorded; one prompt after the other in one process. Heap',
    'is that of the main thread after a collection; RSS is of the whole process with the encoder and the statistics.',
    '',
    '| answers | heap, MB | RSS, MB | peak RSS, MB | minutes |',
    '| ------: | -------: | ------: | -----------: | ------: |',
    ...rows.map(
      ({ calls, heapMb, rssMb, peakRssMb, minutes }) =>
        `| ${calls.toLocaleString('en')} | ${heapMb} | ${rssMb} | ${peakRssMb} | ${minutes.toFixed(1)} |`,
    ),
    '',
    `From the first row to the last the heap grew by ${growthOf(rows).bytesAnAnswer} bytes an answer; each takes about a kilobyte on its way. Kept`,
    'answers pass their cap of 2 GB after about 250,000: while the oldest are evicted, 16 bytes of each are listed.',
    '',
    `Measured on ${machine}, shared with other work.`,
    '',
  ].join('\n');
  await writeFile(path.join(root, 'docs', 'validation', 'scale.md'), text);
}
