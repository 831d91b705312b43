import type { Envelope } from './envelope.ts';
import { withLabels } from './with-labels.ts';

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
  if (!response.ok) throw new AuthError(await withLabels(body as Envelope));
  return body as Answer;
}
