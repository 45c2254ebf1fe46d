import type { RunRecord } from '../contracts/runRecord';
import type { SuitePolicy } from '../contracts/suite';
import { judgeByPolicy } from '../engine/policy';
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

/**
 * @param policy of the suite; without one, wobbling and changed answers fail, and undecided is an exit code of its own
 */
export function exitCodeOfRun(record: RunRecord, policy?: SuitePolicy): number {
  // At a cap of the person's own the run ends as it stands.
  const capped = record.error?.code === 'budgetReached';
  if (record.state === 'cancelled' && !capped) return EXIT.cancelled;
  if (record.state === 'failed') return EXIT.provider;
  if (policy !== undefined) {
    const { outcome } = judgeByPolicy(record, policy);
    if (outcome === 'violated') return EXIT.policyViolated;
    return outcome === 'undecided' && policy.undecided === 'fail' ? EXIT.undecided : EXIT.policyMet;
  }
  if (record.conclusion.state === 'steady') return EXIT.policyMet;
  return record.conclusion.state === 'wobbles' ? EXIT.policyViolated : EXIT.undecided;
}

/** Of two exit codes the one that a script must hear of first: cancelled, broken, changed, undecided, well. */
export const worse = (a: number, b: number): number => (SEVERITY.indexOf(b) > SEVERITY.indexOf(a) ? b : a);

const SEVERITY: readonly number[] = [
  EXIT.policyMet,
  EXIT.undecided,
  EXIT.policyViolated,
  EXIT.provider,
  EXIT.cancelled,
];
