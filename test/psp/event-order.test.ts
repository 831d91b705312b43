/**
 * The outcome does not depend on the order in which events arrive (docs/rules/attribution.md#order-of-facts): a story must have the same commissions,
 * flags, refusals and states of referrals in every order of its events, and events must announce exactly these. Only a payment before a fact keeps the
 * commission where it is (docs/rules/attribution.md#paid-commissions). These variables change the tests:
 * - ATTRIBUTION_STORIES=600 sets the number of random stories (`pnpm test:orders`).
 * - TEST_SEED=7 sets the seed of the first random story; the following stories have the following seeds. A failed story is reported with its seed.
 * - ATTRIBUTION_ORDERS=24 sets the number of event orders in which each story runs.
 * - ATTRIBUTION_ACCOUNTS=4 sets the number of accounts that run stories concurrently.
 * - ATTRIBUTION_MINUTES=10 ends the test after ten minutes.
 * - ATTRIBUTION_THEME=caps runs only random stories of this theme (`story-themes.ts`), or with `none` those without a theme. Without it, 14 of 20 stories are
 *   themed, one of each theme.
 * - ATTRIBUTION_RECORDED=1 runs each of the recorded stories in every order.
 */
import { Client } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { checkDecided } from '../support/decided.ts';
import { charge, customer, newId, wireEvent } from '../support/psp-server/index.ts';
import { SAMPLE_SEED, SEED } from '../support/seed.ts';
import { sample, THOROUGH } from '../support/thorough.ts';
import { useEventShop } from './event-shop.ts';
import { ORDERS_THAT_DIFFERED, ORDINARY_STORIES, STORIES_OF_A_SETTING } from './ordered-stories.ts';
import { RECORDED_STORIES } from './recorded-stories.ts';
import { REWARDED_STORIES } from './rewarded-stories.ts';
import { Stage } from './stories.ts';
import { everyOrder, type Fact, randomFrom, randomOrders, randomStory } from './story-facts.ts';
import { withSecondSource } from './story-orders.ts';
import { THEME_NAMES, type ThemeName, themedStory } from './story-themes.ts';

const setting = (name: string, short: number) => Number(process.env[`ATTRIBUTION_${name}`] ?? short);
const STORIES = setting('STORIES', THOROUGH ? 60 : 7);
/** Number of orders in which the events of a story are sent. The first two are the given order and its reverse. */
const ORDERS = setting('ORDERS', THOROUGH ? 6 : 2);
/** Number of orders in which the events of a long story are sent. */
const MORE_ORDERS = Math.max(ORDERS, THOROUGH ? 12 : 2);
const ACCOUNTS = setting('ACCOUNTS', 1);
const A_DAY = 24 * 60;
const MINUTES = setting('MINUTES', A_DAY);
const RECORDED = setting('RECORDED', 0) === 1;
const THEME = process.env['ATTRIBUTION_THEME'] as ThemeName | 'none' | undefined;

/** The short run tells the same themed stories each time, and others in the long runs. */
const IS_SHORT = !THOROUGH && process.env['ATTRIBUTION_STORIES'] === undefined;
const KNOWN_SEED = 9_020;

/** Returns a random story. Of consecutive seeds, 14 of 20 have a theme each. */
function storyOf(seed: number) {
  if (THEME === 'none') return randomStory(seed);
  const name = THEME ?? THEME_NAMES[seed % 20];
  return name === undefined ? randomStory(seed) : themedStory(seed, name);
}

const shop = useEventShop({ isNewForEach: false, writesRows: true, pspTimeoutMs: 60_000 });
/** Shared by all stories, because each run of a story has its own customer. */
let stage: Stage;
beforeAll(async () => {
  await shop.open();
  stage = new Stage(shop.service, shop.merchant);
});

async function keepInShape(): Promise<void> {
  const database = new Client({ connectionString: shop.service.databaseUrl });
  await database.connect();
  await database.query('vacuum (analyze)');
  await database.end();
}

/** Lists the given order and other ones: of only two, the second one is the reverse for every other seed, and a random one for the others. */
function ordersOf(seed: number, random: () => number, orders = ORDERS): (length: number) => number[][] {
  if (orders > 2 || seed % 2 === 0) return randomOrders(orders, random);
  return (length) => {
    const [given, reverse, other = reverse] = randomOrders(3, random)(length);
    return [given, other].filter((order) => order !== undefined);
  };
}

/** Number of orders after which the tables have grown so much that PostgreSQL needs new plans. */
const ORDERS_IN_SHAPE = 100;

/**
 * Distributes the items over several accounts, which work concurrently until the time is over. Returns the numbers of finished items, orders, events,
 * payouts and contested runs.
 */
