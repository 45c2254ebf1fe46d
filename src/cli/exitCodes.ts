import type { RunRecord } from '../contracts/runRecord';
import type { ErrorCode } from '../contracts/userError';

/** What the shell learns (product.md). */
export const EXIT = {
  policyMet: 0,
  policyViolated: 1,
  usage: 2,
  undecided: 3,
  provider: 4,
  cancelled: 130,
} as const;

const USAGE_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'usage',
  'noReport',
  'emptyPrompt',
  'promptTooLong',
  'promptTooShort',
  'binaryFile',
  'fileNotFound',
  'unboundVariables',
  'unknownModel',
  'invalidOption',
  'invalidFile',
]);

export function exitCodeOfError(code: ErrorCode): number {
  if (code === 'cancelled') return EXIT.cancelled;
  return USAGE_ERRORS.has(code) ? EXIT.usage : EXIT.provider;
}

export function exitCodeOfRun(record: RunRecord): number {
  // At a cap of the person's own the run ends as it stands.
  const capped = record.error?.code === 'budgetReached';
  if (record.state === 'cancelled' && !capped) return EXIT.cancelled;
  if (record.state === 'failed') return EXIT.provider;
  if (record.conclusion.state === 'steady') return EXIT.policyMet;
  return record.conclusion.state === 'wobbles' ? EXIT.policyViolated : EXIT.undecided;
}
