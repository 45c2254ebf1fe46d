/** Worker thread: one statistic at a time, off the caller's thread. Cancelling ends the thread. */
import { parentPort } from 'node:worker_threads';
import type { TestHooks } from '../stats/differenceTest';
import { createPairKernel } from '../stats/pairKernel';
import { statsTasks, type StatsMessage, type StatsRequest } from './statsTasks';

if (parentPort === null) throw new Error('statsWorker runs as a worker thread only');
const port = parentPort;
const kernel = createPairKernel();
const post = (message: StatsMessage) => port.postMessage(message);

port.on('message', ({ id, task, input }: StatsRequest) => {
  let reported = 0;
  const checkpoint = (share: number) => {
    if (share < reported + 0.02) return;
    reported = share;
    post({ id, type: 'progress', share });
  };
  try {
    const run = statsTasks[task] as (input: unknown, hooks: TestHooks) => unknown;
    post({ id, type: 'result', result: run(input, { checkpoint, kernel }) });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    post({ id, type: 'failure', name, message });
  }
});
