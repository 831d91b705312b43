/**
 * The earner does not depend on the order in which events arrive (docs/domain-rules.md#order-of-facts): every order of a story ends in the same
 * commissions. ATTRIBUTION_STORIES sets the number of random stories, ATTRIBUTION_ORDERS the number of orders of each.
 */
import { beforeEach, describe, expect, test } from 'vitest';
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
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { useEventShop } from './event-shop.ts';
import { createAffiliate, createProgram, type Program } from './fixtures.ts';

const STORIES = Number(process.env['ATTRIBUTION_STORIES'] ?? 12);
const ORDERS = Number(process.env['ATTRIBUTION_ORDERS'] ?? 4);

const shop = useEventShop();
const DAY = 86_400;
/** The stories happened in the past, so that every commission is due by the same rules. */
const start = Math.floor(Date.now() / 1_000) - 400 * DAY;
const at = (day: number) => start + Math.round(day * DAY);

type Who = 'A' | 'B';
/** One thing that happened, on a day. A purchase is an invoice with its checkout; a renewal is an invoice alone. */
type Fact = { day: number; link?: Who; visit?: number; code?: Who } & (
  | { kind: 'trial' }
  | { kind: 'purchase' | 'renewal'; amount: number; refunded?: number }
);

interface Cast {
  program: Program;
  affiliates: Record<Who, string>;
  codes: Record<Who, string>;
}
let cast: Cast;

/** Two affiliates of one campaign, each with a code. */
async function engage(limits: Record<string, unknown> = {}): Promise<Cast> {
  const program = await createProgram(shop.merchant);
  await shop.merchant.call().campaigns.update({ id: program.campaignId, ...limits });
  const affiliates = { A: program.affiliateId, B: await createAffiliate(shop.merchant, program.campaignId) };
  if (shop.merchant.psp.records.coupons.length === 0) shop.merchant.psp.records.coupons.push(coupon({ id: 'SPRING' }));
  const codes = { A: '', B: '' };
  for (const who of ['A', 'B'] as const) {
    const code = promotionCode({ code: newId(who).toUpperCase(), promotion: { type: 'coupon', coupon: 'SPRING' } });
    shop.merchant.psp.records.promotionCodes.push(code);
    const { status } = await shop.merchant.api.post(
      `/affiliates/${affiliates[who]}/promo_codes`,
      { psp_promotion_code_id: code.id, dry_run: false },
      { 'Idempotency-Key': code.id },
    );
    expect(status).toBe(201);
    codes[who] = code.id;
  }
  return { program, affiliates, codes };
}

/** The referral of a visit on a day, as it would have been made then. */
async function visited(who: Who, day: number): Promise<string> {
  const { id } = await shop.merchant
    .call()
    .referrals.create({ affiliate_id: cast.affiliates[who], campaign_id: cast.program.campaignId });
  const visit = new Date(at(day) * 1_000).toISOString();
  await shop.service.services.database.kysely
    .updateTable('referral')
    .set({ created_at: visit, expires_at: new Date(at(day + 60) * 1_000).toISOString() })
    .where('id', '=', id)
    .execute();
  return id;
}

