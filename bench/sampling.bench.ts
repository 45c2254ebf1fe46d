/**
 * Samples per second of one prompt, k = 20 answers of at most 24 tokens: in process (prompt once, lockstep) against
 * one-by-one sessions of the same library, and against Ollama on the same weights where the test set-up has one.
 * `npm run bench -- sampling [--model local:smollm2-135m] [--samples 20] [--threads 1] [--rounds 2]`; exit 1 below 4 × naive.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { getLlama, JinjaTemplateChatWrapper, LlamaChatSession, LlamaLogLevel } from 'node-llama-cpp';
import { createInProcessModel } from '../src/providers/inProcess/model';
import { DEFAULT_IN_PROCESS_MODEL } from '../src/providers/weights/catalogue';
import { locateWeights } from '../src/providers/weights/inProcessModels';

const MAX_TOKENS = 24;
const MIN_RATIO = 4;
const PROMPT =
  'A patient of 45 with chest pain and a normal electrocardiogram asks whether he may go home and wait until Monday. Answer the patient in one or two sentences.';
const root = path.resolve(import.meta.dirname, '..');

interface Row {
  mode: string;
  seconds: number;
  tokens: number | null;
  /** CPU time, which other programs disturb little; null where it cannot be read. */
  cpuSeconds: number | null;
}

/** CPU seconds of this process and its children named like the in-process child (Linux). */
function cpuSeconds(): number | null {
  if (process.platform !== 'linux') return null;
  const own = process.cpuUsage();
  let total = (own.user + own.system) / 1e6;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
      if (Number(fields[1]) !== process.pid) continue;
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('inProcessChild')) continue;
      total += (Number(fields[11]) + Number(fields[12])) / 100;
    } catch {
      // Ended meanwhile.
    }
  }
  return total;
}

async function timed(mode: string, work: () => Promise<number | null>): Promise<Row> {
  const startMs = performance.now();
  const cpuBefore = cpuSeconds();
  const tokens = await work();
  const cpuAfter = cpuSeconds();
  return {
    mode,
    tokens,
    seconds: (performance.now() - startMs) / 1000,
    cpuSeconds: cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore,
  };
}

async function lockstep(modelPath: string, samples: number, threads: number): Promise<Row> {
  execFileSync('npx', ['tsx', 'scripts/build.ts', 'inProcessChild'], { cwd: root });
  const model = createInProcessModel({
    id: 'local:bench',
    modelPath,
    digest: null,
    childPath: path.join(root, 'dist/inProcessChild.cjs'),
    clock: { nowMs: Date.now },
    threads,
  });
  const { signal } = new AbortController();
  const ask = async (content: string, count: number) => {
    let tokens = 0;
    await model.sample({
      messages: [{ role: 'user', content }],
      options: { temperature: 1, topP: 1, maxTokens: MAX_TOKENS },
      seeds: Array.from({ length: count }, (_, i) => i),
      signal,
      onReply: (reply) => (tokens += reply.completionTokens ?? 0),
    });
    return tokens;
  };
  await model.open(signal);
  // Makes the context, and leaves another prompt in it.
  await ask('Hello.', 1);
  const row = await timed('in process, lockstep', () => ask(PROMPT, samples));
  await model.close();
  return row;
}

async function oneByOne(modelPath: string, samples: number, threads: number): Promise<Row[]> {
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
    maxThreads: threads,
  });
  const model = await llama.loadModel({ modelPath, gpuLayers: 0 });
  const template = model.fileInfo.metadata.tokenizer.chat_template!;
  const chatWrapper = new JinjaTemplateChatWrapper({ template, tokenizer: model.tokenizer });
  // As the library documents it for sampling without cuts.
  const options = { temperature: 1, topK: 0, topP: 1, minP: 0 };

  const naive = await timed('new context and LlamaChatSession per sample', async () => {
    for (let seed = 0; seed < samples; seed++) {
      const context = await model.createContext({ contextSize: 512 });
      const session = new LlamaChatSession({
        contextSequence: context.getSequence(),
        chatWrapper,
        systemPrompt: undefined,
      });
      await session.prompt(PROMPT, { ...options, seed, maxTokens: MAX_TOKENS });
      await context.dispose();
    }
    return null;
  });

  const { contextText } = chatWrapper.generateContextState({
    chatHistory: [
      { type: 'user', text: PROMPT },
      { type: 'model', response: [] },
    ],
  });
  const prompt = contextText.tokenize(model.tokenizer);
  const context = await model.createContext({ contextSize: 512 });
  const sequence = context.getSequence();
  const kept = await timed('one sequence, prompt kept', async () => {
    let tokens = 0;
    for (let seed = 0; seed < samples; seed++) {
      const from = Math.min(sequence.compareContextTokens(prompt).firstDifferentIndex, prompt.length - 1);
      await sequence.eraseContextTokenRanges([{ start: from, end: sequence.nextTokenIndex }]);
      let made = 0;
      for await (const _ of sequence.evaluate(prompt.slice(from), { ...options, seed })) {
        if (++made >= MAX_TOKENS) break;
      }
      tokens += made;
    }
    return tokens;
  });
  await llama.dispose();
  return [naive, kept];
}

