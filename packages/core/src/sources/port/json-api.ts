/** Requests to the JSON API of a provider. Every failure is a `PspError` whose message quotes no key. */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { askJson, type Fetch, type JsonAnswer, NoAnswer } from '../../platform/operations/ask-json.ts';
import type { ProviderAccount, ProviderMode } from './port.ts';
import { FAILURES, onReason, PspError, type PspErrorReason } from './psp-error.ts';
import { SOURCE_REASONS } from './reasons.ts';

export interface ApiOptions {
  /** Another server for the requests. */
  base?: string | undefined;
  timeoutMs: number;
}

export interface JsonApiOptions {
  /** Address of the API, without a slash at its end. */
  base: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Most requests in a minute that the provider accepts. */
  perMinute: number;
  fetch?: Fetch | undefined;
}

export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Maximum number of characters of a provider's message. */
const MAX_MESSAGE = 300;
/** The longest time that a request waits because of `Retry-After`, in seconds. */
const MAX_WAIT_SECONDS = 60;
const MAX_ATTEMPTS = 3;
/** Requests that are sent without a pause. */
const BURST = 20;

/** The time from which the next request may be sent, by `performance.now`. */
interface Pace {
  next: number;
}

/** The paces of this process, by digests of address and key, because a connection is opened for each of its events. */
const paces = new Map<string, Pace>();
const MAX_PACES = 1_000;

function paceOf({ base, headers }: JsonApiOptions): Pace {
  const key = createHash('sha256')
    .update(JSON.stringify([base, headers]))
    .digest('base64url');
  const pace = paces.get(key) ?? { next: Number.NEGATIVE_INFINITY };
  // The pace that was used the longest time ago is the first one.
  paces.delete(key);
  paces.set(key, pace);
  if (paces.size > MAX_PACES) paces.delete(paces.keys().next().value!);
  return pace;
}

export class JsonApi {
  readonly #options: JsonApiOptions;
  readonly #pace: Pace;

  constructor(options: JsonApiOptions) {
    this.#options = options;
    this.#pace = paceOf(options);
  }

  /** Reads an object. A read is repeated if the provider asks to wait. */
  async get(path: string, query: Query = {}): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#send('GET', path + textOf(query));
      } catch (error) {
        const wait = error instanceof RateLimited ? error.seconds : null;
        if (wait === null || wait > MAX_WAIT_SECONDS || attempt === MAX_ATTEMPTS) throw error;
        await sleep(wait * 1_000);
      }
    }
  }

  /** Sends a write, which is not repeated. */
  send(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, headers = {}): Promise<unknown> {
    return this.#send(method, path, body, headers);
  }

  async #send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, headers = {}): Promise<unknown> {
    await this.#turn();
    const { base, ...options } = this.#options;
    const answer = await askJson(base + path, { ...options, headers: { ...options.headers, ...headers }, method, body }).catch(
      (error: unknown) => {
        throw error instanceof NoAnswer ? noAnswer(error) : error;
      },
    );
    if (answer.status < 200 || answer.status > 299) throw refusal(answer);
    if (answer.value === undefined) throw failure('unavailable');
    return answer.value;
  }

  /** Waits until the provider accepts a further request. A few requests are sent at once. */
  async #turn(): Promise<void> {
    const now = performance.now();
    const interval = 60_000 / this.#options.perMinute;
    this.#pace.next = Math.max(now - BURST * interval, this.#pace.next) + interval;
    if (this.#pace.next > now) await sleep(this.#pace.next - now);
  }
}

/** Returns the part of an answer that a schema describes. Throws a `PspError` if the answer has another form. */
export function parseAnswer<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
  const { success, data } = schema.safeParse(answer);
  if (!success) throw new PspError({ reason: 'unavailable', said: SOURCE_REASONS.answer_unreadable });
  return data;
}

class RateLimited extends PspError {
  readonly seconds: number;

  constructor(seconds: number) {
    super({ reason: 'rate_limited', said: FAILURES.rate_limited! });
    this.seconds = seconds;
  }
}

function failure(reason: PspErrorReason): PspError {
  return new PspError({ reason, said: FAILURES[reason]! });
}

function noAnswer({ reason }: NoAnswer): PspError {
  if (reason === 'refused') return new PspError({ reason: 'rejected', said: SOURCE_REASONS.address_not_public });
  return failure(reason === 'too_large' ? 'unavailable' : reason);
}

function refusal({ status, value, retryAfter }: JsonAnswer): PspError {
  if (status === 429) return new RateLimited(Math.max(1, retryAfter ?? 1));
  if (status === 401) return failure('authentication');
  if (status === 403) return failure('permission');
  if (status === 404) return new PspError({ reason: 'not_found', said: SOURCE_REASONS.record_unknown_to_provider });
  if (status >= 500 || status === 408) return failure('unavailable');
  const words = messageIn(value);
  return new PspError({
    reason: 'rejected',
    said: words === null ? SOURCE_REASONS.provider_refused({ status }) : SOURCE_REASONS.provider_said({ words }),
  });
}

/** Finds the message in the body of a refusal, in the forms that providers use. */
function messageIn(told: unknown): string | null {
  const { error, message, detail } = (told ?? {}) as Record<string, unknown>;
  const nested = (error ?? {}) as Record<string, unknown>;
  const text = [nested['detail'], nested['message'], message, detail, error].find((each) => typeof each === 'string');
  return text?.slice(0, MAX_MESSAGE) ?? null;
}

function textOf(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) if (each !== undefined) parameters.append(name, String(each));
  return parameters.size > 0 ? `?${parameters.toString()}` : '';
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** Finds the account of a key that does not name its mode: test mode is asked if live mode does not know the key. */
export async function accountOfEitherMode(open: (mode: ProviderMode) => { account(): Promise<ProviderAccount> }) {
  const accountIn = async (mode: ProviderMode) => ({ mode, account: await open(mode).account() });
  return accountIn('live').catch(onReason(['authentication'], () => accountIn('test')));
}

/** Returns the values of several fields of credentials, which are stored as a JSON object. Missing ones are empty. */
export function credentialsIn<Name extends string>(text: string, names: readonly Name[]): Record<Name, string> {
  let entered: unknown = null;
  try {
    entered = JSON.parse(text);
  } catch {
    // Not credentials of this source.
  }
  const values = new Map<string, unknown>(Object.entries(entered ?? {}));
  const valueOf = (name: Name) => {
    const value = values.get(name);
    return typeof value === 'string' ? value : '';
  };
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, string>;
}
