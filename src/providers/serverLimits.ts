/** How long and how often a server is asked. Settable by the person; defaults suit local models on slow machines. */
export interface ServerLimits {
  /** From dispatch to the first sign of a reply, once the model is known to be loaded; waiting in our queue does not count. */
  firstTokenMs: number;
  /** The same for the first request of all, which may have to load the model. */
  loadMs: number;
  /** From dispatch to the last token. */
  totalMs: number;
  /** For questions about the server itself: version, models. */
  probeMs: number;
  /** Requests after the first one, for faults that may pass. */
  retries: number;
  /** The same for 429: the server is well, it only wants us slower. */
  rateLimitRetries: number;
  /** First wait; doubles, with jitter. */
  retryDelayMs: number;
  /** No wait is longer. A server that wants us to wait longer than this is given up. */
  longestWaitMs: number;
}

export const SERVER_LIMITS: ServerLimits = {
  firstTokenMs: 120_000,
  loadMs: 240_000,
  totalMs: 900_000,
  probeMs: 10_000,
  retries: 3,
  rateLimitRetries: 8,
  retryDelayMs: 500,
  longestWaitMs: 60_000,
};