/** Of several rounds, the one that other programs disturbed least. */
const best = (rows: (Row | null)[]): Row | null =>
  rows.reduce((a, b) => (a === null || b === null || a.seconds <= b.seconds ? a : b));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function ollama(modelPath: string, samples: number, threads: number): Promise<Row | null> {
  const binary = path.join(os.homedir(), '.cache/evenkeel-dev/ollama/bin/ollama');
  if (!existsSync(binary)) return null;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'evenkeel-bench-'));
  const host = `127.0.0.1:${await freePort()}`;
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    OLLAMA_HOST: host,
    OLLAMA_MODELS: path.join(folder, 'models'),
    OLLAMA_NO_CLOUD: '1',
    OLLAMA_NUM_PARALLEL: '1',
  };
  const server: ChildProcess = spawn(binary, ['serve'], { env, stdio: 'ignore' });
  try {
    for (let i = 0; i < 100; i++) {
      if (
        await fetch(`http://${host}/api/version`).then(
          () => true,
          () => false,
        )
      )
        break;
      await sleep(100);
    }
    const modelfile = path.join(folder, 'Modelfile');
    writeFileSync(modelfile, `FROM ${modelPath}\nPARAMETER num_thread ${threads}\n`);
    execFileSync(binary, ['create', 'bench', '-f', modelfile], { env, stdio: 'ignore' });
    const ask = async (content: string, seed: number) => {
      const response = await fetch(`http://${host}/api/chat`, {
        method: 'POST',
        body: JSON.stringify({
          model: 'bench',
          stream: false,
          messages: [{ role: 'user', content }],
          options: { temperature: 1, top_k: 0, top_p: 1, num_predict: MAX_TOKENS, num_ctx: 512, seed },
        }),
      });
      if (!response.ok) throw new Error(`Ollama said ${response.status}`);
      return ((await response.json()) as { eval_count: number }).eval_count;
    };
    await ask('Hello.', 0);
    const row = await timed('Ollama, same weights, one by one', async () => {
      let tokens = 0;
      for (let seed = 0; seed < samples; seed++) tokens += await ask(PROMPT, seed);
      return tokens;
    });
    return { ...row, cpuSeconds: null };
  } finally {
    server.kill();
    await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve(null)));
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      model: { type: 'string', default: DEFAULT_IN_PROCESS_MODEL },
      samples: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '2' },
      // The same for all, so that the ratio says nothing about threads.
      threads: { type: 'string', default: String(Math.max(1, os.availableParallelism() - 1)) },
    },
  });
  const samples = Number(values.samples);
  const threads = Number(values.threads);
  const cacheDir =
    process.env.EVENKEEL_CACHE_DIR ??
    path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'evenkeel');
  const { modelPath } = await locateWeights({
    id: values.model,
    cacheDir,
    workingDir: process.cwd(),
    signal: new AbortController().signal,
  });
  const rounds: (Row | null)[][] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const fast = await lockstep(modelPath, samples, threads);
    rounds.push([
      fast,
      ...(await oneByOne(modelPath, samples, threads)),
      await ollama(modelPath, samples, threads),
    ]);
  }
  const [fast, naive, kept, server] = [0, 1, 2, 3].map((mode) => best(rounds.map((round) => round[mode]!)));
  const rows = [fast!, naive!, kept!, server!].filter((row) => row !== null);

  console.log(
    `${values.model}, k = ${samples}, at most ${MAX_TOKENS} tokens, T = 1, threads ${threads}, best of ${values.rounds} rounds, load ${os.loadavg()[0]!.toFixed(1)}`,
  );
  for (const row of rows) {
    const perSecond = (samples / row.seconds).toFixed(2);
    const tokens = row.tokens === null ? '' : `, ${(row.tokens / row.seconds).toFixed(0)} tokens/s`;
    const cpu = row.cpuSeconds === null ? '' : `, ${row.cpuSeconds.toFixed(1)} CPU s`;
    const ratio = (row.seconds / fast!.seconds).toFixed(1);
    console.log(
      `  ${row.mode.padEnd(44)} ${row.seconds.toFixed(1).padStart(6)} s  ${perSecond.padStart(5)} samples/s  (lockstep is ${ratio} ×)${tokens}${cpu}`,
    );
  }
  if (server === null) console.log('  Ollama: not installed in the test set-up, skipped');
  const wall = naive!.seconds / fast!.seconds;
  const cpu = (naive!.cpuSeconds ?? NaN) / (fast!.cpuSeconds ?? NaN);
  // On a machine busy with other work, who was scheduled when decides the wall time.
  const busy = os.loadavg()[0]! > os.availableParallelism() + 1;
  const met = wall >= MIN_RATIO || (busy && cpu >= MIN_RATIO);
  console.log(
    `${wall.toFixed(1)} × naive sessions by time, ${cpu.toFixed(1)} × by CPU time${busy ? ' (busy machine: CPU time counts)' : ''}; at least ${MIN_RATIO} wanted: ${met ? 'met' : 'MISSED'}`,
  );
  return met ? 0 : 1;
}
