import { request } from 'undici';
import { PROCEDURES } from '../contract/procedures.ts';
import type { TestService } from '../support/service.ts';

/** Sends a request to the service under a host name. `headers` may contain `body`, which is sent as the body. */
export async function askUnder(
  { url }: TestService,
  host: string,
  method: string,
  path: string,
  { body, ...headers }: Record<string, string> = {},
) {
  const answer = await request(`${url}${path}`, {
    method: method as 'GET',
    headers: {
      host,
      accept: 'text/html,application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

interface Answer<Output> {
  status: number;
  data: Output;
}

/** Calls a procedure under a host name. */
export async function callUnder<Output>(
  service: TestService,
  host: string,
  procedure: string,
  input?: object,
  headers: Record<string, string> = {},
): Promise<Answer<Output>> {
  const isQuery = PROCEDURES.find(({ path }) => path === procedure)!.type === 'query';
  const query = isQuery && input !== undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : '';
  const { status, text } = await askUnder(service, host, isQuery ? 'GET' : 'POST', `/trpc/${procedure}${query}`, {
    ...headers,
    ...(isQuery ? {} : { body: JSON.stringify(input ?? {}) }),
  });
  const { result } = JSON.parse(text) as { result?: { data: unknown } };
  return { status, data: result?.data as Output };
}
