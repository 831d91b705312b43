/**
 * Stories of a customer and two affiliates, told as the provider's events in any order (docs/domain-rules.md#order-of-facts). Each telling has a
 * customer of its own, so that thousands fit into one account.
 */
import { receivePspEvent } from '@affiliate/core';
import { equal, notEqual } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import {
  charge,
  checkoutCustomer,
  checkoutSession,
  coupon,
  customer,
  invoice,
  legacyInvoice,
  newId,
  promotionCode,
  refund,
  refundedCharge,
  signedDelivery,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { createAffiliate, createProgram, type Program } from './fixtures.ts';
import type { Merchant, PspTestService } from './service.ts';

const DAY = 86_400;
/** The stories happened in the past, so that every commission is due by the same rules. */
const start = Math.floor(Date.now() / 1_000) - 400 * DAY;
export const at = (day: number) => start + Math.round(day * DAY);

type Who = 'A' | 'B';
/** One thing that happened, on a day. A purchase is an invoice with its checkout; a renewal is an invoice alone. */
export type Fact = { day: number; link?: Who; visit?: number; code?: Who } & (
  | { kind: 'trial' }
  | { kind: 'purchase' | 'renewal'; amount: number; refunded?: number }
);

interface Cast {
  program: Program;
  affiliates: Record<Who, string>;
  codes: Record<Who, string>;
}

/** An account that receives the events of stories. */
export class Stage {
  readonly #service: PspTestService;
  readonly #merchant: Merchant;
  readonly #casts = new Map<number | null, Promise<Cast>>();
  /** Events delivered so far. */
  events = 0;

  constructor(service: PspTestService, merchant: Merchant) {
    this.#service = service;
    this.#merchant = merchant;
  }

  /** Two affiliates of one campaign with this limit, each with a code. */
  cast(maxCommissions: number | null = null): Promise<Cast> {
    const known = this.#casts.get(maxCommissions) ?? this.#engage(maxCommissions);
    this.#casts.set(maxCommissions, known);
    return known;
  }

  async #engage(maxCommissions: number | null): Promise<Cast> {
    const { psp, api } = this.#merchant;
    const program = await createProgram(this.#merchant);
    await this.#merchant.call().campaigns.update({ id: program.campaignId, max_commissions: maxCommissions });
    const affiliates = { A: program.affiliateId, B: await createAffiliate(this.#merchant, program.campaignId) };
    if (psp.records.coupons.length === 0) psp.records.coupons.push(coupon({ id: 'SPRING' }));
    const codes = { A: '', B: '' };
    for (const who of ['A', 'B'] as const) {
      const code = promotionCode({ code: newId(who).toUpperCase(), promotion: { type: 'coupon', coupon: 'SPRING' } });
      psp.records.promotionCodes.push(code);
      const { status } = await api.post(
        `/affiliates/${affiliates[who]}/promo_codes`,
        { psp_promotion_code_id: code.id, dry_run: false },
        { 'Idempotency-Key': code.id },
      );
      equal(status, 201);
      codes[who] = code.id;
    }
    return { program, affiliates, codes };
  }

  /** The referral of a visit on a day, as it would have been made then. */
  async visited({ affiliates, program }: Cast, who: Who, day: number): Promise<string> {
    const [created_at, expires_at] = [day, day + 60].map((each) => new Date(at(each) * 1_000).toISOString());
    const id = `ref_${crypto.randomUUID().replaceAll('-', '').slice(0, 26)}`;
    await this.#service.services.database.kysely
      .insertInto('referral')
      .values({
        id,
        account_id: this.#merchant.id,
        affiliate_id: affiliates[who],
        campaign_id: program.campaignId,
        conversion_state: 'visitor',
        expires_at: expires_at!,
        created_at: created_at!,
        updated_at: created_at!,
      })
      .execute();
    return id;
  }

  /** Delivers events in this order, as the provider does, without HTTP in between. */
  async #deliver(events: readonly WireEvent[]): Promise<void> {
    const { id: accountId, webhookSecret: secret } = this.#merchant;
    for (const event of events) {
      const timestamp = Math.floor(this.#service.clock.now().getTime() / 1_000);
      const { body, headers } = signedDelivery(event, { secret, timestamp });
      const outcome = await receivePspEvent(this.#service.services, {
        accountId,
        readBody: () => Promise.resolve(new TextEncoder().encode(body)),
        signatureHeader: headers['stripe-signature'],
        requestId: 'story',
      });
      // An invoice of nothing is ignored.
      notEqual(outcome, 'duplicate');
      this.events += 1;
    }
  }

  /** A story told anew: the same facts of another customer, as the provider's events. */
  async #tell(cast: Cast, story: readonly Fact[]): Promise<{ events: WireEvent[]; chargeOf: Map<string, number> }> {
    const buyer = customer({ email: `${newId('x')}@buyer.example`, name: 'Ann Buyer' });
    const events: WireEvent[] = [];
    const chargeOf = new Map<string, number>();
    const visits = new Map<string, string>();
    for (const [index, fact] of story.entries()) {
      const discounts = fact.code ? [{ coupon: null, promotion_code: cast.codes[fact.code] }] : [];
      const visit = `${fact.link}${fact.visit ?? fact.day - 1}`;
      if (fact.link && !visits.has(visit)) visits.set(visit, await this.visited(cast, fact.link, fact.visit ?? fact.day - 1));
      const bill =
        fact.kind === 'trial' ? null : invoice({ total: fact.amount, customer: buyer.id, customer_email: buyer.email });
      if (fact.kind !== 'renewal') {
        const checkout = checkoutSession({
          mode: 'subscription',
          created: at(fact.day),
          client_reference_id: fact.link ? visits.get(visit)! : null,
          customer: buyer.id,
          customer_details: checkoutCustomer({ email: buyer.email ?? '', name: 'Ann Buyer' }),
          invoice: bill?.id ?? null,
          discounts,
        });
        events.push(wireEvent('checkout.session.completed', checkout, { created: at(fact.day) }));
      }
      if (fact.kind === 'trial' || bill === null) continue;
      // Ids in the order of the story, so that charges of one second tie alike each time.
      const paid = charge({
        id: `ch_${String(index).padStart(3, '0')}${newId('x')}`,
        amount: fact.amount,
        customer: buyer.id,
        created: at(fact.day),
      });
      const told = legacyInvoice({ ...bill, status_transitions: { ...bill.status_transitions, paid_at: at(fact.day) } }, paid);
      events.push(wireEvent('invoice.paid', told, { created: at(fact.day) }));
      chargeOf.set(paid.id, index);
      if (fact.refunded) {
        const back = refund(paid, { amount: fact.refunded });
        events.push(wireEvent('charge.refunded', refundedCharge(paid, [back]), { created: at(fact.day + 1) }));
      }
    }
    return { events, chargeOf };
  }

  /** Affiliate and amount of each commission of a telling, by its charge's place in the story. */
  async #earnings(cast: Cast, chargeOf: ReadonlyMap<string, number>): Promise<string[]> {
    if (chargeOf.size === 0) return [];
    const rows = await this.#service.services.database.kysely
      .selectFrom('commission')
      .innerJoin('sale', 'sale.id', 'commission.sale_id')
      .select(['sale.psp_charge_id', 'commission.affiliate_id', 'commission.amount_cents', 'commission.state'])
      .where('sale.account_id', '=', this.#merchant.id)
      .where('sale.psp_charge_id', 'in', [...chargeOf.keys()])
      .where('commission.state', '!=', 'voided')
      .execute();
    const who = (id: string) => (id === cast.affiliates.A ? 'A' : 'B');
    return rows
      .map((row) => `${chargeOf.get(row.psp_charge_id!)}: ${who(row.affiliate_id)} ${row.amount_cents} ${row.state}`)
      .toSorted();
  }

  /** Tells a story in these orders of its events; all must end alike. Returns the earnings. */
  async inOrders(cast: Cast, story: readonly Fact[], ordersOf: (events: number) => readonly number[][]): Promise<string[]> {
    const first = await this.#tell(cast, story);
    const results: string[][] = [];
    for (const [round, order] of ordersOf(first.events.length).entries()) {
      const { events, chargeOf } = round === 0 ? first : await this.#tell(cast, story);
      await this.#deliver(order.map((i) => events[i]!));
      results.push(await this.#earnings(cast, chargeOf));
      if (!isDeepStrictEqual(results[round], results[0]))
        throw new Error(failure(story, { order, results: [results[0], results[round]] }));
    }
    return results[0]!;
  }
}

function failure(story: readonly Fact[], { order, results }: { order: readonly number[]; results: unknown[] }): string {
  return ['The order changes the earnings.', ...[...story, { order, results }].map((part) => JSON.stringify(part))].join('\n');
}

/** Up to `limit` different orders, the given one and its reverse among them. */
export function randomOrders(limit: number, random: () => number): (length: number) => number[][] {
  return (length) => {
    const indexes = Array.from({ length }, (_, i) => i);
    const distinct = indexes.reduce((orders, i) => orders * (i + 1), 1);
    const tried = new Map([indexes, indexes.toReversed()].map((order) => [order.join(), order]));
    while (tried.size < Math.min(limit, distinct)) {
      const order = indexes
        .map((i) => [random(), i] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, i]) => i);
      tried.set(order.join(), order);
    }
    return [...tried.values()];
  };
}

