/** Fault injection: an embedding worker that answers each text by what the text says. */
import { parentPort, threadId } from 'node:worker_threads';

const DIM = 384;
const unit = () => Float32Array.from({ length: DIM }, (_, i) => (i === 0 ? 1 : 0));
const faults = {
  zero: () => new Float32Array(DIM),
  NaN: () => new Float32Array(DIM).fill(NaN),
  short: () => new Float32Array(DIM - 1).fill(0.05),
  crash: () => process.exit(3),
  throw: () => {
    throw new Error('out of luck');
  },
};

parentPort.on('message', (message) => {
  if (message.type !== 'embed') return;
  const rows = message.texts.map((text) => (faults[text] ?? unit)());
  const vectors = Float32Array.from(rows.flatMap((row) => [...row]));
  // `unknown` carries the thread's number, so that a test can tell one start from the next.
  const unknown = rows.map(() => threadId);
  parentPort.postMessage({
    type: 'done',
    id: message.id,
    vectors,
    unknown,
    truncated: rows.map(() => false),
  });
});
