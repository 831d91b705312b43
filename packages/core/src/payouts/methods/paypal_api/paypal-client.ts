import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { JsonRequest } from '../../../platform/operations/ask-json.ts';
import type { ProviderMode } from '../../../sources/port/port.ts';
import { parsedBy, type RailAnswer, RailRefusal, requestOf } from '../../port/rail-request.ts';
import type { Credentials } from '../../port/rail.ts';

export interface PayPalOptions {
  /** Another server for the requests, such as a proxy. Those of the sandbox go to its path `/sandbox`. */
  base?: string | undefined;
  timeoutMs: number;
}

const HOSTS: Readonly<Record<ProviderMode, string>> = {
  live: 'https://api-m.paypal.com',
  test: 'https://api-m.sandbox.paypal.com',
};

/** The time by which a token is replaced before it ends. */
const TOKEN_MARGIN_MS = 300_000;

/** Refusals that concern the merchant's account, so that every further payment would be refused, too. */
const STOPPING = new Set(['INSUFFICIENT_FUNDS', 'SENDER_ACCOUNT_UNVERIFIED', 'SENDER_RESTRICTED', 'SENDER_ACCOUNT_LOCKED']);

const Token = z.object({ access_token: z.string().min(1), expires_in: z.number() });
const Refusal = z.object({
  name: z.string().catch(''),
  message: z.string().catch(''),
  error: z.string().optional().catch(undefined),
  details: z.array(z.object({ issue: z.string().catch('') })).catch([]),
  links: z.array(z.object({ href: z.string() })).catch([]),
});

/** A refusal of PayPal, with the addresses of the records that it names. */
export class PayPalRefusal extends RailRefusal {
  /** PayPal's name of the error. */
  readonly kind: string;
  readonly links: readonly string[];

  constructor(answer: RailAnswer) {
    const { name, message, error = '', details, links } = Refusal.parse(answer.value);
    const issue = details.find((detail) => detail.issue !== '')?.issue;
    super('PayPal', answer, { words: message, word: issue ?? (name || error), stopsRail: STOPPING.has(name) });
    this.kind = name;
    this.links = links.map(({ href }) => href);
  }
}

/** Requests to PayPal. No write is repeated here, except one that PayPal did not look at because the token had ended. */
export class PayPalClient {
  readonly #options: PayPalOptions;
  readonly #tokens = new Map<string, { token: string; until: number }>();

  constructor(options: PayPalOptions) {
    this.#options = options;
  }

  /**
   * Calls PayPal.
   *
   * @param body JSON as it is sent
   * @throws RailError
   */
  async call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { mode, credentials }: { mode: ProviderMode; credentials: Credentials },
    body?: string,
  ): Promise<unknown> {
    const send = async () => {
      const authorization = { Authorization: `Bearer ${await this.token(mode, credentials)}` };
      if (body === undefined) return this.#send(mode, path, { method, headers: authorization });
      return this.#send(mode, path, { method, headers: { ...authorization, 'Content-Type': 'application/json' }, text: body });
    };
    try {
      return await send();
    } catch (error) {
      const mayHaveEnded = error instanceof PayPalRefusal && error.httpStatus === 401;
      if (!mayHaveEnded || !this.#tokens.delete(tokenKey(mode, credentials))) throw error;
      return send();
    }
  }

  /** Returns the access token, which is kept in memory until shortly before it ends. Throws `RailError`, by which nothing was sent. */
  async token(mode: ProviderMode, credentials: Credentials): Promise<string> {
    const key = tokenKey(mode, credentials);
    const known = this.#tokens.get(key);
    if (known && known.until > performance.now()) return known.token;
    const basic = Buffer.from(`${credentials['client_id']}:${credentials['client_secret']}`).toString('base64');
    const answer = await this.#send(mode, '/v1/oauth2/token', {
      method: 'POST',
      headers: { Authorization: `Basic ${basic}`, 'Content-Type': 'application/x-www-form-urlencoded' },
      text: 'grant_type=client_credentials',
    });
    const { access_token, expires_in } = parsed(Token, answer);
    this.#tokens.set(key, { token: access_token, until: performance.now() + expires_in * 1_000 - TOKEN_MARGIN_MS });
    return access_token;
  }

  async #send(mode: ProviderMode, path: string, request: Omit<JsonRequest, 'timeoutMs'>): Promise<unknown> {
    const { base, timeoutMs } = this.#options;
    const host = base === undefined ? HOSTS[mode] : `${base}${mode === 'test' ? '/sandbox' : ''}`;
    const answer = await requestOf('PayPal', host + path, { ...request, timeoutMs });
    if (!answer.isOk) throw new PayPalRefusal(answer);
    return answer.value;
  }
}

/** Returns the part of an answer of PayPal that a schema describes. Throws a `RailError` for an answer of another form. */
export function parsed<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
  return parsedBy('PayPal', schema, answer);
}

function tokenKey(mode: ProviderMode, { client_id, client_secret }: Credentials): string {
  return createHash('sha256')
    .update(JSON.stringify([mode, client_id, client_secret]))
    .digest('base64');
}
