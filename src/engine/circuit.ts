/** When the server fails and not the answer: which outcomes that are, what a person reads, and when asking ends. */
import type { Outcome } from '../contracts/runRecord';
import { UserError, type ErrorCode } from '../contracts/userError';
import type { Reply } from './ports';

/** So many failures one after another, without an answer between them, and the run stops asking. */
export const CIRCUIT_FAILURES = 5;

const SERVER_FAILURES: Partial<Record<Outcome, ErrorCode>> = {
  timeout: 'timeout',
  rateLimited: 'rateLimited',
  unavailable: 'serverUnreachable',
  malformed: 'malformedReply',
};

/** The server failed, and not the answer: asking again may help. */
export const isServerFailure = (outcome: Outcome): boolean => SERVER_FAILURES[outcome] !== undefined;

const REFUSALS = new Set([
  'unauthorized',
  'forbidden',
  'notFound',
  'redirected',
  'certificate',
  'keyOverHttp',
  'tooLarge',
  'badRequest',
]);

/** The next step for what a provider calls the failure; by outcome where it has no name of its own here. */
const HINTS: Record<string, string> = {
  unauthorized: 'Check the key and the address it belongs to, then run again.',
  unusableKey: 'Copy the key again, without what stands around it.',
  keyOverHttp: 'Use an https address. On a network that you trust: --key-over-http NAME.',
  forbidden: 'See what your account may use there, or choose another model.',
  notFound: 'Choose a model that `evenkeel models` lists, or correct the address.',
  redirected: 'Give the address that the server sends on to, if you trust it.',
  certificate: 'Have its certificate trusted (NODE_EXTRA_CA_CERTS), or correct the address.',
  tooLarge: 'Shorten the prompt, or choose a server that takes longer ones.',
  badRequest: 'See what the server takes: the model or an option may not suit it.',
  quotaExhausted: 'Wait until the quota renews, raise it, or choose another model.',
  timeout:
    'See whether the server is busy or hangs; allow more time (--timeout or the setting) or fewer requests at once.',
  rateLimited: 'Wait a little, ask fewer at once (--concurrency or the setting), or choose another model.',
  unavailable: 'See that its server runs and is well, then run again.',
  malformed: 'See that the address is that of a model server and that the model works there, then run again.',
};

/** What a person reads when a model could not answer; null when the server is not to blame. */
export function serverFailure(reply: Reply, who: string): UserError | null {
  const byOutcome = SERVER_FAILURES[reply.outcome];
  if (byOutcome === undefined) return null;
  const name = reply.error?.code ?? '';
  const code = name === 'unusableKey' ? 'keyMissing' : REFUSALS.has(name) ? 'serverRefused' : byOutcome;
  return new UserError(
    code,
    `${who}: ${reply.error?.message ?? reply.outcome}`,
    HINTS[name] ?? HINTS[reply.outcome]!,
  );
}

/**
 * Stops the spending on a server that is down. `note` takes every reply in the order of arrival and returns the error
 * to stop with: at once for a failure that every other request would meet too (a refused key, a used-up quota), else
 * after CIRCUIT_FAILURES in a row.
 */
export function createCircuit(who: string): { note(reply: Reply): UserError | null } {
  let failuresInARow = 0;
  return {
    note(reply) {
      failuresInARow = isServerFailure(reply.outcome) ? failuresInARow + 1 : 0;
      if (failuresInARow === 0) return null;
      if (reply.error?.fatal === true) return serverFailure(reply, `${who} cannot be asked`);
      if (failuresInARow < CIRCUIT_FAILURES) return null;
      return serverFailure(reply, `${who} failed ${CIRCUIT_FAILURES} times in a row`);
    },
  };
}
