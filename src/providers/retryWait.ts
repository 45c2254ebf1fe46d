import type { Fault } from './serverFault';
import type { ServerLimits } from './serverLimits';

/**
 * Milliseconds to wait before a failed request is sent again; null when it must not be. The server's wish
 * (Retry-After) counts where there is one, else the wait doubles with each attempt. Half of a wait of our own is
 * chance, and a wish is stretched by up to a tenth, so that requests that failed together do not come back together.
 * @param attempt 0 after the first request
 * @param chance uniform in [0, 1)
 */
export function retryWaitMs(
  { retry, outcome, retryAfterMs }: Pick<Fault, 'retry' | 'outcome' | 'retryAfterMs'>,
  attempt: number,
  limits: Pick<ServerLimits, 'retries' | 'rateLimitRetries' | 'retryDelayMs' | 'longestWaitMs'>,
  chance: number,
): number | null {
  const most = outcome === 'rateLimited' ? limits.rateLimitRetries : limits.retries;
  if (!retry || attempt >= most) return null;
  if (retryAfterMs !== null)
    return retryAfterMs > limits.longestWaitMs ? null : retryAfterMs * (1 + 0.1 * chance);
  const backOffMs = Math.min(limits.longestWaitMs, limits.retryDelayMs * 2 ** attempt);
  return backOffMs * (0.5 + 0.5 * chance);
}