/** Every order. */
export function everyOrder(length: number): number[][] {
  const permute = (items: number[]): number[][] =>
    items.length < 2 ? [items] : items.flatMap((item, i) => permute(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
  return permute(Array.from({ length }, (_, i) => i));
}

/** The number of events of a story. */
export function eventsOf(story: readonly Fact[]): number {
  return story.reduce((sum, fact) => sum + (fact.kind === 'purchase' ? 2 : 1) + ('refunded' in fact && fact.refunded ? 1 : 0), 0);
}

/** A story made from random numbers, with the limit of its campaign. */
export function randomStory(seed: number): { story: Fact[]; maxCommissions: number | null; random: () => number } {
  const random = randomFrom(seed);
  const pick = <T>(...from: T[]): T => from[Math.floor(random() * from.length)]!;
  const maxCommissions = seed % 3 === 0 ? 1 + Math.floor(random() * 2) : null;
  const length = 1 + Math.floor(random() * 3);
  const story = Array.from({ length }, (): Fact => {
    const day = Math.floor(random() * 150) + 1;
    const amount = pick(0, 1_000, 2_500);
    const link = pick<Who | undefined>('A', 'B', undefined);
    const visit = day - pick(1, 20, 70);
    const code = pick<Who | undefined>('A', 'B', undefined);
    const from = { ...(link ? { link, visit } : {}), ...(code ? { code } : {}) };
    const kind = pick('trial', 'purchase', 'purchase', 'renewal');
    if (kind === 'trial') return { kind, day, ...from };
    if (kind === 'renewal') return { kind, day, amount };
    return { kind, day, amount, ...from, ...(amount > 0 && random() < 0.3 ? { refunded: pick(amount, amount / 2) } : {}) };
  });
  return { story, maxCommissions, random };
}

/** Mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
