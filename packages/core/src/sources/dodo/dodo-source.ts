import type { WriteCtx } from '../../platform/call/context.ts';
import { accountOfEitherMode, JsonApi } from '../port/json-api.ts';
import type { CompletionScope, ConnectionSettings, Delivery, ProviderMode, Source, Trust } from '../port/port.ts';
import type { Seen } from '../port/seen.ts';
import { secretKeyOf, verifyStandardWebhook } from '../port/standard-webhooks.ts';
import { DodoAccess } from './dodo-access.ts';
import { type DodoEvent, EVENT_TYPES, readMessage } from './read.ts';
import { DODO, paymentSeen } from './tell.ts';

const KEY = /^[A-Za-z0-9_.-]{20,200}$/;
const HOSTS = { live: 'https://live.dodopayments.com', test: 'https://test.dodopayments.com' };
/** Dodo does not publish its limit. */
const PER_MINUTE = 200;

/** Dodo Payments. Every event leads to its payment, which is read with its refunds and disputes, so that the order of events does not matter. */
export class DodoSource implements Source<DodoEvent> {
  readonly kind = DODO;
  readonly name = 'Dodo Payments';
  readonly eventTypes = EVENT_TYPES;
  readonly namingLine = 'dodo.checkoutSessions.create({ …, metadata: { referral: referralId } })';
  readonly fields = [{ name: 'api_key', isSecret: true, placeholder: '…' }];
  readonly createsEndpoint = true;
  readonly #bases: Readonly<Record<ProviderMode, string>>;
  readonly #timeoutMs: number;

  /** @param of.base another server for live requests. Test mode is then reached at its path `/test` */
  constructor({ base, timeoutMs }: { base?: string | undefined; timeoutMs: number }) {
    this.#bases = base === undefined ? HOSTS : { live: base, test: `${base}/test` };
    this.#timeoutMs = timeoutMs;
  }

  /** A key does not name its mode: test mode is asked if live mode does not know the key. */
  connect(key: string) {
    return KEY.test(key) ? accountOfEitherMode((mode) => this.#access(key, mode)) : Promise.resolve(null);
  }

  open(key: string, _settings: ConnectionSettings, { mode }: CompletionScope): Promise<DodoAccess> {
    return Promise.resolve(this.#access(key, mode));
  }

  #access(key: string, mode: ProviderMode): DodoAccess {
    const headers = { Authorization: `Bearer ${key}` };
    return new DodoAccess(
      new JsonApi({ base: this.#bases[mode], headers, timeoutMs: this.#timeoutMs, perMinute: PER_MINUTE }),
      mode,
    );
  }

  verify(delivery: Delivery, secrets: readonly string[], now: Date): Promise<Trust> {
    return verifyStandardWebhook(delivery, { v1: secrets.flatMap((secret) => secretKeyOf(secret) ?? []) }, now);
  }

  isSigningSecret(text: string): boolean {
    return secretKeyOf(text) !== null;
  }

  read(body: string, _settings: ConnectionSettings, mode: ProviderMode): DodoEvent {
    return readMessage(body, mode);
  }

  withoutPayer(event: DodoEvent): DodoEvent {
    const { read } = event;
    if (read === null) return event;
    const { payment, at } = read;
    return { ...event, read: { at, payment: { ...payment, customer: { ...payment.customer, email: null, name: null } } } };
  }

  tell(_ctx: WriteCtx, connectionId: string, { mode, read }: DodoEvent): Promise<Seen[]> {
    return Promise.resolve(read === null ? [] : paymentSeen({ connectionId, mode }, read.payment, read.at));
  }
}
