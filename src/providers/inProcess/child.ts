/**
 * Entry of the child process that holds the in-process model (bundled to dist/inProcessChild.cjs).
 * A process of its own, because native code that crashes, or is stopped in the middle, takes its whole process along.
 */
import { rmSync } from 'node:fs';
import os from 'node:os';
import type { Llama, LlamaModel, Token } from 'node-llama-cpp';
import { toUserError, UserError } from '../../contracts/userError';
import type { ChildMessage, ChildRequest, OpenParams, OpenResult, SampleParams } from './childProtocol';
import { createRenderer } from './conversation';
import { createGrammar } from './grammar';
import { sampleInLockstep } from './lockstep';
import { loadNativePart, loadWeights, type NativeModule } from './nativePart';
import { createSequencePool } from './sequencePool';
import { cpuQuota, createThreadGovernor, readCpuTimes } from './threadGovernor';

interface Opened {
  library: NativeModule;
  llama: Llama;
  model: LlamaModel;
  render: ReturnType<typeof createRenderer>;
  pool: ReturnType<typeof createSequencePool>;
  adjustThreads: () => void;
}

class Stopped extends Error {}

let opened: Opened | null = null;
let stateDir: string | null = null;
const aborted = new Set<number>();
let running = -1;

const send = (message: ChildMessage) => process.send?.(message);

async function open(params: OpenParams): Promise<OpenResult> {
  stateDir = params.stateDir;
  const { library, llama, runtime } = await loadNativePart();
  const cores = Math.max(
    1,
    Math.floor(
      Math.min(llama.cpuMathCores, os.availableParallelism(), cpuQuota(), params.threads ?? Infinity),
    ),
  );
  const governor = createThreadGovernor({
    cores,
    machineCores: os.cpus().length,
    readTimes: readCpuTimes,
  });
  const model = await loadWeights(llama, params.modelPath);
  opened = {
    library,
    llama,
    model,
    render: createRenderer(library, model),
    pool: createSequencePool({
      model,
      parallel: params.parallel,
      stateDir: params.stateDir,
      maxThreads: cores,
      beforePiece: () => {
        if (aborted.has(running)) throw new Stopped();
        opened?.adjustThreads();
      },
    }),
    adjustThreads: () => {
      llama.maxThreads = params.threads === null ? governor.threads() : cores;
    },
  };
  const general = model.fileInfo.metadata.general;
  return {
    name: general.name ?? null,
    parameterSize: general.size_label ?? null,
    quantization: library.GgufFileType[general.file_type ?? -1]?.replace(/^MOSTLY_/, '') ?? null,
    contextLength: model.trainContextSize,
    runtime,
  };
}

function use(): Opened {
  if (opened === null) throw new Error('the model is not open');
  return opened;
}

function checkLength(tokens: Token[], maxTokens: number, trainedTokens: number): void {
  if (tokens.length + maxTokens + 1 <= trainedTokens) return;
  throw new UserError(
    'promptTooLong',
    `The prompt has ${tokens.length} tokens; with ${maxTokens} for the answer that is more than the ${trainedTokens} that this model can read.`,
    'Shorten the prompt or choose a model with a longer context.',
  );
}

/** The library's grammar of a schema lets line breaks follow the JSON without end, for this many as the sign to stop. */
const END_OF_JSON = '\n'.repeat(4);

async function sample(id: number, { messages, options, seeds }: SampleParams): Promise<void> {
  const { library, llama, model, render, pool, adjustThreads } = use();
  const conversation = render(messages);
  const { tokens, stop } = conversation;
  checkLength(tokens, options.maxTokens, model.trainContextSize);
  const isStopped = () => aborted.has(id);
  const grammar = options.schema === undefined ? null : await createGrammar(llama, options.schema);
  try {
    const sequences = await pool.prepare(conversation, options.maxTokens, seeds.length);
    await sampleInLockstep({
      library,
      model,
      grammar,
      sequences,
      rewind: pool.rewind,
      lastToken: tokens.at(-1)!,
      promptTokens: tokens.length,
      options,
      stop: grammar === null ? stop : { ...stop, texts: [...stop.texts, END_OF_JSON] },
      seeds,
      beforeStep: adjustThreads,
      isStopped,
      onReply: (reply) => send({ type: 'reply', id, reply }),
    });
  } catch (error) {
    // The parent makes cancelled replies of the seeds that have none.
    if (!(error instanceof Stopped)) throw error;
  }
}

async function answer(request: Exclude<ChildRequest, { type: 'abort' }>): Promise<unknown> {
  if (request.type === 'probe') return (await loadNativePart()).runtime;
  if (request.type === 'open') return open(request.params);
  if (request.type === 'count') return use().render(request.params.messages).tokens.length;
  return sample(request.id, request.params);
}

function leave(): void {
  if (stateDir !== null) rmSync(stateDir, { recursive: true, force: true });
  // An ordinary exit waits for native threads, and their destructors may abort.
  process.kill(process.pid, 'SIGKILL');
}

// One request at a time: the context is shared.
let queue = Promise.resolve();
process.on('message', (request: ChildRequest) => {
  if (request.type === 'abort') {
    aborted.add(request.id);
    return;
  }
  queue = queue.then(async () => {
    running = request.id;
    try {
      send({ type: 'done', id: request.id, result: await answer(request) });
    } catch (error) {
      const { code, message, hint } = toUserError(error);
      send({ type: 'failed', id: request.id, error: { code, message, hint } });
    } finally {
      aborted.delete(request.id);
    }
  });
});
process.on('disconnect', leave);
process.umask(0o077);
