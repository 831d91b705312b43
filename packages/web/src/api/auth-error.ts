import { envelopeInLanguage } from './in-language.ts';

/** The body of an error response (docs/rules/platform.md#errors). */
export interface Envelope {
  error: string;
  code: string;
  /** Problems of the input, if the code is VALIDATION_ERROR. */
  details?: unknown;
}

/** A problem of the input. */
export interface Problem {
  /** Dots and indexes; empty for the whole input. */
  path: string;
  message: string;
  /** Label of the field in the page's language, unless the page knows the label itself. Empty if the field has none. */
  label?: string;
}

/** An error of a request that does not go through tRPC: a request to `/auth`, or an upload. */
export class AuthError extends Error {
  readonly envelope: Envelope;

  constructor(envelope: Envelope) {
    super(envelope.error);
    this.envelope = envelope;
  }
}

/** Returns the body of a response. Throws AuthError, in the page's language, if the service refused the request. */
export async function bodyOf<Answer>(response: Response): Promise<Answer> {
  const body: unknown = await response.json();
  if (!response.ok) throw new AuthError(await envelopeInLanguage(body as Envelope));
  return body as Answer;
}
