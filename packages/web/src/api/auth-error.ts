/** The body of an error response (docs/rules/platform.md#errors). */
export interface Envelope {
  error: string;
  code: string;
  details?: unknown;
}

/** An error of a request that does not go through tRPC: a request to `/auth`, or an upload. */
export class AuthError extends Error {
  readonly envelope: Envelope;

  constructor(envelope: Envelope) {
    super(envelope.error);
    this.envelope = envelope;
  }
}
