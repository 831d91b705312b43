import { createHmac } from 'node:crypto';
import type { WriteCtx } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { JsonApi } from '../port/json-api.ts';
import type { ConnectionSettings, Delivery, ProviderMode, Source, Trust } from '../port/port.ts';
import { InvalidPspEventError } from '../port/psp-error.ts';
import type { Seen } from '../port/seen.ts';
import { isEqual } from '../port/standard-webhooks.ts';
import { PaddleAccess } from './paddle-access.ts';
import { EVENT_TYPES, type PaddleEvent, readNotification } from './read.ts';
import { customerSeen, PADDLE, subscriptionSeen, transactionSeen } from './tell.ts';

const KEY = /^pdl_(live|sdbx)_apikey_([a-z0-9]{26})_[A-Za-z0-9_-]+$/;
const HOSTS = { live: 'https://api.paddle.com', test: 'https://sandbox-api.paddle.com' };
/** Maximum difference in seconds between the time of a delivery and now. */
const TOLERANCE_SECONDS = 300;
/** Paddle accepts 240 requests in a minute from one address, which other connections use, too. */
const PER_MINUTE = 200;

/** Paddle Billing. Every event leads to its transaction, which is read as a whole, so that the order of events does not matter. */
export class PaddleSource implements Source<PaddleEvent> {
  readonly kind = PADDLE;
  readonly name = 'Paddle';
  readonly eventTypes = EVENT_TYPES;
  readonly namingLine = 'Paddle.Checkout.open({ …, customData: { referral: referralId } })';
  readonly fields = [{ name: 'api_key', isSecret: true, placeholder: 'pdl_live_apikey_…' }];
  readonly createsEndpoint = true;
  readonly #base: string | undefined;
  readonly #timeoutMs: number;

  constructor({ base, timeoutMs }: { base?: string | undefined; timeoutMs: number }) {
    this.#base = base;
    this.#timeoutMs = timeoutMs;
  }

  async connect(key: string) {
    const mode = modeOf(key);
    return mode && { mode, account: await (await this.open(key)).account() };
  }

  open(key: string): Promise<PaddleAccess> {
    const mode = modeOf(key) ?? 'live';
    const api = new JsonApi({
      base: this.#base ?? HOSTS[mode],
      headers: { Authorization: `Bearer ${key}`, 'Paddle-Version': '1' },
      timeoutMs: this.#timeoutMs,
      perMinute: PER_MINUTE,
    });
    return Promise.resolve(new PaddleAccess(api, mode, KEY.exec(key)?.[2] ?? ''));
  }

  verify({ rawBody, header }: Delivery, secrets: readonly string[], now: Date): Promise<Trust> {
    const parts = (header('paddle-signature') ?? '').split(/[;,]/).map((part) => part.trim().split('=', 2));
    const valuesOf = (name: string) => parts.flatMap(([key, value]) => (key === name && value ? [value] : []));
    const [timestamp = ''] = valuesOf('ts');
    const isRecent = /^\d{1,12}$/.test(timestamp) && Math.abs(now.getTime() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
    const isSigned = secrets.some((secret) => {
      const expected = createHmac('sha256', secret).update(`${timestamp}:`).update(rawBody).digest();
      return valuesOf('h1').some((hex) => isEqual(expected, Buffer.from(hex, 'hex')));
    });
    if (isRecent && isSigned) return Promise.resolve('full');
    return Promise.reject(
      new InvalidPspEventError('The signature does not match any valid signing secret, or its timestamp is too old'),
    );
  }

  read(body: string, _settings: ConnectionSettings, mode: ProviderMode): PaddleEvent {
    return readNotification(body, mode);
  }

  withoutPayer(event: PaddleEvent): PaddleEvent {
    const { transaction, customer } = event;
    return {
      ...event,
      transaction: transaction && { ...transaction, customer: null },
      customer: customer && { ...customer, email: null, name: null },
    };
  }

  tell(_ctx: WriteCtx, connectionId: string, event: PaddleEvent): Promise<Seen[]> {
    const { mode, occurredAt, transaction, customer, subscription, apiKey } = event;
    const of = { connectionId, mode };
    const at = toInstant(occurredAt);
    return Promise.resolve([
      ...(transaction ? transactionSeen(of, transaction) : []),
      ...(customer ? customerSeen(of, customer, at) : []),
      ...(subscription ? subscriptionSeen(of, subscription, at) : []),
      ...(apiKey ? [{ kind: 'key expiry' as const, connectionId, expiresAt: apiKey.expires_at }] : []),
    ]);
  }
}

function modeOf(key: string): ProviderMode | null {
  const kind = KEY.exec(key)?.[1];
  return kind === undefined ? null : kind === 'live' ? 'live' : 'test';
}
