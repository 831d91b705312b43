import type { Request } from 'express';

/**
 * Removes the preconditions of a request for a file that ships with the service. Express answers a failed precondition with an error, which would
 * count as one of the service, and with the headers of the file, so that a shared cache could keep it.
 */
export function ignorePreconditions({ headers }: Request): void {
  delete headers['if-match'];
  delete headers['if-unmodified-since'];
}
