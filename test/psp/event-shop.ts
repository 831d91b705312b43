import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import {
  type ApiVersion,
  charge,
  checkoutCustomer,
  checkoutSession,
  customer,
  newId,
  sendEvent,
  VersionedEvents,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { sample } from '../support/thorough.ts';
import { createProgram, type Program } from './fixtures.ts';
import { type Merchant, type PspTestService, startPspService } from './service.ts';

interface Commission {
  id: string;
  state: string;
  kind: string;
  amount_cents: number;
  currency: string;
  void_reason: string | null;
  due_at: string;
  referral_id: string;
  sale_id: string;
  payout_id: string | null;
  review_status: string | null;
  review_reason: string | null;
  sale: Sale;
}

interface Sale {
  psp_charge_id: string | null;
  psp_invoice_id: string | null;
  charge_amount_cents: number;
  tax_amount_cents: number;
  refund_amount_cents: number;
  currency: string;
  description: string | null;
  promo_code: string | null;
  referral: { customer: { email: string | null; name: string | null; psp_customer_id?: string | null } | null };
}

/** A merchant to whom the payment provider sends the events of a shop. Each test uses a new one. */
export class EventShop {
  service!: PspTestService;
  merchant!: Merchant;
  program!: Program;
  /** URL to which the provider sends its events. */
  endpoint!: string;

  /** Time of the clock before the tests of the file. */
  startedAt!: string;

  readonly #mode: 'live' | 'test';

  /** @param mode mode of the merchants' accounts at the provider */
  constructor(mode: 'live' | 'test' = 'test') {
    this.#mode = mode;
  }

  restoreClock(): void {
    this.service.clock.set(this.startedAt);
  }

  async open(): Promise<void> {
    this.merchant = await this.service.createMerchant(this.#mode);
    await this.merchant.connect();
    this.program = await createProgram(this.merchant);
    this.endpoint = `${this.service.url}/psp/webhooks/${this.merchant.id}`;
  }

  /** Makes events of an API version. */
  in(version: ApiVersion): VersionedEvents {
    return new VersionedEvents(version, this.merchant.psp.records);
  }

  /** Delivers the events one after the other. Throws if the service answers an event with an error. */
  async deliver(...events: WireEvent[]): Promise<void> {
    for (const event of events) {
      const timestamp = Math.floor(this.service.clock.now().getTime() / 1_000);
      const response = await sendEvent(this.endpoint, event, { secret: this.merchant.webhookSecret, timestamp });
      if (response.status !== 200) throw new Error(`${event.type} was answered with status ${response.status}`);
    }
  }

  /** Creates a visit through the affiliate's link. Returns the referral's id. */
  async refer(): Promise<string> {
    const { affiliateId: affiliate_id, campaignId: campaign_id } = this.program;
    return (await this.merchant.call().referrals.create({ affiliate_id, campaign_id })).id;
  }

  async commissions(): Promise<Commission[]> {
    const { status, body } = await this.merchant.api.get<{ data: Commission[] }>('/commissions', { expand: 'sale' });
    if (status !== 200) throw new Error(`GET /commissions answered ${status}`);
    return body.data;
  }

  /** Returns the number of the merchant's records in a table. */
  async count(table: 'sale' | 'customer'): Promise<number> {
    const rows = await this.service.services.database.kysely
      .selectFrom(table)
      .select('id')
      .where('account_id', '=', this.merchant.id)
      .execute();
    return rows.length;
  }

  async storedEvents() {
    return this.service.services.database.kysely
      .selectFrom('psp_event')
      .select(['state', 'problem'])
      .where('account_id', '=', this.merchant.id)
      .orderBy('received_at')
      .execute();
  }
}

/**
 * Opens a new shop for each test of a file.
 *
 * @param options.isNewForEach false if the tests open shops themselves
 * @param options.writesRows, options.checksIndexes see `ServiceOptions`
 * @param options.isLive true if the merchants' accounts at the provider are in live mode
 * @param options.pspTimeoutMs time-out of the service's calls to the provider
 * @param options.restoresClock true to set the clock back after each test. The provider's objects have the real time as their creation time, so
 *   visits must come before charges
 */
export function useEventShop({
  isNewForEach = true,
  writesRows = false,
  restoresClock = false,
  isLive = false,
  pspTimeoutMs,
  checksIndexes = false,
}: {
  isNewForEach?: boolean;
  writesRows?: boolean;
  restoresClock?: boolean;
  isLive?: boolean;
  pspTimeoutMs?: number;
  checksIndexes?: boolean;
} = {}): EventShop {
  const shop = new EventShop(isLive ? 'live' : 'test');
  beforeAll(async () => {
    shop.service = await startPspService({ writesRows, checksIndexes, ...(pspTimeoutMs !== undefined && { pspTimeoutMs }) });
    shop.startedAt = shop.service.clock.instant();
  });
  if (restoresClock) afterEach(() => shop.restoreClock());
  afterAll(() => shop.service.stop());
  afterEach(() => shop.service.psp.faults.liftAll());
  if (isNewForEach) beforeEach(() => shop.open());
  return shop;
}

/** Returns all permutations of the items. */
export function orders<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, i) => orders(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

/** Orders of three events. The ordinary run uses half of them, in which each event comes first once and each pair of events occurs in both orders. */
export const TRIED_ORDERS = sample(orders([0, 1, 2]), 2, 0);

/** Returns the events of a one-off payment through a checkout by a visitor whom the affiliate sent. */
export function oneOffPayment(referralId: string | null) {
  const buyer = customer({ email: `${newId('x')}@buyer.example`, name: 'Ann Buyer' });
  const paid = charge({ amount: 11_900, currency: 'eur', customer: buyer.id, description: 'A chair' });
  const checkout = checkoutSession({
    client_reference_id: referralId,
    customer: buyer.id,
    customer_details: checkoutCustomer({ email: buyer.email ?? '', name: 'Ann Buyer' }),
    payment_intent: paid.payment_intent,
    currency: 'eur',
    amount_total: 11_900,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 1_900 },
  });
  return {
    buyer,
    paid,
    checkout,
    events: [
      wireEvent('customer.created', buyer),
      wireEvent('checkout.session.completed', checkout),
      wireEvent('charge.succeeded', paid),
    ],
  };
}
