import { type RetryOptions, newIdempotencyKey, retryingFetch } from '@affiliate/client/retrying-fetch';
import { OperatorError } from '../errors.ts';
import type { Profile } from './profiles.ts';

/** Exit codes of commands that call a service. */
const EXIT = { refused: 3, unreachable: 4 } as const;

/** A service refused a request, or could not be reached. */
export class RemoteError extends OperatorError {
  readonly exitCode: number;
  /** HTTP status. Null if there was no answer. */
  readonly status: number | null;
  readonly body: unknown;

  constructor(message: string, { status, body, cause }: { status: number | null; body?: unknown; cause?: unknown }) {
    super(message, { cause });
    this.status = status;
    this.body = body;
    this.exitCode = status === null ? EXIT.unreachable : EXIT.refused;
  }
}

export interface RemoteRequest {
  method: string;
  /** Path with its root, e.g. `/api/v1/affiliates`. */
  path: string;
  query?: Readonly<Record<string, string | readonly string[]>>;
  body?: unknown;
  idempotencyKey?: string | undefined;
  signal?: AbortSignal;
}

/** Calls a running service over its REST APIs. */
export class RemoteService {
  readonly #profile: Profile;
  readonly #fetch: ReturnType<typeof retryingFetch>;

  constructor(profile: Profile, options?: RetryOptions) {
    this.#profile = profile;
    this.#fetch = retryingFetch(options);
  }

  /** Sends a request. Returns the parsed body, or null if there is none. Throws RemoteError. */
  async send({ method, path, query = {}, body, idempotencyKey = newIdempotencyKey(), signal }: RemoteRequest): Promise<unknown> {
    const { url, api_key, account_id, livemode } = this.#profile;
    const address = new URL(path, url);
    for (const [name, values] of Object.entries(query))
      for (const value of [values].flat()) address.searchParams.append(name, value);
    const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH' || body !== undefined;
    let response: Response;
    try {
      response = await this.#fetch(address.href, {
        method,
        headers: {
          Authorization: `Bearer ${api_key}`,
          'X-Account-Id': account_id,
          ...(livemode === undefined ? {} : { 'X-Livemode': String(livemode) }),
          ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
          ...(method === 'GET' ? {} : { 'Idempotency-Key': idempotencyKey }),
        },
        ...(hasBody ? { body: JSON.stringify(body ?? {}) } : {}),
        ...(signal ? { signal } : {}),
      });
    } catch (cause) {
      throw new RemoteError(`${address.origin} cannot be reached: ${reasonOf(cause)}`, { status: null, cause });
    }
    const text = await response.text();
    const answer = parsed(text);
    if (response.ok) return answer;
    const { error, code } = (answer ?? {}) as { error?: string; code?: string };
    throw new RemoteError(error === undefined ? `HTTP ${response.status}` : `${code}: ${error}`, {
      status: response.status,
      body: answer,
    });
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns why a request failed. `fetch` hides the reason in the cause of its error. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: Error & { code?: string } };
  return cause?.code ?? cause?.message ?? message;
}
