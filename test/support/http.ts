import { request } from 'undici';
import { inject } from 'vitest';
import { checkAgainstContract, operationFor } from './contract.ts';
import { FORWARD_TO } from './forwarder.ts';

export type Fields = Record<string, unknown>;

export interface Reply<Body = Fields> {
  status: number;
  headers: Headers;
  /** The parsed JSON, or `{}` for an empty body. */
  body: Body;
  text: string;
}

export interface ErrorBody {
  error: string;
  code: string;
  details?: { path: string; code: string; message: string }[];
}

type Answered = Pick<Response, 'status' | 'headers'>;

export interface Call {
  query?: string | Record<string, string | number | boolean>;
  /** Body that is sent as JSON. */
  body?: unknown;
  /** Raw body, instead of `body`. */
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

/** Sends a request and reads the response to its end. Redirects are not followed. Throws when the response violates the contract. */
export async function send<Body = Fields>(url: string, method: string, call: Call = {}): Promise<Reply<Body>> {
  const address = new URL(url);
  if (typeof call.query === 'string') address.search = call.query;
  else for (const [name, value] of Object.entries(call.query ?? {})) address.searchParams.append(name, String(value));
  const body = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  // undici's `request` takes half the time of `fetch`, which matters for tests with thousands of requests.
  const proxy = proxyFor(method, address, call);
  const answer = await request(proxy ? `${proxy}${address.pathname}${address.search}` : address, {
    method,
    headers: {
      // undici sends none by itself, and clicks without one do not count.
      'User-Agent': 'undici',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...call.headers,
      ...(proxy && { [FORWARD_TO]: address.origin }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.body.text();
  const response = { status: answer.statusCode, headers: headersOf(answer.headers) };
  if (response.headers.has('x-request-id')) checkAgainstContract(method, address.pathname, response, text);
  if (proxy) assertNoViolations(method, address, response, text);
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson && text !== '' ? JSON.parse(text) : {}) as Body,
    text,
  };
}

/**
 * Returns the URL of the proxy that validates a request, or null if the tests run without proxies. Operations without an API key are called directly, because
 * the proxy changes the headers of visitors, and does not know sessions. So are those with a raw body, or with a query that the proxy cannot read.
 */
function proxyFor(method: string, { pathname, search }: URL, { raw }: Call): string | null {
  const proxies = inject('proxies');
  if (!proxies || raw !== undefined || method === 'HEAD' || !isReadable(pathname + search)) return null;
  const found = operationFor(method, pathname);
  return found?.operation.security === undefined ? (proxies[found?.contract ?? ''] ?? null) : null;
}

function isReadable(encoded: string): boolean {
  try {
    return !decodeURIComponent(encoded).includes('__proto__');
  } catch {
    return false;
  }
}

interface Violation {
  location: string[];
  severity: string;
  message: string;
}

/** Requests that the service accepts although its contract describes a narrower form. The contract says so in words. */
const LENIENT = [
  // Sessions of signed-in people.
  /^Invalid security scheme used$/,
  // An empty object as the body of an operation without one.
  /^No supported content types, but request included a non-empty body$/,
  // Addresses that the service escapes.
  /^Request body property url must match format "uri"$/,
  // Lists with commas, 1 and 0 for true and false, and other forms of ISO 8601.
  /^Request query parameter /,
];

/** Throws if a proxy has found a violation of the contract, in the response or in a request that the service did not refuse. */
function assertNoViolations(method: string, { pathname }: URL, { status, headers }: Answered, text: string): void {
  const found = JSON.parse(headers.get('sl-violations') ?? '[]') as Violation[];
  const counted = found.filter(
    ({ location, severity, message }) =>
      severity === 'Error' && (location[0] === 'response' || (status < 400 && !LENIENT.some((form) => form.test(message)))),
  );
  if (counted.length > 0)
    throw new Error(
      `${method} ${pathname}, status ${status}: Prism found ${JSON.stringify(counted)}\nThe body: ${text.slice(0, 2000)}`,
    );
}

function headersOf(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) for (const each of [value ?? []].flat()) headers.append(name, each);
  return headers;
}

/** A client of `/api/v1` for one caller. Paths are relative to `/api/v1`, except those with another root (`/track/…`). */
export class Api {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(baseUrl: string, headers: Record<string, string>) {
    this.baseUrl = baseUrl;
    this.headers = headers;
  }

  get<Body = Fields>(path: string, query?: Call['query']): Promise<Reply<Body>> {
    return this.send('GET', path, query === undefined ? {} : { query });
  }

  post<Body = Fields>(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply<Body>> {
    return this.send('POST', path, { body, headers });
  }

  put<Body = Fields>(path: string, body?: unknown): Promise<Reply<Body>> {
    return this.send('PUT', path, { body });
  }

  patch<Body = Fields>(path: string, body: unknown): Promise<Reply<Body>> {
    return this.send('PATCH', path, { body });
  }

  delete<Body = Fields>(path: string, body?: unknown): Promise<Reply<Body>> {
    return this.send('DELETE', path, { body });
  }

  send<Body = Fields>(method: string, path: string, call: Call = {}): Promise<Reply<Body>> {
    const root = /^\/(track|trpc|t|psp|api)\//.test(path) ? '' : '/api/v1';
    return send(`${this.baseUrl}${root}${path}`, method, { ...call, headers: { ...this.headers, ...call.headers } });
  }
}
