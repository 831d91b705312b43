import { IN_LANGUAGE } from '../texts/language.ts';
import { AuthError } from './auth-error.ts';
import type { Envelope } from './envelope.ts';
import { withLabels } from './with-labels.ts';

type Reply<Output> = { result: { data: Output } } | { error: { data: Envelope } };

/**
 * Calls a procedure that needs no session, for pages that do without the tRPC client.
 *
 * @throws AuthError, in the page's language, if the service refuses the call; TypeError if it cannot be reached
 */
export async function call<Output>(type: 'query' | 'mutation', procedure: string, input: object): Promise<Output> {
  const body = JSON.stringify(input);
  const response =
    type === 'query'
      ? await fetch(`/trpc/${procedure}?input=${encodeURIComponent(body)}`, { headers: IN_LANGUAGE })
      : await fetch(`/trpc/${procedure}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...IN_LANGUAGE },
          body,
        });
  const reply = (await response.json()) as Reply<Output>;
  if ('error' in reply) throw new AuthError(await withLabels(reply.error.data));
  return reply.result.data;
}
