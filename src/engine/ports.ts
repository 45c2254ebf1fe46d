/**
 * What the engine needs from the world. Adapters live in `providers`, `store` and `workers`;
 * the composition roots (`cli`, `extension`) put them together. The engine imports nothing else of the world.
 */
import type { BatchNote } from '../contracts/batchNote';
import type { FlipsAnswer, FlipsPlan, FlipsReasoned, FlipsRecord } from '../contracts/flipsRecord';
import type {
  CompositeResult,
  MinimumDetectableEffect,
  ModelIdentity,
  NoiseFloor,
  Outcome,
  RunRecord,
  Sample,
  TokenProbability,
} from '../contracts/runRecord';
import type { RunRequest } from '../contracts/runRequest';
import type { CompositeTestInput } from '../stats/compositeTest';
import type { DriftTestInput, DriftTestResult } from '../stats/driftTest';
import type { DifferenceTestInput, DifferenceTestResult } from '../stats/differenceTest';
import type { MinimumDetectableInput } from '../stats/minimumDetectable';

export interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface SamplingOptions {
  /** 0 or more; 1 samples the model's own distribution. */
  temperature: number;
  /** (0, 1]; 1 switches nucleus sampling off. */
  topP: number;
  /** Tokens generated at most, at least 1. */
  maxTokens: number;
  /** Generation stops before any of these texts. */
  stop?: string[];
  /** JSON schema for the reply, where the provider can enforce one. */
  schema?: Record<string, unknown>;
  /** How many first-token alternatives to return (0 = none). Probabilities are of the untempered model. */
  firstTokenTop?: number;
}

/** One reply, whatever became of it. A provider never throws for a failed reply: the outcome says it. */
export interface Reply {
  seed: number;
  outcome: Outcome;
  text: string;
  thinking?: string;
  /** As the provider words it: `stop`, `length`, … */
  finishReason: string | null;
  promptTokens: number | null;
  completionTokens: number | null;
  latencyMs: number;
  startedAtMs: number;
  firstToken?: TokenProbability[];
  /** What the server says it ran for this answer. */
  fingerprint?: string;
  /** It was given in an earlier run and kept; its figures are those of then. */
  cached?: boolean;
  /** One answer of a request for several: the seed of that request, and which of its answers. Absent: asked for alone, with `seed`. */
  drawn?: { seed: number; choice: number };
  /** `fatal`: every other request would meet the same, e.g. a refused key. Never part of a record. */
  error?: { code: string; message: string; fatal?: boolean };
}

export interface SampleRequest {
  messages: Message[];
  options: SamplingOptions;
  /** One reply per seed; the same seed gives the same reply (same model, machine and batch shape) in process. */
  seeds: number[];
  signal: AbortSignal;
  /** Called as soon as a reply is complete, once per seed, in any order. */
  onReply: (reply: Reply, indexInSeeds: number) => void;
  /** Another model, or another build of it, answers now; in words. */
  onModelChanged?: (what: string) => void;
  /** Something that a person must know about these replies, e.g. an option that the server does not take. Once each. */
  onWarning?: (message: string) => void;
}

/** Where a run notes down the batches that it handed over, before it waits for them. */
export interface BatchJournal {
  /** Oldest first; of the same file the last one counts. */
  read(): Promise<BatchNote[]>;
  /** Resolves when it is on disk. */
  append(note: BatchNote): Promise<void>;
}

export interface BatchWork {
  /** Aborting cancels the batches at the server. */
  signal: AbortSignal;
  journal: BatchJournal;
  /** Requests that the server has answered, of those that it was given. */
  onProgress?: (done: number, total: number) => void;
}

export interface Model {
  readonly id: string;
  /**
   * How many replies of one prompt it produces together at best (in process: sequences decoded in lockstep;
   * servers: 1, and more only once `open` has seen that it can), and how many requests it may be given side by side:
   * for servers a bound, how many are sent is measured.
   */
  readonly batch: number;
  readonly concurrency: number;
  /** SHA-256 of the weights, where it is known before `open`: answers that are kept then need no model in memory. */
  readonly weights?: string;
  /**
   * Loads or contacts the model. Throws UserError when it cannot be used at all. Idempotent; after replies it tells
   * what the server says it ran (some name model and fingerprint only then).
   */
  open(signal: AbortSignal): Promise<ModelIdentity>;
  /** What would answer now, asked anew; left out where it cannot have changed. */
  identityNow?(signal: AbortSignal): Promise<ModelIdentity>;
  /** Of what will be asked, the longest: where a context is set aside, it then has one size for the whole run. */
  expectLongest?(request: Pick<SampleRequest, 'messages' | 'options'>): void;
  /** Tokens of the conversation as the model sees it; null when the provider cannot tell. */
  countTokens(messages: Message[], signal: AbortSignal): Promise<number | null>;
  /** Resolves when every seed has had its onReply, cancelled ones included. Throws UserError when nothing can go on. */
  sample(request: SampleRequest): Promise<void>;
  /**
   * The same for all requests of a run as one job of the server, done within a day and for less; missing where there is no
   * such thing. Goes on with what the journal holds. The requests' own signals are not looked at.
   */
  sampleBatch?(requests: SampleRequest[], work: BatchWork): Promise<void>;
  close(): Promise<void>;
}

