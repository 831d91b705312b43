/** Sends a request. Rejects if no answer comes. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Bytes of the largest answer that is read. */
const MAX_BYTES = 8 * 1_048_576;

export interface JsonRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, in place of `body`. The headers name its type. */
  text?: string;
  timeoutMs: number;
  /** Default: the one of Node. */
  fetch?: Fetch | undefined;
}

export interface JsonAnswer {
  status: number;
  /** Null for an empty body, and undefined for a body that is not JSON, e.g. a page about maintenance. */
  value: unknown;
  /** Seconds for which the system asks to wait; null if it does not say. */
  retryAfter: number | null;
}

/** A system outside gave no answer that could be read. */
export class NoAnswer extends Error {
  /** `refused`: the address is not a public one. */
  readonly reason: 'unreachable' | 'timeout' | 'too_large' | 'refused';

  constructor(reason: NoAnswer['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Sends a request to the JSON API of a system outside. Follows no redirects, because they could lead a key elsewhere.
 *
 * @throws NoAnswer
 */
export async function askJson(url: string, request: JsonRequest): Promise<JsonAnswer> {
  const { method = 'GET', headers, body, text, timeoutMs, fetch: send = fetch } = request;
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await send(url, {
    method,
    headers: { Accept: 'application/json', ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    ...(sent !== undefined && { body: sent }),
  }).catch(failed);
  const seconds = Number(response.headers.get('retry-after'));
  return {
    status: response.status,
    value: parsed(await textOf(response)),
    retryAfter: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
  };
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of body ?? []) {
      size += part.byteLength;
      if (size > MAX_BYTES) throw new NoAnswer('too_large');
      parts.push(part);
    }
  } catch (error) {
    failed(error);
  }
  return Buffer.concat(parts).toString();
}

function failed(error: unknown): never {
  if (error instanceof NoAnswer) throw error;
  throw new NoAnswer(error instanceof DOMException && error.name === 'TimeoutError' ? 'timeout' : 'unreachable');
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return undefined;
  }
}
