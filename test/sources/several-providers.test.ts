/** One customer who pays at three providers, all connected to one account. */
import { createSources, findLostEvents, retryPspEvents } from '@affiliate/core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fields, send } from '../support/http.ts';
import { customer as paddleCustomer, paddleId, transaction } from '../support/paddle-server/objects.ts';
import { PaddleServer, paddleSignature } from '../support/paddle-server/paddle-server.ts';
import { customer as polarCustomer, order } from '../support/polar-server/objects.ts';
import { polarHeaders, PolarServer } from '../support/polar-server/polar-server.ts';
import { program } from '../support/program.ts';
import { startService, type TestService } from '../support/service.ts';

let paddle: PaddleServer;
let polar: PolarServer;
let service: TestService;

beforeAll(async () => {
  [paddle, polar] = await Promise.all([new PaddleServer().start(), new PolarServer().start()]);
  const apiBases = { paddle: paddle.url, polar: polar.url };
  service = await startService({ sources: createSources({ apiBase: 'http://127.0.0.1:9', apiBases }) });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([paddle.stop(), polar.stop()]);
});

type Tell = () => Promise<{ status: number }>;

/** Connects an account to three providers, at which one person pays. Only the first payment names who sent them. */
async function connectThree() {
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
  const at = (minutes: number) => new Date(now - (10 - minutes) * 60_000).toISOString();

  const buyer = paddleCustomer(email, at(1));
  atPaddle.customers.set(buyer.id, buyer);
  const customData = { referral: friends.link.token };
  const sold = transaction({
    at: at(1),
    customerId: buyer.id,
    customData,
    lines: [{ product: 'a', subtotal: 10_000, tax: 2_000 }],
  });
  atPaddle.transactions.set(sold.id, sold);
  const notification = { event_id: paddleId('evt'), event_type: 'transaction.completed', occurred_at: at(1), data: sold };

  const ordered = order({ at: at(2), customer: polarCustomer(email, at(2), 'u-7'), subtotal: 5_000, tax: 500 });
  atPolar.orders.push(ordered);
  const message = { type: 'order.paid', timestamp: at(2), data: ordered };

  const fact = (version: number, refunds: Fields[]) => ({
    type: 'payment.seen',
    timestamp: at(3 + version),
    data: {
      names: ['order:1'],
      version,
      live: true,
      charged: { amount: 2_400, tax: 400, currency: 'USD', at: at(3) },
      payer: { external_id: 'u-7' },
      refunds,
    },
  });
  const signed = async (told: object) => {
    const body = JSON.stringify(told);
    const now = service.clock.now();
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(connections.facts.secret).sign('msg_1', now, body),
    };
    const reply = await send(connections.facts.url, 'POST', { raw: body, headers });
    await retryPspEvents(service.services);
    return reply;
  };
  const told: Record<string, Tell> = {
    paddle: () => {
      const body = JSON.stringify(notification);
      const secret = [...atPaddle.settings.values()][0]!.endpoint_secret_key;
      const headers = { 'Paddle-Signature': paddleSignature(body, [secret], service.clock.now()) };
      return send(connections.paddle.url, 'POST', { raw: body, headers });
    },
    polar: () => {
      const body = JSON.stringify(message);
      const headers = polarHeaders(body, 'msg_1', service.clock.now(), atPolar.endpoints[0]!.secret);
      return send(connections.polar.url, 'POST', { raw: body, headers });
    },
    fact: () => signed(fact(1, [])),
    refund: () => signed(fact(2, [{ id: 'r1', amount: 1_200, tax: 200, at: at(5), state: 'done' }])),
  };
  return { account, told };
}

async function rowsOf({ account }: Awaited<ReturnType<typeof connectThree>>) {
  const { body: earned } = await account.api.get<{ data: Fields[] }>('/commissions');
  const { body: people } = await account.api.get<{ data: Fields[] }>('/customers');
  const { body: sales } = await account.api.get<{ data: Fields[] }>('/sales');
  return {
    commissions: earned.data.map(({ amount_cents, state }) => `${String(amount_cents)} ${String(state)}`).toSorted(),
    customers: people.data.map(({ email }) => email),
    sales: sales.data
      .map(({ charge_amount_cents: amount, refund_amount_cents: back }) => `${String(amount)} ${String(back)}`)
      .toSorted(),
  };
}

const EXPECTED = {
  commissions: ['1000 pending', '200 pending', '2000 pending'],
  customers: ['grace@example.com'],
  sales: ['12000 0', '2400 1200', '5500 0'],
};

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((first, at) => permutations(items.filter((_, i) => i !== at)).map((rest) => [first, ...rest]));
}

it.each(permutations(['paddle', 'polar', 'fact', 'refund']))(
  'is one person with one referrer, if %s comes before %s, %s and %s',
  async (...order) => {
    const merchant = await connectThree();
    for (const name of order) expect((await merchant.told[name]!()).status).toBeLessThan(300);
    for (const name of order) expect((await merchant.told[name]!()).status).toBeLessThan(300);
    expect(await rowsOf(merchant)).toEqual(EXPECTED);
    const { body } = await merchant.account.api.send<{ discrepancies: unknown[] }>('GET', '/api/v1/payout_runs/reconcile');
    expect(body.discrepancies).toEqual([]);
  },
);

it('is one person with one referrer, although two providers lost their webhooks', async () => {
  const merchant = await connectThree();
  await merchant.told['refund']!();
  service.clock.advance(50, 'minutes');
  await findLostEvents(service.services);
  expect(await rowsOf(merchant)).toEqual(EXPECTED);
});
