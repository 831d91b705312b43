/** The body of an error response (docs/domain-rules.md#errors). */
export interface Envelope {
  error: string;
  code: string;
  details?: unknown;
}

/** An error of a request to `/auth` or of an upload, which do not go through tRPC. */
export class AuthError extends Error {
  readonly envelope: Envelope;

  constructor(envelope: Envelope) {
    super(envelope.error);
    this.envelope = envelope;
  }
}
