import type { Services } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import { authOf, authWithin } from './auth.ts';
import type { NETWORK_HEADER } from './request-context.ts';

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