async function inAccounts<T>(items: readonly T[], work: (stage: Stage, item: T) => Promise<unknown>) {
  const end = Date.now() + MINUTES * 60_000;
  const stages = [stage];
  while (stages.length < ACCOUNTS) {
    const merchant = await shop.service.createMerchant();
    await merchant.connect();
    stages.push(new Stage(shop.service, merchant));
  }
  const sum = (of: 'orders' | 'events' | 'payouts' | 'contested' | 'unmentioned') =>
    stages.reduce((total, each) => total + each[of], 0);
  const queue = items.values();
  let [done, shapeAt] = [0, ORDERS_IN_SHAPE];
  await Promise.all(
    stages.map(async (each) => {
      for (const item of queue) {
        await work(each, item);
        done += 1;
        if (Date.now() > end) return;
        // The tests' server has no autovacuum, and PostgreSQL would keep the plans that it made for small tables.
        if (sum('orders') < shapeAt) continue;
        shapeAt = sum('orders') + ORDERS_IN_SHAPE;
        await keepInShape();
      }
    }),
  );
  return {
    done,
    orders: sum('orders'),
    events: sum('events'),
    payouts: sum('payouts'),
    contested: sum('contested'),
    unmentioned: sum('unmentioned'),
  };
}

describe('the order of events', () => {
  test.each(ORDINARY_STORIES)('does not affect the result: %s', async (_, story, expected) => {
    const orders = randomOrders(ORDERS, randomFrom(1));
    expect((await stage.inOrders({ maxCommissions: null }, story, orders)).earnings).toEqual(expected);
  });

  test('does not affect max_commissions, which always covers the first charges', async () => {
    const story: Fact[] = [
      { kind: 'purchase', day: 10, amount: 1_000, link: 'A' },
      { kind: 'renewal', day: 40, amount: 2_000 },
      { kind: 'renewal', day: 70, amount: 3_000 },
    ];
    const orders = randomOrders(ORDERS, randomFrom(2));
    expect((await stage.inOrders({ maxCommissions: 1 }, story, orders)).earnings).toEqual(['0 A test 200']);
  });

  test('does not affect that a fully refunded charge frees its place under max_commissions', async () => {
    const story: Fact[] = [
      { kind: 'purchase', day: 129, amount: 1_000, code: 'B' },
      { kind: 'purchase', day: 57, amount: 2_500, code: 'B', refunded: 2_500 },
    ];
    const orders = ordersOf(SAMPLE_SEED, randomFrom(3), MORE_ORDERS);
    expect((await stage.inOrders({ maxCommissions: 1 }, story, orders)).earnings).toEqual(['0 B test 200']);
  });

  test.each(STORIES_OF_A_SETTING)('does not affect the result: %s', async (_, setting, story, expected) => {
    expect((await stage.inOrders(setting, story, randomOrders(ORDERS, randomFrom(4)))).earnings).toEqual(expected);
  });

  test.each(sample(REWARDED_STORIES, 4, 1))('does not affect the result: %s', async (_, setting, story, expected) => {
    const outcome = await stage.inOrders(
      { maxCommissions: null, live: true, sweeps: 0.3, ...setting },
      story,
      ordersOf(SAMPLE_SEED, randomFrom(6), MORE_ORDERS),
    );
    expect(outcome).toMatchObject(expected);
  });

  test.each(sample(ORDERS_THAT_DIFFERED, 4, 0))('does not affect the result: %s', async (_, setting, story, order, expected) => {
    const { earnings } = await stage.inOrders(setting, story, (events) => [[...Array(events).keys()], order]);
    expect(earnings).toEqual(expected);
  });

  test(
    `does not affect the result of ${STORIES} random stories in ${ORDERS} orders each`,
    { timeout: 60_000 + STORIES * ORDERS * 2_000 },
    async () => {
      // The short run tells a third of the known stories.
      const first = IS_SHORT ? KNOWN_SEED + (SAMPLE_SEED % 3) * STORIES : SEED;
      const seeds = Array.from({ length: STORIES }, (_, index) => first + index);
      const failures: string[] = [];
      let earning = 0;
      const told = await inAccounts(seeds, async (each, seed) => {
        const { story, setting, random } = storyOf(seed);
        try {
          if ((await each.inOrders(setting, story, ordersOf(seed, random))).earnings.length > 0) earning += 1;
        } catch (error) {
          failures.push(`Story ${seed}: ${String(error)}`);
        }
      });
      if (STORIES > 100)
        process.stdout.write(
          `Seed ${SEED}: ${told.done} stories, ${earning} of which earn, ${told.orders} orders, ${told.events} events, ${told.payouts} payments and returns, ${told.contested} contested runs (${told.unmentioned} of unknown customers)\n`,
        );
      expect(failures).toEqual([]);
      expect(told.done).toBeGreaterThanOrEqual(MINUTES < A_DAY ? 1 : STORIES);
    },
  );

  test(
    `does not affect the result of ${STORIES} random stories that two sources tell`,
    { timeout: 60_000 + STORIES * ORDERS * 2_000 },
    async () => {
      // Other stories than those of one source.
      const seeds = Array.from({ length: STORIES }, (_, index) => SEED + STORIES + index);
      const failures: string[] = [];
      let orders = 0;
      const told = await inAccounts(seeds, async (each, seed) => {
        const { story, setting, random } = IS_SHORT ? randomStory(seed) : storyOf(seed);
        const ofTwo = withSecondSource(story, random);
        orders += ofTwo.filter(({ kind }) => kind === 'order').length;
        try {
          await each.inOrders({ ...setting, live: true }, ofTwo, ordersOf(seed, random));
        } catch (error) {
          failures.push(`Story ${seed}: ${String(error)}`);
        }
      });
      if (STORIES > 100)
        process.stdout.write(
          `Seed ${SEED}: ${told.done} stories of two sources with ${orders} orders of the second one, ${told.orders} orders of events\n`,
        );
      expect(failures).toEqual([]);
      expect(orders).toBeGreaterThan(0);
    },
  );

  test('leaves nothing to decide', { timeout: 60_000 + STORIES * ORDERS * 100 }, async () => {
    await expect(checkDecided(shop.service.services, shop.merchant.id)).resolves.toBeUndefined();
  });

  test('leaves no contradiction in any account', { timeout: 60_000 + STORIES * ORDERS * 100 }, async () => {
    await expect(assertNoContradictions(shop.service.databaseUrl)).resolves.toBeUndefined();
  });

  test('is tested with 30 recorded stories', () => {
    expect(RECORDED_STORIES).toHaveLength(30);
  });

  test.runIf(RECORDED)('does not affect the result of a recorded story', { timeout: 6 * 3_600_000 }, async () => {
    const told = await inAccounts(RECORDED_STORIES, async (each, { story, maxCommissions, earnings }) => {
      expect((await each.inOrders({ maxCommissions }, story, everyOrder)).earnings).toEqual(earnings);
    });
    process.stdout.write(`${told.done} recorded stories, ${told.orders} orders, ${told.events} events\n`);
    expect(told.done).toBe(RECORDED_STORIES.length);
  });
});

