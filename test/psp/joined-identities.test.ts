/** Identities join at a time: what a stranger typed joins from then on, and takes nothing that was earned before (docs/rules/attribution.md#identities). */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import {
  charge,
  checkoutCustomer,
  checkoutSession,
  customer,
  newId,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { sample } from '../support/thorough.ts';
import { orders } from './event-shop.ts';
import { createAffiliate } from './fixtures.ts';
import { useLiveShop } from './live-shop.ts';

const { shop, reopen, deliver, post } = useLiveShop();

interface Story {
  /** The visits through the links of F, the affiliate of the stranger, and of G. F's visit comes first. */
  f: string;
  g: string;
  email: string;
  buyer: ReturnType<typeof customer>;
  stranger: ReturnType<typeof customer>;
  /** Time of the story in seconds since the epoch. */
  at: (minute: number) => number;
  /** A charge of an id. */
  pay: (of: { id: string } | null, minute: number, amount?: number) => ReturnType<typeof charge>;
  /** The checkout of a stranger, opened by F's link before the buyer paid. */
  opened: (more: Parameters<typeof checkoutSession>[0]) => WireEvent;
  /** The buyer's events: they come by G's link, pay 100.00, and pay again after the stranger has typed their address. */
  bought: () => WireEvent[];
}

async function story(): Promise<Story> {
  await reopen();
  shop.service.clock.set(new Date().toISOString());
  const { merchant, program } = shop;
  const accomplice = await createAffiliate(merchant, program.campaignId);
  const visit = async (affiliate_id: string) =>
    (await merchant.call().referrals.create({ affiliate_id, campaign_id: program.campaignId })).id;
  const f = await visit(accomplice);
  shop.service.clock.advance(2, 'seconds');
  const g = await visit(program.affiliateId);
  const start = Math.floor(shop.service.clock.now().getTime() / 1_000);
  shop.service.clock.advance(2, 'hours');
  const at = (minute: number) => start + minute * 60;
  const email = `${newId('v')}@buyer.example`;
  const buyer = customer({ email, created: at(2) });
  const stranger = customer({ email: `${newId('a')}@stranger.example`, created: at(1) });
  const pay: Story['pay'] = (of, minute, amount = 10_000) =>
    charge({ amount, customer: of?.id ?? null, receipt_email: of === null ? email : null, created: at(minute) });
  const opened: Story['opened'] = (more) =>
    wireEvent(
      'checkout.session.completed',
      checkoutSession({
        created: at(1),
        client_reference_id: f,
        customer: stranger.id,
        payment_intent: null,
        amount_total: 0,
        ...more,
      }),
      { created: at(5) },
    );
  const bought = () => {
    const first = pay(buyer, 3);
    const checkout = checkoutSession({
      created: at(2),
      client_reference_id: g,
      customer: buyer.id,
      customer_details: checkoutCustomer({ email }),
      payment_intent: first.payment_intent,
      amount_total: 10_000,
    });
    return [
      wireEvent('checkout.session.completed', checkout, { created: at(3) }),
      wireEvent('charge.succeeded', first, { created: at(3) }),
      wireEvent('charge.succeeded', pay(buyer, 8), { created: at(8) }),
    ];
  };
  return { f, g, email, buyer, stranger, at, pay, opened, bought };
}

/** Returns the standing earnings of each referral in cents, by the id of the referral. */
async function earned(): Promise<Record<string, number[]>> {
  const { body } = await shop.merchant.api.get<{ data: { referral_id: string; state: string; amount_cents: number }[] }>(
    '/commissions',
    { limit: '100' },
  );
  const standing = body.data.filter(({ state }) => state !== 'voided').toSorted((a, b) => a.amount_cents - b.amount_cents);
  return Object.fromEntries(
    [...Map.groupBy(standing, (each) => each.referral_id)].map(([id, of]) => [id, of.map(({ amount_cents }) => amount_cents)]),
  );
}

/** Tells stories in several orders of their facts. Returns the orders with another outcome than the expected one. */
async function wrongOrders(
  facts: (told: Story) => (WireEvent | (() => Promise<void>))[],
  expected: (told: Story) => Record<string, number[]>,
): Promise<object[]> {
  const wrong: object[] = [];
  const count = facts(await story()).length;
  for (const order of sample(orders(Array.from({ length: count }, (_, i) => i)), count < 5 ? 3 : 24, 0)) {
    const told = await story();
    const all = facts(told);
    for (const place of order) {
      const fact = all[place]!;
      if (typeof fact === 'function') await fact();
      else await deliver(fact);
    }
    const found = await earned();
    if (!isDeepStrictEqual(found, expected(told))) wrong.push({ order, found, expected: expected(told) });
  }
  return wrong;
}

test('the open checkout of a stranger who types the address of a buyer takes nothing, in every order', async () => {
  const wrong = await wrongOrders(
    ({ opened, bought, email }) => [...bought(), opened({ customer_details: checkoutCustomer({ email }) })],
    ({ g }) => ({ [g]: [2_000, 2_000] }),
  );
  expect(wrong).toEqual([]);
}, 240_000);

test('so does the open checkout of a guest', async () => {
  const wrong = await wrongOrders(
    ({ opened, bought, email }) => [...bought(), opened({ customer: null, customer_details: checkoutCustomer({ email }) })],
    ({ g }) => ({ [g]: [2_000, 2_000] }),
  );
  expect(wrong).toEqual([]);
}, 240_000);

test('so does a stranger who edits their address at the provider later', async () => {
  const wrong = await wrongOrders(
    ({ opened, bought, email, stranger, at }) => [
      ...bought(),
      opened({ customer_details: checkoutCustomer({ email: stranger.email! }) }),
      wireEvent('customer.updated', { ...stranger, email }, { created: at(6), previous: { email: stranger.email } }),
    ],
    ({ g }) => ({ [g]: [2_000, 2_000] }),
  );
  expect(wrong).toEqual([]);
}, 480_000);

test('a stranger who pays earns their own affiliate that charge, and later ones belong to who converted the person first', async () => {
  const wrong = await wrongOrders(
    ({ opened, bought, email, stranger, at, pay }) => {
      const own = pay(stranger, 4, 1_000);
      return [
        ...bought(),
        opened({ customer_details: checkoutCustomer({ email: stranger.email! }), payment_intent: own.payment_intent }),
        wireEvent('charge.succeeded', own, { created: at(4) }),
        // The edit, and a charge of the stranger after it.
        wireEvent('customer.updated', { ...stranger, email }, { created: at(6), previous: { email: stranger.email } }),
        wireEvent('charge.succeeded', pay(stranger, 7, 500), { created: at(7) }),
      ].filter((_, i) => i !== 2);
    },
    ({ f, g }) => ({ [f]: [200], [g]: [100, 2_000] }),
  );
  expect(wrong).toEqual([]);
}, 480_000);

test('a checkout that names its address before the charge counts, whichever event comes first', async () => {
  const wrong = await wrongOrders(
    ({ f, email, buyer, stranger, at, pay }) => [
      wireEvent(
        'checkout.session.completed',
        checkoutSession({
          created: at(1),
          client_reference_id: f,
          customer: stranger.id,
          customer_details: checkoutCustomer({ email }),
          payment_intent: null,
          amount_total: 0,
        }),
        { created: at(1) },
      ),
      wireEvent('customer.created', buyer, { created: at(2) }),
      wireEvent('charge.succeeded', pay(buyer, 3), { created: at(3) }),
    ],
    ({ f }) => ({ [f]: [2_000] }),
  );
  expect(wrong).toEqual([]);
}, 240_000);

test('a report that shows two ids with a charge joins them at the charge', async () => {
  const wrong = await wrongOrders(
    ({ buyer, stranger, at, pay, opened }) => {
      const [before, shown] = [pay(buyer, 3), pay(buyer, 6)];
      return [
        opened({ customer_details: checkoutCustomer({ email: stranger.email! }) }),
        wireEvent('charge.succeeded', before, { created: at(3) }),
        wireEvent('charge.succeeded', shown, { created: at(6) }),
        async () => {
          const { status } = await post({
            external_id: 'order-1',
            amount_cents: 10_000,
            currency: 'USD',
            customer_email: stranger.email,
            psp_charge_id: shown.id,
            charged_at: new Date(at(6) * 1_000).toISOString(),
          });
          expect(status).toBeLessThan(202);
        },
      ];
    },
    // The first charge came before the ids were known to be of one person.
    ({ f }) => ({ [f]: [2_000] }),
  );
  expect(wrong).toEqual([]);
}, 240_000);