/** The provider's events of a story, for a new customer. */
async function tell(story: readonly Fact[]): Promise<{ events: WireEvent[]; chargeOf: Map<string, number> }> {
  const buyer = customer({ email: `${newId('x')}@buyer.example`, name: 'Ann Buyer' });
  const events: WireEvent[] = [];
  const chargeOf = new Map<string, number>();
  const visits = new Map<string, string>();
  for (const [index, fact] of story.entries()) {
    const discounts = fact.code ? [{ coupon: null, promotion_code: cast.codes[fact.code] }] : [];
    const visit = `${fact.link}${fact.visit ?? fact.day - 1}`;
    if (fact.link && !visits.has(visit)) visits.set(visit, await visited(fact.link, fact.visit ?? fact.day - 1));
    const bill = fact.kind === 'trial' ? null : invoice({ total: fact.amount, customer: buyer.id, customer_email: buyer.email });
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

/** Affiliate and amount of each commission of a story, by its charge's place in the story. */
async function earnings(chargeOf: ReadonlyMap<string, number>): Promise<string[]> {
  if (chargeOf.size === 0) return [];
  const rows = await shop.service.services.database.kysely
    .selectFrom('commission')
    .innerJoin('sale', 'sale.id', 'commission.sale_id')
    .select(['sale.psp_charge_id', 'commission.affiliate_id', 'commission.amount_cents', 'commission.state'])
    .where('sale.psp_charge_id', 'in', [...chargeOf.keys()])
    .where('commission.state', '!=', 'voided')
    .execute();
  const who = (id: string) => (id === cast.affiliates.A ? 'A' : 'B');
  return rows
    .map((row) => `${chargeOf.get(row.psp_charge_id!)}: ${who(row.affiliate_id)} ${row.amount_cents} ${row.state}`)
    .toSorted();
}

/** Tells a story in up to `limit` orders, each once; all must end alike. */
async function inEveryOrder(story: readonly Fact[], limit: number, random: () => number): Promise<string[]> {
  const first = await tell(story);
  const indexes = first.events.map((_, index) => index);
  const distinct = indexes.reduce((orders, i) => orders * (i + 1), 1);
  const tried = new Map([indexes, indexes.toReversed()].map((order) => [order.join(), order]));
  while (tried.size < Math.min(limit, distinct)) {
    const order = indexes
      .map((i) => [random(), i] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, i]) => i);
    tried.set(order.join(), order);
  }
  const results: string[][] = [];
  for (const [round, order] of [...tried.values()].entries()) {
    const { events, chargeOf } = round === 0 ? first : await tell(story);
    await shop.deliver(...order.map((i) => events[i]!));
    results.push(await earnings(chargeOf));
  }
  for (const result of results) expect({ story, result }).toEqual({ story, result: results[0] });
  return results[0]!;
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('the order of events', () => {
  beforeEach(async () => {
    cast = await engage();
  });

  test.each<[string, Fact[], string[]]>([
    [
      'a link wins over a code on one purchase',
      [{ kind: 'purchase', day: 10, amount: 1_000, link: 'A', code: 'B' }],
      ['0: A 200 due'],
    ],
    [
      'a code at the checkout of a trial attributes the purchase that follows',
      [
        { kind: 'trial', day: 10, code: 'B' },
        { kind: 'renewal', day: 24, amount: 1_000 },
      ],
      ['1: B 200 due'],
    ],
    [
      'a referral expires between two charges only if it has not converted',
      [
        { kind: 'purchase', day: 10, amount: 1_000, link: 'A' },
        { kind: 'renewal', day: 80, amount: 2_000 },
      ],
      ['0: A 200 due', '1: A 400 due'],
    ],
    [
      'an expired trial gives way to another affiliate’s code',
      [
        { kind: 'trial', day: 1, link: 'A' },
        { kind: 'purchase', day: 80, amount: 1_000, code: 'B' },
      ],
      ['1: B 200 due'],
    ],
    [
      'a charge from before the visit earns nothing',
      [
        { kind: 'renewal', day: 5, amount: 1_000 },
        { kind: 'purchase', day: 10, amount: 2_000, link: 'A', visit: 8 },
      ],
      ['1: A 400 due'],
    ],
    [
      'an invoice of nothing converts nobody',
      [
        { kind: 'purchase', day: 10, amount: 0, link: 'A' },
        { kind: 'purchase', day: 100, amount: 1_000, link: 'B' },
      ],
      ['1: B 200 due'],
    ],
    [
      'a partial refund counts in full, whenever it is told',
      [{ kind: 'purchase', day: 10, amount: 1_000, refunded: 400, link: 'A' }],
      ['0: A 120 due'],
    ],
  ])('%s', async (_, story, expected) => {
    expect(await inEveryOrder(story, Math.max(ORDERS, 6), randomFrom(1))).toEqual(expected);
  });

  test('max_commissions goes to the first charges', async () => {
    cast = await engage({ max_commissions: 1 });
    const story: Fact[] = [
      { kind: 'purchase', day: 10, amount: 1_000, link: 'A' },
      { kind: 'renewal', day: 40, amount: 2_000 },
      { kind: 'renewal', day: 70, amount: 3_000 },
    ];
    expect(await inEveryOrder(story, Math.max(ORDERS, 6), randomFrom(2))).toEqual(['0: A 200 due']);
  });

  test(`${STORIES} random stories end alike in ${ORDERS} orders each`, { timeout: 60_000 + STORIES * 4_000 }, async () => {
    let told = 0;
    for (let seed = 1; seed <= STORIES; seed += 1) {
      const random = randomFrom(seed);
      const pick = <T>(...from: T[]): T => from[Math.floor(random() * from.length)]!;
      if (seed % 3 === 0) cast = await engage({ max_commissions: 1 + Math.floor(random() * 2) });
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
      await inEveryOrder(story, ORDERS, random);
      told += 1;
    }
    expect(told).toBe(STORIES);
  });
});

test('two customers who turn out to be one are merged, and their sale earns', async () => {
  cast = await engage();
  const referral = await visited('A', 5);
  const email = `${newId('x')}@buyer.example`;
  // It has not expired, although the visit was long ago.
  await shop.service.services.database.kysely
    .updateTable('referral')
    .set({ expires_at: null })
    .where('id', '=', referral)
    .execute();
  await fetch(`${shop.service.url}/track/leads`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ referral_id: referral, email }),
  });
  const buyer = customer({ email: null });
  const paid = charge({ amount: 1_000, customer: buyer.id, created: at(20) });
  await shop.deliver(wireEvent('customer.created', buyer), wireEvent('charge.succeeded', paid));
  expect(await shop.commissions()).toEqual([]);
  await shop.deliver(wireEvent('customer.updated', { ...buyer, email }, { previous: { email: null } }));
  expect(await shop.commissions()).toMatchObject([
    { referral_id: referral, amount_cents: 200, sale: { referral: { customer: { email, psp_customer_id: buyer.id } } } },
  ]);
  const customers = await shop.service.services.database.kysely
    .selectFrom('customer')
    .select('id')
    .where('account_id', '=', shop.merchant.id)
    .execute();
  expect(customers).toHaveLength(1);
  const { data } = await shop.merchant.call().auditLog.list({ tool: 'customers' });
  expect(data).toMatchObject([
    {
      action: 'merge',
      caller_kind: 'system',
      outcome: 'succeeded',
      preview: false,
      arguments: {
        customer_id: customers[0]!.id,
        merged_customer_id: expect.stringMatching(/^cust_/),
        merged: { psp_customer_id: buyer.id },
        sale_ids: [expect.stringMatching(/^sale_/)],
      },
    },
  ]);
});
