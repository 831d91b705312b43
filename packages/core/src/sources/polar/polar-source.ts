import type { WriteCtx } from '../../platform/call/context.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { accountOfEitherMode, JsonApi } from '../port/json-api.ts';
import type { CompletionScope, ConnectionSettings, Delivery, ProviderMode, Source, Trust } from '../port/port.ts';
import type { Seen } from '../port/seen.ts';
import { secretKeyOf, verifyStandardWebhook } from '../port/standard-webhooks.ts';
import { PolarAccess } from './polar-access.ts';
import { EVENT_TYPES, type PolarEvent, readMessage } from './read.ts';
import { customerSeen, orderSeen, POLAR, subscriptionSeen } from './tell.ts';

const TOKEN = /^polar_(oat|pat)_[A-Za-z0-9_-]+$/;
const HOSTS = { live: 'https://api.polar.sh', test: 'https://sandbox-api.polar.sh' };
const VERSION = '2026-04';
/** Polar accepts 500 requests in a minute, and 100 in its sandbox. */
const PER_MINUTE = { live: 400, test: 80 };

/** Polar. Every event leads to its order, which is read with its refunds and disputes, so that the order of events does not matter. */
export class PolarSource implements Source<PolarEvent> {
  readonly kind = POLAR;
  readonly name = 'Polar';
  readonly eventTypes = EVENT_TYPES;
  readonly namingLine = 'polar.checkouts.create({ …, metadata: { referral: referralId } })';
  readonly fields = [{ name: 'access_token', isSecret: true, placeholder: 'polar_oat_…' }];
  readonly createsEndpoint = true;
  readonly givesUpSoon = true;
  readonly #bases: Readonly<Record<ProviderMode, string>>;
  readonly #timeoutMs: number;

  /** @param of.base another server for live requests. The sandbox is then reached at its path `/sandbox` */
  constructor({ base, timeoutMs }: { base?: string | undefined; timeoutMs: number }) {
    this.#bases = base === undefined ? HOSTS : { live: base, test: `${base}/sandbox` };
    this.#timeoutMs = timeoutMs;
  }

  /** A token does not name its mode: the sandbox is asked if Polar itself does not know the token. */
  connect(token: string) {
    return TOKEN.test(token) ? accountOfEitherMode((mode) => this.#access(token, mode)) : Promise.resolve(null);
  }

  open(token: string, _settings: ConnectionSettings, { mode }: CompletionScope): Promise<PolarAccess> {
    return Promise.resolve(this.#access(token, mode));
  }

  #access(token: string, mode: ProviderMode): PolarAccess {
    const headers = { Authorization: `Bearer ${token}`, 'Polar-Version': VERSION };
    const options = { base: this.#bases[mode], headers, timeoutMs: this.#timeoutMs, perMinute: PER_MINUTE[mode] };
    return new PolarAccess(new JsonApi(options), mode);
  }

  /** Polar signs with the text of the secret. It prepares to sign with the bytes that the text encodes, as the standard does. */
  verify(delivery: Delivery, secrets: readonly string[], now: Date): Promise<Trust> {
    const v1 = secrets.flatMap((secret) => {
      const bytes = secretKeyOf(secret);
      return bytes === null ? [Buffer.from(secret)] : [Buffer.from(secret), bytes];
    });
    return verifyStandardWebhook(delivery, { v1 }, now);
  }

  read(body: string, _settings: ConnectionSettings, mode: ProviderMode): PolarEvent {
    return readMessage(body, mode);
  }

  withoutPayer(event: PolarEvent): PolarEvent {
    const { whole, customer, subscription } = event;
    return {
      ...event,
      whole: whole && { ...whole, order: { ...whole.order, customer: null } },
      customer: customer && { ...customer, email: null, name: null },
      subscription: subscription && { ...subscription, customer: null },
    };
  }

  tell(_ctx: WriteCtx, connectionId: string, event: PolarEvent): Promise<Seen[]> {
    const { mode, occurredAt, whole, customer, subscription } = event;
    const of = { connectionId, mode };
    const at = toInstant(occurredAt);
    return Promise.resolve([
      ...(whole ? orderSeen(of, whole) : []),
      ...(customer ? customerSeen(of, customer, at) : []),
      ...(subscription ? subscriptionSeen(of, subscription, at) : []),
    ]);
  }
}
