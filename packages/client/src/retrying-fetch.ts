/** How requests are repeated and bounded. */
export interface RetryOptions {
  /** How often a request is repeated that got no answer, or an answer that says to try again. Default: 2. */
  retries?: number;
  /** Time for one attempt, in milliseconds, until the whole response has arrived. Default: 60,000. */
  timeoutMs?: number;
  /** Replaces the global `fetch`, e.g. for tests or tracing. */
  fetch?: typeof fetch;
}

export const DEFAULT_RETRIES = 2;
const DEFAULT_TIMEOUT_MS = 60_000;
/** The longest time, in milliseconds, that a request waits because of `Retry-After`. The caller gets the error of a longer one. */
const MAX_WAIT_MS = 60_000;

const REPEATABLE_METHODS = ['GET', 'HEAD', 'PUT', 'DELETE'];
const PASSING_STATUSES = [408, 429, 500, 502, 503, 504];

/**
 * Returns a `fetch` that repeats requests without changing them, so that every attempt carries the same Idempotency-Key. Repeats a request
 * without such a key only if that is harmless: its method says so, or the service refused it before doing anything (429).
 *
 * The response is complete when the promise resolves. Bodies of requests must be texts or bytes that can be sent again, not streams.
 */
export function retryingFetch({
  retries = DEFAULT_RETRIES,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  fetch: send = globalThis.fetch,
}: RetryOptions = {}): (url: string, init?: RequestInit) => Promise<Response> {
  return async (url, init = {}) => {
    const headers = new Headers(init.headers);
    const isRepeatable = REPEATABLE_METHODS.includes(init.method ?? 'GET') || headers.has('Idempotency-Key');
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= retries;
      let wait: number | null;
      try {
        const response = await attemptOnce(send, url, init, timeoutMs);
        wait = isLast ? null : await waitAfter(response, attempt, isRepeatable);
        if (wait === null) return response;
      } catch (error) {
        if (isLast || !isRepeatable || init.signal?.aborted) throw error;
        wait = backoff(attempt);
      }
      await sleep(wait, init.signal);
    }
  };
}

/** Sends a request and reads the whole response. Rejects with a TimeoutError if that takes longer than `timeoutMs`. */
async function attemptOnce(send: typeof fetch, url: string, init: RequestInit, timeoutMs: number): Promise<Response> {
  const limit = new AbortController();
  const { signal } = init;
  const cancel = () => limit.abort(signal?.reason);
  const timer = setTimeout(
    () => limit.abort(new DOMException(`The service did not answer within ${timeoutMs} ms.`, 'TimeoutError')),
    timeoutMs,
  );
  try {
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel);
    const response = await send(url, { ...init, signal: limit.signal });
    const body = await response.arrayBuffer();
    const { status, statusText, headers } = response;
    return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

/** Returns how many milliseconds to wait before the request is sent again, or null if the response is final. */
async function waitAfter(response: Response, attempt: number, isRepeatable: boolean): Promise<number | null> {
  const { status } = response;
  const isPassing =
    status === 429 || (isRepeatable && (PASSING_STATUSES.includes(status) || (status === 409 && (await isPending(response)))));
  if (!isPassing) return null;
  const wait = retryAfter(response) ?? backoff(attempt);
  return wait <= MAX_WAIT_MS ? wait : null;
}

/** True if an earlier attempt with the same Idempotency-Key is still running. */
async function isPending(response: Response): Promise<boolean> {
  return (await response.clone().text()).includes('"OPERATION_PENDING"');
}

/** Returns the time in `Retry-After` (seconds or a date) in milliseconds, or null if there is none. */
function retryAfter({ headers }: Response): number | null {
  const value = headers.get('Retry-After')?.trim();
  if (value === undefined || value === '') return null;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds);
}

/** Returns 0.25 to 0.5 s before the first repetition, and twice as much before each further one, at most 8 s. */
function backoff(attempt: number): number {
  return Math.min(500 * 2 ** attempt, 8_000) * (0.5 + Math.random() / 2);
}

function sleep(milliseconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel);
      resolve();
    }, milliseconds);
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
  });
}

/** Returns a new Idempotency-Key. It only has to be unique, so browsers and versions of Node without `crypto` use random numbers. */
export function newIdempotencyKey(): string {
  const random = () => Math.random().toString(36).slice(2);
  return globalThis.crypto?.randomUUID?.() ?? `${random()}${random()}${random()}`;
}
