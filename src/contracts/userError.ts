/**
 * The one error type that a person sees: what happened, why, and the next step.
 * Inside `stats`, wrong arguments throw RangeError instead; too little data is a result, not an error.
 */
export const ERROR_CODES = [
  // usage and configuration (exit code 2)
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
  // provider or integrity (exit code 4)
  'modelNotInstalled',
  'nativePartMissing',
  'weightsUnavailable',
  'weightsDamaged',
  'diskFull',
  'cacheNotWritable',
  'serverUnreachable',
  'serverRefused',
  'keyMissing',
  'rateLimited',
  'timeout',
  'malformedReply',
  'modelCrashed',
  'embedderFailed',
  'storeDamaged',
  'internal',
  // the person stopped it (exit code 130)
  'cancelled',
  // a cap that the person set
  'budgetReached',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export class UserError extends Error {
  readonly code: ErrorCode;
  /** The next step, as an imperative sentence. */
  readonly hint: string;

  constructor(code: ErrorCode, message: string, hint: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'UserError';
    this.code = code;
    this.hint = hint;
  }
}

export const isUserError = (error: unknown): error is UserError => error instanceof UserError;

/** Wraps anything unexpected, so that every edge (terminal, editor, page) prints one form. */
export function toUserError(error: unknown): UserError {
  if (isUserError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new UserError(
    'internal',
    `Something went wrong that should not: ${message}`,
    'Run again; if it repeats, report it with the output of `evenkeel doctor`.',
    { cause: error },
  );
}
