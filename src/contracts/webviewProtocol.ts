/**
 * The one table of what the host and the report page say to each other.
 *
 * The page loads, sends the request `ready`, and shows nothing of a run before the host has answered it and sent
 * a snapshot. Every request gets exactly one `reply` or `failure` with its id. Run data never stands in the HTML
 * of the panel.
 */
import { z } from 'zod';
import { compareViewSchema } from './compareView';
import { flipsViewSchema } from './flipsView';
import { progressViewSchema, reportViewSchema, sampleViewSchema } from './reportView';
import { exportFormatSchema } from './exportFormat';
import { outcomeSchema, spanSchema } from './runRecord';

/** Which samples of a run; null and '' let all through. */
const sampleQuerySchema = z.object({
  conditionId: z.string().nullable(),
  outcome: outcomeSchema.nullable(),
  /** The whole answer as it is shown, without space around. */
  answer: z.string().nullable(),
  /** Words that the answer must hold, in whatever case. */
  search: z.string().max(1_000),
});
export type SampleQuery = z.infer<typeof sampleQuerySchema>;

/** Page to host: {method: [params, result]}. */
export const requests = {
  /** Handshake. The host answers with its version and then sends `show`, `progress`, `problem` or `empty`. */
  ready: [z.object({ protocol: z.int(), runId: z.string().nullable() }), z.object({ protocol: z.int() })],
  /** Samples of one condition, a page at a time. */
  samples: [
    z.object({ conditionId: z.string(), offset: z.int().min(0), limit: z.int().min(1).max(500) }),
    z.object({ total: z.int().min(0), samples: z.array(sampleViewSchema) }),
  ],
  /** Samples of the whole run that fit a query, in the order of prompts and samples. */
  browse: [
    sampleQuerySchema.extend({ offset: z.int().min(0), limit: z.int().min(1).max(500) }),
    z.object({ total: z.int().min(0), samples: z.array(sampleViewSchema) }),
  ],
  /** Show a range of the prompt in the editor. */
  reveal: [z.object({ span: spanSchema }), z.object({ shown: z.boolean() })],
  /** Ask where to save, and save. `path` is null when the person thought better of it. */
  export: [
    z.object({ format: exportFormatSchema, redact: z.boolean() }),
    z.object({ path: z.string().nullable() }),
  ],
  copy: [z.object({ text: z.string().max(1_000_000) }), z.object({ copied: z.boolean() })],
  cancel: [z.object({}), z.object({ cancelled: z.boolean() })],
} as const;
export type RequestMethod = keyof typeof requests;
export type RequestParams<M extends RequestMethod> = z.infer<(typeof requests)[M][0]>;
export type RequestResult<M extends RequestMethod> = z.infer<(typeof requests)[M][1]>;

const problemSchema = z.object({ code: z.string(), message: z.string(), hint: z.string() });
export type Problem = z.infer<typeof problemSchema>;

/** Host to page. Snapshots are whole, never deltas: the newest one is all there is to show. */
export const hostMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('reply'), id: z.int(), result: z.unknown() }),
  z.object({ type: z.literal('failure'), id: z.int(), error: problemSchema }),
  /** A finished run; ends a running progress. */
  z.object({ type: z.literal('show'), view: reportViewSchema }),
  z.object({ type: z.literal('showFlips'), view: flipsViewSchema }),
  z.object({ type: z.literal('showCompare'), view: compareViewSchema }),
  z.object({ type: z.literal('progress'), progress: progressViewSchema }),
  /** Nothing could be measured: there is no record to show. */
  z.object({ type: z.literal('problem'), error: problemSchema }),
  /** No run yet. */
  z.object({ type: z.literal('empty') }),
]);
export type HostMessage = z.infer<typeof hostMessageSchema>;

/** Inbound at the host; validated before anything is done with it. */
export const pageMessageSchema = z.object({
  type: z.literal('request'),
  id: z.int(),
  method: z.enum(Object.keys(requests) as [RequestMethod, ...RequestMethod[]]),
  params: z.unknown(),
});
export type PageMessage = z.infer<typeof pageMessageSchema>;

/** What the page keeps for itself through hiding and reload; `runId` lets the host bring the run back. */
export const pageStateSchema = z.object({
  runId: z.string().nullable(),
  selected: z.string().nullable(),
  openSections: z.array(z.string()),
  query: sampleQuerySchema,
  openPiece: z.int().nullable(),
  scrollY: z.number(),
});
export type PageState = z.infer<typeof pageStateSchema>;
