import type { RunOptions, Sample } from '../contracts/runRecord';
import { createCircuit } from './circuit';
import type { RunHooks } from './events';
import type { Clock, Message, Model, RunStore, SampleRequest } from './ports';
import { splitKept, type Job } from './schedule';
import { toSample } from './toSample';

export interface Collected {
  samples: Sample[];
  /** Why sampling ended before the plan was fulfilled; null when it was. */
  stopped: { reason: 'cancelled' | 'failed'; error: unknown } | null;
}

/**
 * Asks the model for every planned answer. Each sample is on disk before it is counted.
 * Never rejects for a failing model: what was received is returned together with the reason.
 */
export async function collectSamples(
  deps: { model: Model; store: Pick<RunStore, 'appendSample'>; clock: Clock },
  run: {
    id: string;
    jobs: Job[];
    options: RunOptions;
    firstTokenTop: number;
    /** Of the first answer, where a run samples in several parts; the default is 0. */
    firstPosition?: number;
    /** Of an earlier part of the same run: not asked for again. */
    kept?: readonly Sample[];
  },
  hooks: RunHooks,
): Promise<Collected> {
  const { kept, left } = splitKept(run.jobs, run.kept ?? []);
  const samples: Sample[] = [...kept];
  const total = run.jobs.reduce((sum, job) => sum + job.seeds.length, 0);
  const startedMs = deps.clock.nowMs();
  const stop = new AbortController();
  const signal = AbortSignal.any([hooks.signal, stop.signal]);
  const writes = new Set<Promise<void>>();
  let failure: unknown = null;
  let position = Math.max(run.firstPosition ?? 0, ...kept.map((sample) => sample.position + 1));
  const circuit = createCircuit('The model');

  const fail = (error: unknown) => {
    failure ??= error;
    stop.abort();
  };
  const keep = async (sample: Sample) => {
    await deps.store.appendSample(run.id, sample);
    samples.push(sample);
    hooks.onEvent?.({ type: 'sample', sample });
    const elapsedMs = deps.clock.nowMs() - startedMs;
    hooks.onEvent?.({
      type: 'progress',
      phase: 'sampling',
      done: samples.length,
      total,
      secondsLeft: secondsLeft(samples.length - kept.length, total - kept.length, elapsedMs),
    });
  };

  const runJob = async (job: Job) => {
    if (signal.aborted) return;
    await deps.model.sample({
      ...requestOf(job, run.options, run.firstTokenTop),
      signal,
      onWarning: (message) => hooks.onEvent?.({ type: 'warning', message }),
      onReply: (reply, i) => {
        // A cancelled answer was never received; it is not a sample.
        if (reply.outcome === 'cancelled') return;
        const broken = circuit.note(reply);
        if (broken !== null) fail(broken);
        if (reply.error?.code === 'notSent') return;
        const sample = toSample(
          reply,
          { condition: job.condition, index: job.firstIndex + i, position: position++ },
          run.options,
        );
        const write = keep(sample)
          .catch(fail)
          .finally(() => writes.delete(write));
        writes.add(write);
      },
    });
    // Nothing further is asked for before this is on disk: what cannot be kept must not be paid for.
    await Promise.all(writes);
  };

  // So many at work as the model takes side by side, all on one list: the memory needed does not grow with it.
  const jobs = left.values();
  const work = async () => {
    for (const job of jobs) await runJob(job).catch(fail);
  };
  await Promise.all(Array.from({ length: Math.max(1, deps.model.concurrency) }, work));
  await Promise.all(writes);

  samples.sort((a, b) => a.position - b.position);
  if (samples.length === total) return { samples, stopped: null };
  if (failure !== null) return { samples, stopped: { reason: 'failed', error: failure } };
  return {
    samples,
    stopped: { reason: hooks.signal.aborted ? 'cancelled' : 'failed', error: hooks.signal.reason ?? null },
  };
}

/** What is asked for one job. */
export function requestOf(
  job: Job,
  options: RunOptions,
  firstTokenTop: number,
): Pick<SampleRequest, 'messages' | 'options' | 'seeds'> {
  return {
    messages: messagesFor(job.condition.rendered, options.system, job.condition.systemLine),
    options: {
      temperature: options.temperature,
      topP: options.topP,
      maxTokens: options.answerTokens,
      firstTokenTop,
    },
    seeds: job.seeds,
  };
}

export function messagesFor(rendered: string, system: string | null, systemLine?: string): Message[] {
  const user: Message = { role: 'user', content: rendered };
  const lines = [systemLine, system].filter((line) => line !== undefined && line !== null);
  return lines.length === 0 ? [user] : [{ role: 'system', content: lines.join('\n') }, user];
}

function secondsLeft(done: number, total: number, elapsedMs: number): number | null {
  // The first answers include loading the model; an estimate from them would jump.
  if (done < 5 || done >= total) return null;
  return ((elapsedMs / done) * (total - done)) / 1000;
}
