/**
 * The earner does not depend on the order in which events arrive (docs/domain-rules.md#order-of-facts): every order of a story ends in the same
 * commissions. On request:
 * - ATTRIBUTION_STORIES=10000 tells as many random stories, ATTRIBUTION_ORDERS=24 tries as many orders of each, ATTRIBUTION_ACCOUNTS=4 tells
 *   them in as many accounts at once, and ATTRIBUTION_MINUTES=10 ends after that time;
 * - ATTRIBUTION_RECORDED=1 tells each of the recorded stories in every order.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { charge, customer, newId, wireEvent } from '../support/psp-server/index.ts';
import { useEventShop } from './event-shop.ts';
import { RECORDED_STORIES } from './recorded-stories.ts';
import { at, eventsOf, everyOrder, type Fact, randomFrom, randomOrders, randomStory, Stage } from './stories.ts';

const setting = (name: string, short: number) => Number(process.env[`ATTRIBUTION_${name}`] ?? short);
const STORIES = setting('STORIES', 12);
const ORDERS = setting('ORDERS', 4);
const ACCOUNTS = setting('ACCOUNTS', 1);
const A_DAY = 24 * 60;
const MINUTES = setting('MINUTES', A_DAY);
const RECORDED = setting('RECORDED', 0) === 1;

const shop = useEventShop();
let stage: Stage;
beforeEach(() => {
  stage = new Stage(shop.service, shop.merchant);
});

/** Runs the work of all items in some accounts at once, until the time is over. Returns how many were done, and the number of events. */
async function inAccounts<T>(items: readonly T[], work: (stage: Stage, item: T) => Promise<unknown>) {
  const end = Date.now() + MINUTES * 60_000;
  const stages = [stage];
  while (stages.length < ACCOUNTS) {
    const merchant = await shop.service.createMerchant();
    await merchant.connect();
    stages.push(new Stage(shop.service, merchant));
  }
  const queue = items.values();
  let done = 0;
  await Promise.all(
    stages.map(async (each) => {
      for (const item of queue) {
        await work(each, item);
        done += 1;
        if (Date.now() > end) return;
      }
    }),
  );
  return { done, events: stages.reduce((sum, { events }) => sum + events, 0) };
}

describe('the order of events', () => {
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
    const orders = randomOrders(Math.max(ORDERS, 6), randomFrom(1));
    expect(await stage.inOrders(await stage.cast(), story, orders)).toEqual(expected);
  });

  test('max_commissions goes to the first charges', async () => {
    const story: Fact[] = [
      { kind: 'purchase', day: 10, amount: 1_000, link: 'A' },
      { kind: 'renewal', day: 40, amount: 2_000 },
      { kind: 'renewal', day: 70, amount: 3_000 },
    ];
    const orders = randomOrders(Math.max(ORDERS, 6), randomFrom(2));
    expect(await stage.inOrders(await stage.cast(1), story, orders)).toEqual(['0: A 200 due']);
  });

  test('a charge that is refunded in full leaves its place under max_commissions', async () => {
    const story: Fact[] = [
      { kind: 'purchase', day: 129, amount: 1_000, code: 'B' },
      { kind: 'purchase', day: 57, amount: 2_500, code: 'B', refunded: 2_500 },
    ];
    const orders = randomOrders(Math.max(ORDERS, 12), randomFrom(3));
    expect(await stage.inOrders(await stage.cast(1), story, orders)).toEqual(['0: B 200 due']);
  });

  test(`${STORIES} random stories end alike in ${ORDERS} orders each`, { timeout: 60_000 + STORIES * 4_000 }, async () => {
    const seeds = Array.from({ length: STORIES }, (_, index) => index + 1);
    let tellings = 0;
    const told = await inAccounts(seeds, async (each, seed) => {
      const { story, maxCommissions, random } = randomStory(seed);
      const orders = randomOrders(ORDERS, random)(eventsOf(story));
      await each.inOrders(await each.cast(maxCommissions), story, () => orders);
      tellings += orders.length;
    });
    if (STORIES > 12) process.stdout.write(`${told.done} stories, ${tellings} tellings, ${told.events} events\n`);
    expect(told.done).toBeGreaterThanOrEqual(MINUTES < A_DAY ? 1 : STORIES);
  });

  test('there are 30 recorded stories, each of 3 to 5 events', () => {
    expect(RECORDED_STORIES).toHaveLength(30);
    for (const { story } of RECORDED_STORIES) expect([3, 4, 5]).toContain(eventsOf(story));
  });

  test.runIf(RECORDED)('every recorded story ends alike in every order', { timeout: 6 * 3_600_000 }, async () => {
    let tellings = 0;
    const told = await inAccounts(RECORDED_STORIES, async (each, { story, maxCommissions, earnings }) => {
      expect(await each.inOrders(await each.cast(maxCommissions), story, everyOrder)).toEqual(earnings);
      tellings += everyOrder(eventsOf(story)).length;
    });
    process.stdout.write(`${told.done} recorded stories, ${tellings} orders, ${told.events} events\n`);
    expect(told.done).toBe(RECORDED_STORIES.length);
  });
});

test('two customers who turn out to be one are merged, and their sale earns', async () => {
  const referral = await stage.visited(await stage.cast(), 'A', 5);
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
