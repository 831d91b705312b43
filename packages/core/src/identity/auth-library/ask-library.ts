import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { createAuth } from './create-auth.ts';
import type { NETWORK_HEADER } from './request-context.ts';

const auths = new WeakMap<Services, Promise<Auth>>();
type Auth = ReturnType<typeof createAuth>;

/** Returns the authentication library, configured for these services. The library is large, so it is loaded on first use. */
export function authOf(services: Services): Promise<Auth> {
  let auth = auths.get(services);
  if (!auth) {
    auths.set(services, (auth = load(services)));
    // Forgets a failed load, so that the next call tries again.
    auth.catch(() => auths.delete(services));
  }
  return auth;
}

/**
 * Returns the library for one request whose reads and writes belong to a transaction. The library has no transactions of its own around what it does in
 * a request.
 */
async function authWithin(services: Services, db: Db): Promise<Auth> {
  const { createAuth } = await import('./create-auth.ts');
  return createAuth(services, { db });
}

async function load(services: Services): Promise<Auth> {
  const { createAuth } = await import('./create-auth.ts');
  return createAuth(services);
}

interface Question {
  path: `/${string}`;
  query?: URLSearchParams;
  form?: URLSearchParams;
  json?: unknown;
  /** Headers for the library, in addition to `origin` and `content-type`. No other header is sent. */
  headers?: { cookie?: string | undefined; authorization?: string | undefined; [NETWORK_HEADER]?: string };
}

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/**
 * Sends a request to the authentication library, as if from a page of the service: POST when there is a body, otherwise GET. Throws for a status
 * of 500 or above.
 */
export async function askLibrary(services: Services, question: Question): Promise<Answer> {
  return ask(services, await authOf(services), question);
}

/** Like `askLibrary`, within a transaction: if the process dies, the library has done everything or nothing. */
export async function askLibraryWithin(services: Services, db: Db, question: Question): Promise<Answer> {
  return ask(services, await authWithin(services, db), question);
}

async function ask(
  services: Services,
  auth: Awaited<ReturnType<typeof authOf>>,
  { path, query, form, json, headers = {} }: Question,
): Promise<Answer> {
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
  const answer: unknown = text === '' ? null : JSON.parse(text);
  if (response.status >= 500) throw new Error(`The authorization server failed at ${path} with ${response.status}: ${text}`);
  return { status: response.status, headers: response.headers, body: (answer ?? {}) as Record<string, unknown> };
}
