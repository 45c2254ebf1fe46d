import { Worker } from 'node:worker_threads';
import type { Tester } from '../engine/ports';
import type { StatsMessage, StatsRequest, StatsTaskName, StatsTasks } from './statsTasks';

interface TesterDeps {
  /** The built worker, dist/statsWorker.cjs. */
  workerPath: string;
  /** Threads at most; each does one task at a time, so results do not depend on it. */
  workers?: number;
}

interface Task {
  request: StatsRequest;
  onProgress: ((share: number) => void) | undefined;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Statistics in worker threads, started at first use. An aborted task ends its thread at once (no loop has to look at a
 * flag) and rejects with the signal's reason; the next task starts a new one. Wrong arguments reject with RangeError.
 */
export function createTester({ workerPath, workers = 1 }: TesterDeps): Tester {
  const waiting: Task[] = [];
  const idle: Worker[] = [];
  const running = new Map<Worker, Task>();
  let nextId = 0;
  let closed = false;

  function startWaiting(): void {
    while (waiting.length > 0 && running.size < workers) {
      const task = waiting.shift()!;
      const worker = idle.pop() ?? startWorker();
      running.set(worker, task);
      worker.ref();
      worker.postMessage(task.request);
    }
  }

  function startWorker(): Worker {
    const worker = new Worker(workerPath);
    worker.on('message', (message: StatsMessage) => {
      const task = running.get(worker);
      if (task === undefined || task.request.id !== message.id) return;
      if (message.type === 'progress') {
        task.onProgress?.(message.share);
        return;
      }
      release(worker);
      if (message.type === 'result') task.resolve(message.result);
      else task.reject(errorOf(message.name, message.message));
      startWaiting();
    });
    worker.on('error', (error) => drop(worker, error));
    worker.on('exit', (code) => drop(worker, new Error(`the statistics worker ended with code ${code}`)));
    return worker;
  }

  function release(worker: Worker): void {
    running.delete(worker);
    idle.push(worker);
    // An idle thread must not keep a command line alive.
    worker.unref();
  }

  /** Forgets a thread that is gone and fails what it was doing. */
  function drop(worker: Worker, error: unknown): void {
    const at = idle.indexOf(worker);
    if (at >= 0) idle.splice(at, 1);
    const task = running.get(worker);
    running.delete(worker);
    task?.reject(error);
    startWaiting();
  }

  function run<Name extends StatsTaskName>(
    name: Name,
    input: Parameters<StatsTasks[Name]>[0],
    { signal, onProgress }: { signal: AbortSignal; onProgress?: (share: number) => void },
  ): Promise<ReturnType<StatsTasks[Name]>> {
    return new Promise<unknown>((resolve, reject) => {
      if (closed) throw new Error('the tester is closed');
      signal.throwIfAborted();
      const abort = () => {
        const at = waiting.indexOf(task);
        if (at >= 0) waiting.splice(at, 1);
        const thread = [...running].find(([, current]) => current === task)?.[0];
        const rejectNow = () => finish(reject)(signal.reason);
        if (thread === undefined) rejectNow();
        else {
          // Rejects once the thread has stopped, so that the caller knows the processor to be free.
          running.delete(thread);
          void thread.terminate().finally(rejectNow);
        }
        startWaiting();
      };
      const finish = (settle: (value: unknown) => void) => (value: unknown) => {
        signal.removeEventListener('abort', abort);
        settle(value);
      };
      const request = { id: nextId++, task: name, input };
      const task: Task = { request, onProgress, resolve: finish(resolve), reject: finish(reject) };
      signal.addEventListener('abort', abort, { once: true });
      waiting.push(task);
      startWaiting();
    }) as Promise<ReturnType<StatsTasks[Name]>>;
  }

  return {
    differenceTest: (input, options) => run('differenceTest', input, options),
    noiseFloor: (input, options) => run('noiseFloor', input, options),
    minimumDetectable: (input, options) => run('minimumDetectable', input, options),
    driftTest: (input, options) => run('driftTest', input, options),
    compositeTest: (input, options) => run('compositeTest', input, options),
    async close() {
      closed = true;
      const error = new Error('the tester is closed');
      for (const task of waiting.splice(0)) task.reject(error);
      const threads = [...idle.splice(0), ...running.keys()];
      for (const task of running.values()) task.reject(error);
      running.clear();
      await Promise.all(threads.map((worker) => worker.terminate()));
    },
  };
}

function errorOf(name: string, message: string): Error {
  return name === 'RangeError' ? new RangeError(message) : new Error(message);
}
