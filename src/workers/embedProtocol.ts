/** What the embedder's client and its worker thread say to each other. */
import type { ErrorCode } from '../contracts/userError';

export interface EmbedWorkerData {
  modelDir: string;
  ortDir: string;
  threads: number;
}

/** `texts` are distinct; one request is worked on at a time, in the order of arrival. */
export type ToEmbedWorker = { type: 'embed'; id: number; texts: string[] } | { type: 'cancel'; id: number };

/** `failed` concerns the worker as a whole: it is of no further use. */
export type FromEmbedWorker =
  | { type: 'progress'; id: number; done: number; total: number }
  | { type: 'done'; id: number; vectors: Float32Array; unknown: number[]; truncated: boolean[] }
  | { type: 'failed'; error: { code: ErrorCode; message: string; hint: string } };
