/** An error that the operator can fix. Only its message is shown, without a stack. */
export class OperatorError extends Error {}

/** True if `error` is a system error with one of these codes, e.g. `ENOENT`. */
export function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}
