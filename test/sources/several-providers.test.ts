/**
 * One customer who pays at three providers, all connected to one account. Whatever the order of the events, and whichever of them are lost, the customer is
 * one person with one referrer, and every sale earns what the last states say. `PROVIDER_ORDERS=3000` sets the number of orders.
 */
import { createSources, findLostEvents, retryPspEvents } from '@affiliate/core';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { checkDecided } from '../support/decided.ts';
import { type Fields, send } from '../support/http.ts';
import { adjustment, customer as paddleCustomer, paddleId, transaction } from '../support/paddle-server/objects.ts';
import { PaddleServer, paddleSignature } from '../support/paddle-server/paddle-server.ts';
import { customer as polarCustomer, order, refund } from '../support/polar-server/objects.ts';
import { polarHeaders, PolarServer } from '../support/polar-server/polar-server.ts';
import { program } from '../support/program.ts';
import { Random } from '../support/random.ts';
import { SEED } from '../support/seed.ts';
import { startService, type TestAccount, type TestService } from '../support/service.ts';
import { THOROUGH } from '../support/thorough.ts';

const ORDERS = Number(process.env['PROVIDER_ORDERS'] ?? (THOROUGH ? 200 : 12));
/** Number of merchants who sell before the providers are asked for what was lost. */
const MERCHANTS_AT_ONCE = 12;
/** Share of the deliveries of Paddle and Polar that are lost. */
const LOST = 0.2;

let paddle: PaddleServer;
let polar: PolarServer;
let service: TestService;

beforeAll(async () => {
  [paddle, polar] = await Promise.all([new PaddleServer().start(), new PolarServer().start()]);
  const apiBases = { paddle: paddle.url, polar: polar.url };
  service = await startService({ sources: createSources({ apiBase: 'http://127.0.0.1:9', apiBases }), writesRows: true });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([paddle.stop(), polar.stop()]);
});

/** A change at a provider, and the delivery that tells of it. */
interface Told {
  /** The provider's own record changes. Missing for the merchant's own server, whose facts say everything. */
  happens?: () => void;
  deliver: () => Promise<{ status: number; text: string }>;
}

const TOLD = [
  'sale at Paddle',
  'renewal at Paddle',
  'refund at Paddle',
  'chargeback at Paddle',
  'reversed chargeback at Paddle',
  'order at Polar',
  'refund at Polar',
  'failed refund at Polar',
  'customer by fact',
  'payment by fact',
  'refund by fact',
  'lost dispute by fact',
] as const;
type Name = (typeof TOLD)[number];

/** Three sales to one person, the first of which names who sent them, and what becomes of them. */
const EXPECTED = {
  // Of 100.00; of what 25.00 and 30.00 leave of 50.00 and 50.00.
  commissions: ['1000', '2000', '500'],
  affiliates: 1,
  customers: ['grace@example.com'],
  sales: ['12000 0', '2400 2400', '5000 2500', '5500 0'],
};

interface Merchant {
  account: TestAccount;
  told: Record<Name, Told>;
}