test('two customers found to be the same person are merged, and their sale earns', async () => {
  await shop.open();
  const ofShop = new Stage(shop.service, shop.merchant);
  const cast = await ofShop.casts.of({ maxCommissions: null });
  const referral = await ofShop.casts.visited(cast, { who: 'A', day: 5 });
  const email = `${newId('x')}@buyer.example`;
  // Removes the expiry, because the visit was long ago.
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
  // The lead does not earn from charges before it.
  const created = Math.floor(shop.service.clock.now().getTime() / 1_000);
  const paid = charge({ amount: 1_000, customer: buyer.id, created });
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

test('customers who share an address or an id are merged, in whatever order these are reported', async () => {
  await shop.open();
  const told: [id: string, email: string | null, former?: string][] = [
    ['cus_1', 'ada@x.example'],
    ['cus_2', null],
    ['cus_2', 'ADA@x.example'],
    ['cus_1', 'ada@y.example', 'ada@x.example'],
    ['cus_3', 'ada@y.example'],
  ];
  const { kysely } = shop.service.services.database;
  for (const [round, order] of randomOrders(THOROUGH ? 8 : 4, randomFrom(5))(told.length).entries()) {
    const name = (text: string) => `${round}${text}`;
    for (const [id, email, former] of order.map((i) => told[i]!)) {
      const changed = customer({ id: name(id), email: email && name(email) });
      await shop.deliver(
        wireEvent('customer.updated', changed, former === undefined ? {} : { previous: { email: name(former) } }),
      );
    }
    const known = await kysely
      .selectFrom('customer_identity')
      .select(['customer_id', 'kind', 'value'])
      .where('account_id', '=', shop.merchant.id)
      .orderBy('customer_id', 'desc')
      .execute();
    expect(new Set(known.map(({ customer_id }) => customer_id)).size).toBe(round + 1);
    const ofNewest = known.filter(({ customer_id }) => customer_id === known[0]!.customer_id);
    expect(ofNewest.map(({ kind, value }) => `${kind} ${value}`).toSorted()).toEqual([
      ...['ada@x.example', 'ada@y.example'].map((email) => `email ${name(email)}`),
      ...['cus_1', 'cus_2', 'cus_3'].map((id) => `psp_customer_id ${name(id)}`),
    ]);
  }
  const id = await shop.refer();
  const { status } = await shop.merchant.api.patch(`/referrals/${id}`, { customer_email: '0ada@y.example' });
  expect(status).toBe(200);
  for (const name of ['psp_customer_id=0cus_1', 'psp_customer_id=0cus_3', 'email=0Ada@X.example']) {
    expect((await shop.merchant.api.get('/referrals', name)).body).toMatchObject({ data: [{ id }] });
  }
});
