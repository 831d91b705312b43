import { ApiError } from './api-error.ts';
import type { ErrorCode, Pagination } from './generated/types.ts';
import { List } from './list.ts';
import { DEFAULT_RETRIES, type RetryOptions, newIdempotencyKey, retryingFetch } from './retrying-fetch.ts';

export interface ConnectionOptions extends RetryOptions {
  /** Address of the service, e.g. `https://affiliates.example.com`. */
  url: string;
  /** API key of the caller. */
  apiKey: string;
  /** Id of the account. */
  accountId: string;
  /** False for test mode, with a key that has no mode of its own. A key with a mode always acts in its mode. */
  livemode?: boolean;
}

/** Options of one request. */
export interface RequestOptions {
  /** Makes a write take effect once, however often it is sent. By default, each write has a new key, which its retries share. */
  idempotencyKey?: string;
  /** Cancels the request. */
  signal?: AbortSignal;
  /** Time for one attempt in milliseconds, in place of the client's. */
  timeoutMs?: number;
}

/** The bytes of a file. In Node, `openAsBlob` of `node:fs` opens a file without reading it into memory. */
export type FileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** The fields of a request, or a file and the fields about it. */
interface Input {
  query?: object;
  body?: object;
  file?: FileBody;
}

/** Sends requests as one caller for one account. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #url: string;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#url = options.url.replace(/\/+$/, '');
  }

  /** Sends a request. Returns the body of the response. Throws ApiError. */
  async send<Body>(method: string, path: string, input: Input = {}, options: RequestOptions = {}): Promise<Body> {
    const { apiKey, accountId, livemode, retries = DEFAULT_RETRIES, timeoutMs } = this.#options;
    const { idempotencyKey = retries > 0 ? newIdempotencyKey() : undefined, signal } = options;
    const isWrite = method !== 'GET';
    // The fields of a DELETE are in its query.
    const hasBody = isWrite && method !== 'DELETE';
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      'X-Account-Id': accountId,
      ...(livemode === undefined ? {} : { 'X-Livemode': String(livemode) }),
      Accept: 'application/json',
      ...(hasBody ? { 'Content-Type': input.file ? 'application/octet-stream' : 'application/json' } : {}),
      ...(isWrite && idempotencyKey !== undefined ? { 'Idempotency-Key': idempotencyKey } : {}),
    };
    const request = retryingFetch({ ...this.#options, timeoutMs: options.timeoutMs ?? timeoutMs });
    return bodyOf(
      request(`${this.#url}${path}${queryText(input.query)}`, {
        method,
        headers,
        ...(hasBody ? { body: input.file ?? JSON.stringify(input.body ?? {}) } : {}),
        ...(signal ? { signal } : {}),
      }),
    );
  }

  /** Returns a list, which requests its pages when they are needed. */
  list<Item, Found extends { data: Item[]; pagination?: Pagination }>(
    path: string,
    query: object,
    options?: RequestOptions,
  ): List<Item, Found> {
    return new List((position) => this.send('GET', path, { query: { ...query, ...position } }, options), query);
  }
}

/** Returns the body of a response of the service. Throws ApiError. */
export async function bodyOf<Body>(requested: Promise<Response>): Promise<Body> {
  const response = await requested.catch((cause: unknown) => {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ApiError({ message, code: null, status: null, details: undefined, requestId: null, cause });
  });
  const text = await response.text();
  if (!response.ok) throw refusal(response, text);
  return (text === '' ? undefined : JSON.parse(text)) as Body;
}

function refusal(response: Response, text: string): ApiError {
  const requestId = response.headers.get('X-Request-Id');
  const { status } = response;
  const envelope = envelopeIn(text);
  // A proxy may answer in place of the service.
  if (!envelope) return new ApiError({ message: `HTTP ${status}`, code: null, status, details: undefined, requestId });
  return new ApiError({ message: envelope.error, code: envelope.code, status, details: envelope.details, requestId });
}

interface Envelope {
  error: string;
  code: ErrorCode;
  details?: unknown;
}

function envelopeIn(text: string): Envelope | null {
  try {
    const body = JSON.parse(text) as Partial<Envelope> | null;
    return typeof body?.code === 'string' && typeof body.error === 'string' ? (body as Envelope) : null;
  } catch {
    return null;
  }
}

type Parameter = string | number | boolean | null | undefined;

/** Returns the query of a URL. The values of an array become repeated parameters. */
function queryText(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, Parameter | Parameter[]][])
    for (const each of [value].flat()) if (each !== undefined && each !== null) parameters.append(name, String(each));
  return parameters.size > 0 ? `?${parameters}` : '';
}

/** Template tag of a path: encodes the ids in it. Throws TypeError for an id that would lead to another path. */
export function path(literals: TemplateStringsArray, ...ids: string[]): string {
  for (const id of ids) {
    if (typeof id !== 'string' || id === '' || id === '.' || id === '..')
      throw new TypeError(`This is not an id: ${JSON.stringify(id)}. An id is text, e.g. aff_… or external:partner-17.`);
  }
  return String.raw({ raw: literals }, ...ids.map(encodeURIComponent));
}
