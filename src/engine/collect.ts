import type { RunOptions, RunRecord, Sample } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { budgetReached, createBudget, type Budget } from './budget';
import { createCircuit, isServerFailure, serverFailure } from './circuit';
import { MAX_FAILED_SHARE } from './defaults';
import type { RunHooks } from './events';
import type { Clock, Message, Model, Reply, RunStore, SampleRequest } from './ports';
import { splitKept, type Job } from './schedule';
import { toSample } from './toSample';

export interface Collected {
  samples: Sample[];
  /** Why sampling ended before the plan was fulfilled; null when it was. */
  stopped: { reason: 'cancelled' | 'failed' | 'budget'; error: unknown } | null;
  /** What the server said of another model that answered in mid-run, in words. */
  modelChanged: string | null;
}

/** A cap of the person's own is their stop as well. */
export const stateOf = (stopped: Collected['stopped']): RunRecord['state'] =>
  stopped === null ? 'complete' : stopped.reason === 'budget' ? 'cancelled' : stopped.reason;

/**
 * Asks the model for every planned answer. Each sample is on disk before it is counted.
 * Never rejects for a failing model: what was received is returned together with the reason.
 */
export async function collectSamples(
  deps: {
    model: Model;
    /** Without a journal nothing is asked in batches. */
    store: Pick<RunStore, 'appendSample'> & Partial<Pick<RunStore, 'batchJournal'>>;
    clock: Clock;
  },
  run: {
    id: string;
    jobs: Job[];
    options: RunOptions;
    firstTokenTop: number;
    /** Of the first answer, where a run samples in several parts; the default is 0. */
    firstPosition?: number;
    /** Of an earlier part of the same run: not asked for again. */
    kept?: readonly Sample[];
    /** What the run may spend, over all of its parts; no cap by default. */
    budget?: Budget;
  },
  hooks: RunHooks,
): Promise<Collected> {
  const { kept, left } = splitKept(run.jobs, run.kept ?? []);
  const samples: Sample[] = [...kept];
  const total = run.jobs.reduce((sum, job) => sum + job.seeds.length, 0);
  const startedMs = deps.clock.nowMs();
  const stop = new AbortController();
  const { budget = createBudget({}, null, () => deps.clock.nowMs()) } = run;
  const { timeLeftMs } = budget;
  const timeUp = timeLeftMs === null ? stop.signal : AbortSignal.timeout(Math.max(0, Math.ceil(timeLeftMs)));
  const signal = AbortSignal.any([hooks.signal, stop.signal, timeUp]);
  let cap: string | null = null;
  let modelChanged: string | null = null;
  const writes = new Set<Promise<void>>();
  let failure: unknown = null;
  const longest = longestOf(run.jobs);
  if (longest !== null) deps.model.expectLongest?.(requestOf(longest, run.options, run.firstTokenTop));
  const placeOf = firstPositions(run.jobs, run.firstPosition ?? 0);
  const circuit = createCircuit('The model');
  /** In a batch no failure comes after another: what counts is how many there were. */
  const batched = run.options.execution === 'batch';
  const serverFailures: Reply[] = [];

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

  /** The request for a job, within the caps; null where nothing further may be asked. */
  const begin = (job: Job): { request: SampleRequest; settle: () => void } | null => {
    if (signal.aborted) return null;
    const request = requestOf(job, run.options, run.firstTokenTop);
    const reserved = atMost(request);
    cap ??= budget.reserve(reserved);
    // Nothing further is begun; what is under way was paid for and is waited for.
    if (cap !== null) return null;
    const cost = { calls: 0, promptTokens: 0, answerTokens: 0 };
    const asked: SampleRequest = {
      ...request,
      signal,
      onWarning: (message) => hooks.onEvent?.({ type: 'warning', message }),
      onModelChanged: (what) => {
        modelChanged ??= what;
        hooks.onEvent?.({ type: 'warning', message: what });
      },
      onReply: (reply, i) => {
        // A cancelled answer was never received; it is not a sample.
        if (reply.outcome === 'cancelled') return;
        const broken = batched && reply.error?.fatal !== true ? null : circuit.note(reply);
        if (broken !== null) fail(broken);
        if (batched && isServerFailure(reply.outcome)) serverFailures.push(reply);
        if (reply.error?.code === 'notSent') return;
        if (reply.cached !== true) {
          cost.calls += 1;
          cost.promptTokens +=
            (reply.drawn?.choice ?? 0) > 0
              ? 0
              : (reply.promptTokens ?? reserved.promptTokens / job.seeds.length);
          cost.answerTokens += reply.completionTokens ?? run.options.answerTokens;
        }
        const sample = toSample(
          reply,
          { condition: job.condition, index: job.firstIndex + i, position: placeOf.get(job)! + i },
          run.options,
        );
        const write = keep(sample)
          .catch(fail)
          .finally(() => writes.delete(write));
        writes.add(write);
      },
    };
    return { request: asked, settle: () => budget.settle(reserved, cost) };
  };

  const runJob = async (job: Job) => {
    const begun = begin(job);
    if (begun === null) return;
    await deps.model.sample(begun.request);
    begun.settle();
    // Nothing further is asked for before this is on disk: what cannot be kept must not be paid for.
    await Promise.all(writes);
  };

  const runBatch = async () => {
    const journal = deps.store.batchJournal?.(run.id);
    if (deps.model.sampleBatch === undefined || journal === undefined) throw noBatches(deps.model.id);
    const begun = left.map(begin).filter((one) => one !== null);
    if (begun.length === 0) return;
    hooks.onEvent?.({
      type: 'warning',
      message: `Handed over as a batch, which may take a day. Where this ends before that: evenkeel resume ${run.id}`,
    });
    await deps.model.sampleBatch(
      begun.map(({ request }) => request),
      {
        signal,
        journal,
        onProgress: (done) =>
          hooks.onEvent?.({
            type: 'progress',
            phase: 'sampling',
            done: Math.min(total, samples.length + done),
            total,
            secondsLeft: null,
          }),
      },
    );
    for (const { settle } of begun) settle();
    const last = serverFailures.at(-1);
    if (last !== undefined && serverFailures.length > MAX_FAILED_SHARE * begun.length)
      fail(serverFailure(last, `The model failed ${serverFailures.length} of ${begun.length} times`));
  };

  // So many at work as the model takes side by side, all on one list: the memory needed does not grow with it.
  const jobs = left.values();
  const work = async () => {
    for (const job of jobs) await runJob(job).catch(fail);
  };
  if (batched) await runBatch().catch(fail);
  else await Promise.all(Array.from({ length: Math.max(1, deps.model.concurrency) }, work));
  await Promise.all(writes);

  samples.sort((a, b) => a.position - b.position);
  if (samples.length === total && failure === null) return { samples, modelChanged, stopped: null };
  if (failure !== null) return { samples, modelChanged, stopped: { reason: 'failed', error: failure } };
  if (!hooks.signal.aborted && timeLeftMs !== null && timeUp.aborted)
    cap ??= `${run.options.budget?.seconds} seconds`;
  if (cap !== null)
    return { samples, modelChanged, stopped: { reason: 'budget', error: budgetReached(cap) } };
  return {
    samples,
    modelChanged,
    stopped: { reason: hooks.signal.aborted ? 'cancelled' : 'failed', error: hooks.signal.reason ?? null },
  };
}

/** By characters: the tokens are not known yet. */
const longestOf = (jobs: Job[]): Job | null =>
  jobs.reduce<Job | null>(
    (longest, job) => (lengthOf(job) > (longest === null ? -1 : lengthOf(longest)) ? job : longest),
    null,
  );

const lengthOf = ({ condition: { rendered, systemLine = '' } }: Job): number =>
  rendered.length + systemLine.length;

/** Jobs are begun in their order, whatever the order in which they end: the same run has the same positions each time. */
function firstPositions(jobs: Job[], first: number): Map<Job, number> {
  let next = first;
  return new Map(
    jobs.map((job) => {
      const at = next;
      next += job.seeds.length;
      return [job, at];
    }),
  );
}

const noBatches = (modelId: string): UserError =>
  new UserError(
    'usage',
    `${modelId} takes no batches: only OpenAI and servers with its Batch API do.`,
    'Leave --execution batch out.',
  );

/** What a request may cost: prompts are read at about four characters a token, three to be on the safe side. */
function atMost({ messages, options, seeds }: ReturnType<typeof requestOf>) {
  const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
  return {
    calls: seeds.length,
    promptTokens: Math.ceil(characters / 3) * seeds.length,
    answerTokens: options.maxTokens * seeds.length,
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
