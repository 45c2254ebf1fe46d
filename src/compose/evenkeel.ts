/**
 * The product behind both composition roots: the command line and the extension each make one `Evenkeel`
 * from their own paths, environment and settings, and call nothing deeper.
 */
import type { Price } from '../contracts/budget';
import type { Perturbation, Plan, RunOptions, RunRecord, Span } from '../contracts/runRecord';
import type { RunHooks } from '../engine/events';
import type { RunStore } from '../engine/ports';
import type { Fetch } from '../providers/guardedFetch';
import type { ServerLimits } from '../providers/serverLimits';
import type { KeptAnswers } from '../store/sampleCache';
import type { Comparisons } from './comparisons';
import type { Edits } from './edits';
import type { Flips } from './flips';
import type { PerturbationSetHooks, PerturbationSetMade, PerturbationSetRequest } from './perturbationSet';

export interface EvenkeelPaths {
  /** Folder of the built workers (statsWorker.cjs, embedWorker.cjs, inProcessChild.cjs, ort/). */
  distDir: string;
  /** Folder with `models/` (sentence encoder). */
  mediaDir: string;
  /** The person's cache: weights, runs, speeds. Created when missing. */
  cacheDir: string;
}

export interface Endpoint {
  /** What ids start with: `<name>:<model>`. */
  name: string;
  /** e.g. `http://127.0.0.1:8000/v1`. */
  baseUrl: string;
  /** Bound to the origin of baseUrl; null for keyless servers. */
  apiKey: string | null;
  /** The person allows it over plain http to another machine. */
  keyOverHttp?: boolean;
  /** Where a person gives the key, as a sentence. */
  keyHint: string;
}

/** How servers are asked; what is left out is measured or has a default (`src/providers/serverLimits.ts`). */
export interface ServerOptions {
  /** Requests side by side at most. */
  concurrency?: number;
  /** Answers that one request asks for. */
  answersPerRequest?: number;
  limits?: Partial<Pick<ServerLimits, 'firstTokenMs' | 'totalMs'>>;
  /** Left out: that of the host (in the editor it knows proxies and certificates). */
  fetch?: Fetch;
}

export interface ModelListing {
  id: string;
  /** `ready`; `download`: in-process weights must be fetched first; `unavailable`: with the reason. */
  state: 'ready' | 'download' | 'unavailable';
  detail: string;
  sizeBytes: number | null;
  digest: string | null;
}

export interface CheckRequest {
  text: string;
  source: RunRecord['prompt']['source'];
  variables: Record<string, string>;
  modelId: string;
  seed: number;
  options?: Partial<RunOptions>;
  /** Overrides the list price. */
  price?: Price | undefined;
  /** How many perturbations at most; the default is 10. */
  limit?: number;
  /** The command that repeats the run with this seed. */
  reproduce: (seed: number) => string;
}

export interface PreparedCheck {
  request: CheckRequest;
  options: RunOptions;
  perturbations: Perturbation[];
  plan: Plan;
}

export interface DoctorLine {
  name: string;
  status: 'ok' | 'warning' | 'problem';
  detail: string;
  hint: string | null;
}

export interface Evenkeel {
  models(signal: AbortSignal): Promise<ModelListing[]>;
  /** Fetches the weights of an in-process model; nothing to do when they are there. */
  fetchWeights(
    modelId: string,
    hooks: { signal: AbortSignal; onProgress?: (doneBytes: number, totalBytes: number) => void },
  ): Promise<void>;
  /** Checks the input, makes the perturbations and the plan. Calls no model. UserError on bad input. */
  prepare(request: CheckRequest): Promise<PreparedCheck>;
  /** Variables of a prompt, in order of appearance, each with where it stands. */
  variablesOf(text: string): { name: string; spans: Span[] }[];
  /**
   * Runs a prepared check. A cancelled run resolves with what was received (`state: 'cancelled'`).
   * UserError when nothing could be measured at all; samples received before are in the store.
   */
  run(prepared: PreparedCheck, hooks: RunHooks): Promise<RunRecord>;
  /**
   * Goes on with a check that was stopped or killed: asks what is missing, in the same order and with the same seeds. A check
   * that has come to its end is only read. UserError when there is no such run, or the model is another one by now.
   */
  resume(runId: string, hooks: RunHooks): Promise<RunRecord>;
  /** A set of rated perturbations to be reviewed before anything is asked of the model under test. UserError on bad input. */
  perturbationSet(request: PerturbationSetRequest, hooks: PerturbationSetHooks): Promise<PerturbationSetMade>;
  runs: RunStore;
  /** Answers kept for later runs. */
  answers: KeptAnswers;
  /** Did an edit change the behaviour, and by more than a rewording? */
  edits: Edits;
  /** Which of several models is steadier? */
  comparisons: Comparisons;
  /** How easily answers flip. */
  flips: Flips;
  doctor(signal: AbortSignal): Promise<DoctorLine[]>;
  close(): Promise<void>;
}
