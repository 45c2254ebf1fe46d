/** What the parent (model.ts) and the forked child (child.ts) say to each other, over Node's IPC channel. */
import type { ErrorCode } from '../../contracts/userError';
import type { TokenProbability } from '../../contracts/runRecord';
import type { Message, SamplingOptions } from '../../engine/ports';

export interface OpenParams {
  modelPath: string;
  /** Folder of the child's own, mode 0700, for sequence states; the parent removes it when the child is gone. */
  stateDir: string;
  /** Sequences decoded in lockstep at most. */
  parallel: number;
  /** Fixed number of threads; null: as many as other processes leave free. */
  threads: number | null;
}

/** What the weights say about themselves. */
export interface OpenResult {
  name: string | null;
  parameterSize: string | null;
  quantization: string | null;
  contextLength: number | null;
  runtime: string;
}

export interface SampleParams {
  messages: Message[];
  options: SamplingOptions;
  seeds: number[];
}

/** One finished sequence. Time is the parent's business. */
export interface RawReply {
  /** Position in SampleParams.seeds. */
  index: number;
  text: string;
  finishReason: 'stop' | 'length' | 'cancelled';
  promptTokens: number;
  completionTokens: number;
  firstToken?: TokenProbability[];
}

/** Parent to child. */
export type ChildRequest =
  /** Load the native part and say its version; no weights are touched. */
  | { type: 'probe'; id: number }
  | { type: 'open'; id: number; params: OpenParams }
  | { type: 'count'; id: number; params: { messages: Message[] } }
  | { type: 'sample'; id: number; params: SampleParams }
  /** Stop what request `id` is doing: it then finishes with cancelled replies. */
  | { type: 'abort'; id: number };

/** Child to parent. Every request but `abort` gets exactly one `done` or `failed`. */
export type ChildMessage =
  | { type: 'reply'; id: number; reply: RawReply }
  | { type: 'done'; id: number; result: unknown }
  | { type: 'failed'; id: number; error: { code: ErrorCode; message: string; hint: string } };