async function openMerchant(): Promise<Merchant> {
  const account = await service.createAccount();
  const friends = await program(account, { commission_percent: 20 });
  const [atPaddle, atPolar] = [paddle.addAccount(), polar.addOrganization()];
  const connect = async (source: string, credentials?: Fields) => {
    const body = { source, ...(credentials && { credentials }) };
    const reply = await account.api.send<Fields & { id: string }>('POST', '/api/settings/v1/connections', { body });
    if (reply.status !== 201) throw new Error(reply.text);
    return { secret: String(reply.body['signing_secret']), url: `${service.url}/sources/${reply.body.id}/events` };
  };
  const connections = {
    facts: await connect('facts'),
    paddle: await connect('paddle', { api_key: atPaddle.key }),
    polar: await connect('polar', { access_token: atPolar.token }),
  };
  const email = 'grace@example.com';
  const now = service.clock.now().getTime();
  const at = (halfMinutes: number) => new Date(now - (15 - halfMinutes) * 30_000).toISOString();

  const byPaddle = (type: string, time: number, record: object, happens: () => void): Told => {
    const body = JSON.stringify({ event_id: paddleId('evt'), event_type: type, occurred_at: at(time), data: record });
    const deliver = () => {
      const secret = [...atPaddle.settings.values()][0]!.endpoint_secret_key;
      const headers = { 'Paddle-Signature': paddleSignature(body, [secret], service.clock.now()) };
      return send(connections.paddle.url, 'POST', { raw: body, headers });
    };
    return { happens, deliver };
  };
  const byPolar = (type: string, time: number, record: object, happens: () => void): Told => {
    const body = JSON.stringify({ type, timestamp: at(time), data: record });
    const deliver = () => {
      const headers = polarHeaders(body, 'msg_1', service.clock.now(), atPolar.endpoints[0]!.secret);
      return send(connections.polar.url, 'POST', { raw: body, headers });
    };
    return { happens, deliver };
  };
  const byFact = (told: object): Told => {
    const body = JSON.stringify(told);
    const deliver = () => {
      const time = service.clock.now();
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(time.getTime() / 1_000)),
        'webhook-signature': new Webhook(connections.facts.secret).sign('msg_1', time, body),
      };
      return send(connections.facts.url, 'POST', { raw: body, headers });
    };
    return { deliver };
  };

  const buyer = paddleCustomer(email, at(1));
  atPaddle.customers.set(buyer.id, buyer);
  const sold = transaction({
    at: at(1),
    customerId: buyer.id,
    customData: { referral: friends.link.token },
    lines: [{ product: 'a', subtotal: 10_000, tax: 2_000 }],
  });
  const lines = [{ product: 'b', subtotal: 5_000 }];
  const renewed = transaction({ at: at(4), customerId: buyer.id, origin: 'subscription_recurring', lines });
  const keep = (record: typeof sold) => () => void atPaddle.transactions.set(record.id, record);
  const taken = (time: number, of: typeof sold, action: string, amounts: { subtotal: number; tax?: number }) => {
    const made = adjustment(of, { at: at(time), action, lines: [{ line: 0, ...amounts }] });
    return byPaddle('adjustment.created', time, made, () => void atPaddle.adjustments.set(made.id, made));
  };

  const ofPolar = polarCustomer(email, at(2), 'u-7');
  const ordered = order({ at: at(2), customer: ofPolar, subtotal: 5_000, tax: 500 });
  const back = (time: number, status: string, amount: number) => {
    const made = refund(ordered, at(time), status, amount);
    return byPolar('refund.created', time, made, () => void atPolar.refunds.push(made));
  };

  const payment = (version: number, more: Fields) =>
    byFact({
      type: 'payment.seen',
      timestamp: at(3 + version),
      data: {
        names: ['order:1'],
        version,
        live: true,
        charged: { amount: 2_400, tax: 400, currency: 'USD', at: at(3) },
        payer: { ids: ['7'] },
        ...more,
      },
    });
  const refunds = [{ id: 'r1', amount: 1_200, tax: 200, at: at(5), state: 'done' }];
  const disputes = [{ id: 'd1', amount: 1_200, at: at(6), outcome: 'lost' }];
  const told: Merchant['told'] = {
    'sale at Paddle': byPaddle('transaction.completed', 1, sold, keep(sold)),
    'renewal at Paddle': byPaddle('transaction.completed', 4, renewed, keep(renewed)),
    'refund at Paddle': taken(6, renewed, 'refund', { subtotal: 2_500 }),
    'chargeback at Paddle': taken(7, sold, 'chargeback', { subtotal: 10_000, tax: 2_000 }),
    'reversed chargeback at Paddle': taken(8, sold, 'chargeback_reverse', { subtotal: 10_000, tax: 2_000 }),
    'order at Polar': byPolar('order.paid', 2, ordered, () => void atPolar.orders.push(ordered)),
    'refund at Polar': back(9, 'pending', 1_000),
    'failed refund at Polar': back(10, 'failed', 2_000),
    'customer by fact': byFact({
      type: 'customer.seen',
      timestamp: at(3),
      data: { version: 1, live: true, payer: { ids: ['7'], external_id: 'u-7', email } },
    }),
    'payment by fact': payment(1, {}),
    'refund by fact': payment(2, { refunds }),
    'lost dispute by fact': payment(3, { refunds, disputes }),
  };
  return { account, told };
}

