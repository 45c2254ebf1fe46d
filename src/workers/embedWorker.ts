/** Worker thread: holds the sentence encoder and embeds what its client (embedder.ts) sends. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { UserError } from '../contracts/userError';
import { embedInBatches } from './embedBatches';
import type { EmbedWorkerData, FromEmbedWorker, ToEmbedWorker } from './embedProtocol';
import { loadWasmEncoder } from './wasmEncoder';

const port = parentPort!;
const send = (message: FromEmbedWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

const cancelled = new Set<number>();
const loading = loadWasmEncoder(workerData as EmbedWorkerData);
let queue: Promise<void> = loading.then(() => undefined).catch(fail);

port.on('message', (message: ToEmbedWorker) => {
  if (message.type === 'cancel') cancelled.add(message.id);
  else queue = queue.then(() => embed(message.id, message.texts)).catch(fail);
});

async function embed(id: number, texts: string[]): Promise<void> {
  const { encode, runBatch } = await loading;
  const encoded = texts.map(encode);
  const goOn = async () => {
    // Lets a waiting `cancel` in: computing has blocked this thread.
    await nextTurn();
    return !cancelled.has(id);
  };
  const vectors = (await goOn())
    ? await embedInBatches(encoded, runBatch, (done) => {
        send({ type: 'progress', id, done, total: texts.length });
        return goOn();
      })
    : null;
  cancelled.delete(id);
  if (vectors === null) return;
  const unknown = encoded.map((text) => text.unknown);
  const truncated = encoded.map((text) => text.truncated);
  send({ type: 'done', id, vectors, unknown, truncated }, [vectors.buffer as ArrayBuffer]);
}

function fail(error: unknown): void {
  const { code, message, hint } =
    error instanceof UserError
      ? error
      : new UserError(
          'embedderFailed',
          `The sentence encoder failed: ${error instanceof Error ? error.message : String(error)}`,
          'Run the check again; if it repeats, run `evenkeel doctor`.',
        );
  send({ type: 'failed', error: { code, message, hint } });
}
