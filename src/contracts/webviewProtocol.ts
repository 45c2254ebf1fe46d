/** The one table of what the host and the report page say to each other. */
import { z } from 'zod';
import { spanSchema } from './runRecord';

export const PROTOCOL_VERSION = 1;

/** Page to host: {method: [params, result]}. */
export const requests = {
  /** Handshake. The host answers and then sends `show`. */
  ready: [z.object({ protocol: z.int() }), z.object({ protocol: z.int() })],
  /** Samples of one condition, a page at a time. */
  samples: [
    z.object({ conditionId: z.string(), offset: z.int().min(0), limit: z.int().min(1).max(500) }),
    z.object({ total: z.int(), samples: z.array(z.unknown()) }),
  ],
  /** Show a range of the prompt in the editor. */
  reveal: [z.object({ span: spanSchema }), z.object({ shown: z.boolean() })],
  export: [z.object({ format: z.enum(['html', 'json']) }), z.object({ path: z.string().nullable() })],
  copy: [z.object({ text: z.string().max(1_000_000) }), z.object({ copied: z.boolean() })],
  cancel: [z.object({}), z.object({ cancelled: z.boolean() })],
} as const;
export type RequestMethod = keyof typeof requests;
export type RequestParams<M extends RequestMethod> = z.infer<(typeof requests)[M][0]>;
export type RequestResult<M extends RequestMethod> = z.infer<(typeof requests)[M][1]>;

/** Host to page: whole snapshots, never deltas. `show` carries a ReportView, `progress` a ProgressView. */
export type HostMessage =
  | { type: 'reply'; id: number; result: unknown }
  | { type: 'failure'; id: number; error: { code: string; message: string; hint: string } }
  | { type: 'show'; view: unknown }
  | { type: 'progress'; progress: unknown };

/** Inbound at the host; validated before anything is done with it. */
export const pageMessageSchema = z.object({
  type: z.literal('request'),
  id: z.int(),
  method: z.enum(Object.keys(requests) as [RequestMethod, ...RequestMethod[]]),
  params: z.unknown(),
});
