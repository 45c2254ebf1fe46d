import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { UserError } from '../contracts/userError';
import type { Embedder } from '../engine/ports';
import { EMBEDDING_DIM } from './embedBatches';
import type { EmbedWorkerData, FromEmbedWorker, ToEmbedWorker } from './embedProtocol';
import { SENTENCE_ENCODER } from './encoderFiles';

export interface EmbedderOptions {
  /** The built dist/embedWorker.cjs. */
  workerPath: string;
  /** Folder with the files of SENTENCE_ENCODER (media/models). */
  modelDir: string;
  /** Folder with ort-wasm-simd-threaded.wasm and .mjs (dist/ort). */
  ortDir: string;
  /** Threads of the WASM runtime; half the cores, 4 at most, by default. Vectors do not depend on it. */
  threads?: number;
  /** The worker, and its 600 MB, goes away after this long without work. */
  idleMs?: number;
}

interface Embedded {
  vectors: Float32Array;
  unknown: number[];
  truncated: boolean[];
}

interface Pending {
  resolve: (result: Embedded) => void;
  reject: (error: UserError) => void;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * The sentence encoder in a worker thread of its own: started by the first text, ended when idle or closed, and
 * started anew by the next text after a crash. Each distinct text is embedded once; progress counts distinct texts.
 *
 * `embed` rejects with UserError: `cancelled` at once on abort (the worker stops at its next batch),
 * `weightsUnavailable` or `weightsDamaged` when a file is not as shipped, `embedderFailed` otherwise.
 */
export function createEmbedder(options: EmbedderOptions): Embedder {
  const {
    workerPath,
    modelDir,
    ortDir,
    threads = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2))),
    idleMs = 60_000,
  } = options;
  const pending = new Map<number, Pending>();
  let worker: Worker | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let lastId = 0;

  const start = (): Worker => {
    const data: EmbedWorkerData = { modelDir, ortDir, threads };
    // No flags and no environment of the host: it needs neither, and the environment may hold keys.
    const started = new Worker(workerPath, { workerData: data, execArgv: [], env: {} });
    const lost = (detail: string, cause?: unknown) => {
      if (worker === started) end(workerLost(detail, cause));
    };
    started.on('message', (message: FromEmbedWorker) => {
      if (worker === started) receive(message);
    });
    started.on('error', (error) => lost(error.message, error));
    started.on('exit', (code) => lost(`it stopped with exit code ${code}`));
    return started;
  };

  const end = (reason: UserError): Promise<unknown> => {
    const ended = worker;
    worker = null;
    clearTimeout(idleTimer);
    for (const { reject } of pending.values()) reject(reason);
    pending.clear();
    return ended?.terminate() ?? Promise.resolve();
  };

  const receive = (message: FromEmbedWorker) => {
    if (message.type === 'failed') {
      const { code, message: text, hint } = message.error;
      void end(new UserError(code, text, hint));
    } else if (message.type === 'progress') {
      pending.get(message.id)?.onProgress?.(message.done, message.total);
    } else {
      pending.get(message.id)?.resolve(message);
    }
  };

  const restWhenIdle = () => {
    if (pending.size > 0 || worker === null) return;
    worker.unref();
    idleTimer = setTimeout(() => void end(cancelledError()), idleMs).unref();
  };

  const embedDistinct = async (
    texts: string[],
    signal: AbortSignal,
    onProgress: Pending['onProgress'],
  ): Promise<Embedded> => {
    clearTimeout(idleTimer);
    const target = (worker ??= start());
    target.ref();
    const id = ++lastId;
    const post = (message: ToEmbedWorker) => target.postMessage(message);
    const onAbort = () => {
      post({ type: 'cancel', id });
      pending.get(id)?.reject(cancelledError(signal.reason));
    };
    try {
      return await new Promise<Embedded>((resolve, reject) => {
        pending.set(id, { resolve, reject, onProgress });
        signal.addEventListener('abort', onAbort, { once: true });
        post({ type: 'embed', id, texts });
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
      pending.delete(id);
      restWhenIdle();
    }
  };

  return {
    id: SENTENCE_ENCODER.id,
    // The worker refuses other weights, so this is what runs.
    digest: SENTENCE_ENCODER.weights.sha256,
    async embed(texts, { signal, onProgress }) {
      if (signal.aborted) throw cancelledError(signal.reason);
      const rowOf = new Map<string, number>();
      for (const text of texts) if (!rowOf.has(text)) rowOf.set(text, rowOf.size);
      const distinct = [...rowOf.keys()];
      const embedded =
        distinct.length === 0
          ? { vectors: new Float32Array(), unknown: [], truncated: [] }
          : await embedDistinct(distinct, signal, onProgress);
      const rows = texts.map((text) => rowOf.get(text)!);
      const vectors = new Float32Array(texts.length * EMBEDDING_DIM);
      rows.forEach((row, index) => {
        const vector = embedded.vectors.subarray(row * EMBEDDING_DIM, (row + 1) * EMBEDDING_DIM);
        refuseUnusable(vector, index);
        vectors.set(vector, index * EMBEDDING_DIM);
      });
      return {
        vectors,
        dim: EMBEDDING_DIM,
        unknown: rows.map((row) => embedded.unknown[row]!),
        truncated: rows.map((row) => embedded.truncated[row]!),
      };
    },
    async close() {
      await end(cancelledError());
    },
  };
}

/** Distances of anything but unit vectors are meaningless, and a meaningless number looks like any other. */
function refuseUnusable(vector: Float32Array, index: number): void {
  const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  if (vector.length === EMBEDDING_DIM && Math.abs(norm - 1) < 1e-3) return;
  const fault =
    vector.length < EMBEDDING_DIM
      ? `it has ${vector.length} of ${EMBEDDING_DIM} numbers`
      : `its length is ${norm} instead of 1`;
  throw new UserError(
    'embedderFailed',
    `The sentence encoder gave no usable vector for text ${index}: ${fault}.`,
    'Run the check again; if it repeats, run `evenkeel doctor`.',
  );
}

const workerLost = (detail: string, cause: unknown) =>
  new UserError(
    'embedderFailed',
    `The sentence encoder's thread ended: ${detail}.`,
    'Run the check again: it starts anew, and samples are kept. If it repeats, free some memory (it needs about 650 MB) or reinstall Evenkeel.',
    { cause },
  );

const cancelledError = (cause?: unknown) =>
  new UserError('cancelled', 'Embedding was cancelled.', 'Run the check again to go on.', { cause });
