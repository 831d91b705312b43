import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { createAuth } from './create-auth.ts';
import type { CLIENT_ADDRESS_HEADER, NETWORK_HEADER } from './request-context.ts';

const auths = new WeakMap<Services, Promise<Auth>>();
type Auth = ReturnType<typeof createAuth>;

/** Returns the authentication library, configured for these services. The library is large, so it is loaded on first use. */
export function authOf(services: Services): Promise<Auth> {
  let auth = auths.get(services);
  if (!auth) {
    auths.set(services, (auth = newAuth(services)));
    // Forgets a failed load, so that the next call tries again.
    auth.catch(() => auths.delete(services));
  }
  return auth;
}

async function newAuth(services: Services, within?: { db: Db }): Promise<Auth> {
  const { createAuth } = await import('./create-auth.ts');
  return createAuth(services, within);
}

interface Question {
  path: `/${string}`;
  query?: URLSearchParams;
  form?: URLSearchParams;
  json?: unknown;
  /** Headers for the library, in addition to `origin` and `content-type`. No other header is sent. */
  headers?: Readonly<
    Partial<
      Record<'cookie' | 'authorization' | 'user-agent' | typeof CLIENT_ADDRESS_HEADER | typeof NETWORK_HEADER, string | undefined>
    >
  >;
  /**
   * The transaction to which the reads and writes of the request belong: if the process dies, the library has done everything or nothing. The library has
   * no transactions of its own around what it does in a request.
   */
  db?: Db;
}

interface Answer {
  status: number;
  headers: Headers;
  /** The JSON of the response. Null for an empty one. */
  value: unknown;
  /** The same, or an empty object. */
  body: Record<string, unknown>;
}

/**
 * Sends a request to the authentication library, as if from a page of the service: POST when there is a body, otherwise GET. Throws for a status
 * of 500 or above.
 */
export async function askLibrary(services: Services, { path, query, form, json, headers = {}, db }: Question): Promise<Answer> {
  const auth = await (db ? newAuth(services, { db }) : authOf(services));
  const { origin } = new URL(services.publicUrl);
  const body = json === undefined ? form?.toString() : JSON.stringify(json);
  const sent = new Headers({ origin });
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value);
  if (body !== undefined) {
    sent.set('content-type', json === undefined ? 'application/x-www-form-urlencoded' : 'application/json');
  }
  const response = await auth.handler(
    new Request(`${origin}/auth${path}${query ? `?${query.toString()}` : ''}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: sent,
      ...(body === undefined ? {} : { body }),
    }),
  );
  const text = await response.text();
  const value: unknown = text === '' ? null : JSON.parse(text);
  if (response.status >= 500) throw new Error(`The authorization server failed at ${path} with ${response.status}: ${text}`);
  return { status: response.status, headers: response.headers, value, body: (value ?? {}) as Record<string, unknown> };
}