export interface Embedder {
  readonly id: string;
  /** SHA-256 of the weights. */
  readonly digest: string;
  /**
   * Row i of `vectors` (texts.length × dim, row-major) is the unit vector of text i; equal texts get equal rows.
   * `unknown[i]`: share of its tokens that the vocabulary lacks. `truncated[i]`: it was longer than the encoder reads.
   */
  embed(
    texts: string[],
    options: { signal: AbortSignal; onProgress?: (done: number, total: number) => void },
  ): Promise<{ vectors: Float32Array; dim: number; unknown: number[]; truncated: boolean[] }>;
  close(): Promise<void>;
}

export interface EmbeddedText {
  vector: Float32Array;
  unknown: number;
  truncated: boolean;
}

/** Vectors kept from earlier runs, on disk. Neither rejects. */
export interface VectorCache {
  get(key: string): Promise<EmbeddedText | null>;
  put(key: string, text: EmbeddedText): Promise<void>;
}

export interface TestOptions {
  signal: AbortSignal;
  /** Share done, 0 … 1. */
  onProgress?: (share: number) => void;
}

/** Runs the statistics off the caller's thread. An aborted call rejects with the signal's reason once its thread has stopped, within 50 ms. */
export interface Tester {
  differenceTest(input: DifferenceTestInput, options: TestOptions): Promise<DifferenceTestResult>;
  /** Of the first n0 rows; null without an embedder or with fewer than 4 outputs. */
  noiseFloor(input: DifferenceTestInput, options: TestOptions): Promise<NoiseFloor | null>;
  /** Of the first n0 rows; null without an embedder or with fewer than 4 outputs. */
  minimumDetectable(
    input: MinimumDetectableInput,
    options: TestOptions,
  ): Promise<MinimumDetectableEffect | null>;
  driftTest(input: DriftTestInput, options: TestOptions): Promise<DriftTestResult>;
  /** Does the last query belong to the family of the others? */
  compositeTest(input: CompositeTestInput, options: TestOptions): Promise<CompositeResult>;
  close(): Promise<void>;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

/** Answers kept from earlier runs, on disk, for every window and command line. */
export interface SampleCache {
  /** Null where there is none, or where it is damaged (it is dropped then). Never rejects. */
  get(key: string): Promise<Reply | null>;
  /** Resolves when the reply is on disk, with null; or with why it cannot be kept, in words. Never rejects. */
  put(key: string, reply: Reply, modelId: string): Promise<string | null>;
  /** What a model was when it was last opened. */
  getIdentity(key: string): Promise<ModelIdentity | null>;
  putIdentity(key: string, identity: ModelIdentity): Promise<void>;
}

/** Keeps what was paid for. `appendSample` returns only when the sample is on disk. */
export interface RunStore {
  begin(runId: string): Promise<void>;
  /** Keeps what the run was asked to do, so that it can go on after a stop or a crash. */
  keepRequest(request: RunRequest): Promise<void>;
  /** @throws UserError `fileNotFound` where no such run was begun */
  readRequest(runId: string): Promise<RunRequest>;
  appendSample(runId: string, sample: Sample): Promise<void>;
  /** Samples of a run in the order in which they were kept, also of one that never came to its end. */
  readSamples(runId: string): Promise<Sample[]>;
  batchJournal(runId: string): BatchJournal;
  finish(record: RunRecord): Promise<void>;
  /** Lets go of the run's file, however it ended. */
  close(runId: string): Promise<void>;
  read(runId: string): Promise<RunRecord>;
  /** Newest first. */
  list(): Promise<{ id: string; finishedAt: string; path: string }[]>;
}

/** Keeps flips runs, beside the others and in the same way: what was paid for is on disk before it counts. */
export interface FlipsStore {
  /** Begins a run, or takes one up again. Returns its plan as first begun and the answers kept since, oldest first. */
  begin(plan: FlipsPlan, model: ModelIdentity): Promise<BegunFlips>;
  /** Returns when the answer is on disk. */
  append(runId: string, answer: FlipsAnswer): Promise<void>;
  /** The same of a reasoning and what was made of it. */
  appendReasoned(runId: string, reasoned: FlipsReasoned): Promise<void>;
  finish(record: FlipsRecord): Promise<void>;
  /** Lets go of the run's file, however it ended. */
  close(runId: string): Promise<void>;
  /** @throws UserError `fileNotFound` where no such run was begun */
  readPlan(runId: string): Promise<FlipsPlan>;
  /** A run that has come to an end, also a cancelled one. */
  read(runId: string): Promise<FlipsRecord>;
  /** Runs that `read` gives, newest first. */
  list(): Promise<{ id: string; finishedAt: string }[]>;
}

export interface BegunFlips {
  plan: FlipsPlan;
  model: ModelIdentity;
  answers: FlipsAnswer[];
  reasoned: FlipsReasoned[];
}