/** The earlier changes at the same provider have happened when a delivery arrives. */
const AT_PROVIDER = /Paddle|Polar/;

function happen({ told }: Merchant, happened: Set<Name>, upTo: Name): void {
  const [provider] = AT_PROVIDER.exec(upTo) ?? [];
  if (provider === undefined) return;
  for (const name of TOLD.slice(0, TOLD.indexOf(upTo) + 1)) {
    if (!name.endsWith(provider) || happened.has(name)) continue;
    happened.add(name);
    told[name].happens!();
  }
}

/** Delivers the events in an order, twice each, but some not at all. The merchant's own server repeats facts until they are accepted. */
async function tellIn(order: readonly Name[], merchant: Merchant, isLost: (name: Name) => boolean): Promise<void> {
  const happened = new Set<Name>();
  const arriving = order.filter((name) => !AT_PROVIDER.test(name) || !isLost(name));
  for (const round of [arriving, arriving.toReversed()])
    for (const name of round) {
      happen(merchant, happened, name);
      const { status, text } = await merchant.told[name].deliver();
      if (status > 299) throw new Error(`${name}: ${text}`);
      if (!AT_PROVIDER.test(name)) await retryPspEvents(service.services);
    }
  for (const name of TOLD) happen(merchant, happened, name);
}

async function rowsOf({ account }: Merchant) {
  const { body: earned } = await account.api.get<{ data: Fields[] }>('/commissions');
  const { body: people } = await account.api.get<{ data: Fields[] }>('/customers');
  const { body: sales } = await account.api.get<{ data: Fields[] }>('/sales');
  const standing = earned.data.filter(({ state }) => state !== 'voided');
  return {
    commissions: standing.map(({ amount_cents }) => String(amount_cents)).toSorted(),
    affiliates: new Set(standing.map(({ affiliate_id }) => affiliate_id)).size,
    customers: people.data.map(({ email }) => email),
    sales: sales.data
      .map(({ charge_amount_cents: amount, refund_amount_cents: taken }) => `${String(amount)} ${String(taken)}`)
      .toSorted(),
  };
}

it(`is one person with one referrer in ${ORDERS} orders of events`, { timeout: 60_000 + ORDERS * 6_000 }, async () => {
  const failures: string[] = [];
  for (let first = 0; first < ORDERS; first += MERCHANTS_AT_ONCE) {
    const seeds = Array.from({ length: Math.min(MERCHANTS_AT_ONCE, ORDERS - first) }, (_, i) => SEED + first + i);
    const told = await Promise.all(
      seeds.map(async (seed) => {
        const random = new Random(seed);
        const order = random.shuffled(TOLD);
        const merchant = await openMerchant();
        await tellIn(order, merchant, () => random.chance(LOST));
        return { seed, order, merchant };
      }),
    );
    service.clock.advance(50, 'minutes');
    await findLostEvents(service.services);
    for (const { seed, order, merchant } of told) {
      const rows = await rowsOf(merchant);
      if (JSON.stringify(rows) !== JSON.stringify(EXPECTED))
        failures.push(`${seed}: ${order.join(', ')}: ${JSON.stringify(rows)}`);
      await checkDecided(service.services, merchant.account.id);
    }
    // Later looks leave these merchants alone.
    await service.services.database.kysely
      .updateTable('connection')
      .set({ looked_at: '2999-01-01T00:00:00.000Z' as never })
      .execute();
    // The tests' server has no autovacuum, and PostgreSQL would keep the plans that it made for small tables.
    if (first % 120 === 0) await sql`vacuum (analyze)`.execute(service.services.database.kysely);
  }
  if (ORDERS > 100) process.stdout.write(`Seed ${SEED}: ${ORDERS} orders of ${TOLD.length} events of three sources\n`);
  expect(failures).toEqual([]);
  await expect(assertNoContradictions(service.databaseUrl)).resolves.toBeUndefined();
});

it('is one person with one referrer, although two providers lost all their deliveries', async () => {
  const merchant = await openMerchant();
  await tellIn(TOLD, merchant, () => true);
  service.clock.advance(50, 'minutes');
  await findLostEvents(service.services);
  expect(await rowsOf(merchant)).toEqual(EXPECTED);
});
