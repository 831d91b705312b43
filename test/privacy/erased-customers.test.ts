import { type Services, finishErasures } from '@affiliate/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventShop } from '../psp/event-shop.ts';
import { createProgram } from '../psp/fixtures.ts';
import { startPspService } from '../psp/service.ts';
import type { ErrorBody } from '../support/http.ts';
import { charge, customer, newId, wireEvent } from '../support/psp-server/index.ts';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { formsOf, tracesOf } from './traces.ts';

type Row = Record<string, unknown>;

class Killed extends Error {}

/** Services whose process dies before a statement. */
function dyingAt(services: Services, statement: number): Services {
  let left = statement;
  const kysely = services.database.kysely.withPlugin({
    transformQuery: ({ node }) => {
      if ((left -= 1) < 0) throw new Killed();
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const database = new Proxy(services.database, {
    get: (target, property) => {
      if (property === 'kysely') return kysely;
      const value = Reflect.get(target, property, target) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  // Hundreds of deaths would be logged.
  return { ...services, database, log: { ...services.log, error: () => {} } };
}

let shop: EventShop;
let receiver: WebhookReceiver;
let count = 0;
/** The address of the person of each test. */
let address: string;
let name: string;

/** With a worker, which delivers events, and erases copies by itself. */
const busy = new EventShop();
/** Without a worker, so that the tests erase the copies. */
const calm = new EventShop();

beforeAll(async () => {
  busy.service = await startPspService({ worker: {} });
  calm.service = await startPspService();
  // Answers with what it got, so that attempts store it.
  receiver = await startReceiver((socket, request) => {
    const body = request.slice(request.indexOf('\r\n\r\n') + 4);
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`, 'latin1');
  });
});
afterAll(async () => {
  await busy.service.stop();
  await calm.service.stop();
  await receiver[Symbol.asyncDispose]();
});
const useShop = (used: EventShop) =>
  beforeEach(async () => {
    shop = used;
    await shop.open();
    count += 1;
    address = `grace.${count}@buyer.example`;
    name = `Grace Hopper-${count}`;
  });

const get = async <Body = Row>(path: string) => (await shop.merchant.api.get<Body>(path)).body;
const list = async (path: string) => (await get<{ data: Row[] }>(path)).data;

/** Lets the person buy at Stripe and in the shop, with every copy that the service makes of it. Returns the id of the customer. */
async function buyEverywhere(): Promise<string> {
  const { api } = shop.merchant;
  await shop.merchant.call().webhookEndpoints.create({ name: 'Receiver', url: receiver.url, event_types: ['*'] });
  const referral_id = await shop.refer();
  const psp = newId('cus');
  const person = { email: address, name };
  const paid = charge({
    customer: psp,
    billing_details: { ...person, address: null, phone: null },
    metadata: { referral: referral_id },
  } as never);
  await shop.deliver(
    wireEvent('customer.created', customer({ id: psp, ...person, metadata: { referral: referral_id } })),
    wireEvent('charge.succeeded', paid),
    // References that are not referrals are kept, too.
    wireEvent('customer.updated', customer({ id: psp, ...person, metadata: { referral: `cart of ${count}` } })),
    wireEvent('charge.captured', { ...paid, metadata: { referral: `cart of ${count}` } }),
  );
  const sale = {
    external_id: `order-${count}`,
    customer_email: address.toUpperCase(),
    customer_name: name,
    amount_cents: 5_000,
    currency: 'USD',
  };
  const report = await api.post(
    '/track/sales',
    { ...sale, description: `Shoes for ${address}`, metadata: { mail: address } },
    { 'Idempotency-Key': `k-${count}` },
  );
  expect(report.status).toBe(201);
  const [found] = await list(`/customers?search=${address}`);
  const id = found!['id'] as string;
  await api.patch(`/customers/${id}`, { metadata: { mail: address } });
  await shop.service.worker?.sweepNow();
  return id;
}

const erase = async (id: string) => {
  const reply = await shop.merchant.api.post(`/customers/${id}/erase`, {});
  expect(reply).toMatchObject({ status: 200, body: { id, erased_at: expect.any(String), kept: [] } });
};

describe('an erased customer, while a worker runs,', () => {
  useShop(busy);

  it('is nowhere, and no amount changes', async () => {
    const id = await buyEverywhere();
    const before = await tracesOf(shop.service, address);
    for (const table of [
      'customer',
      'customer_identity',
      'event',
      'webhook_attempt',
      'psp_event',
      'payment_pieces',
      'sale',
      'idempotency_key',
    ])
      expect(before).toContain(`public.${table}`);
    const exported = await get<{ records: Record<string, Row[]> }>(`/customers/${id}/personal_data`);
    expect(JSON.stringify(exported)).toContain(address);
    expect(exported.records['sales']).toHaveLength(2);
    const commissions = await list('/commissions?sort=created_at');
    await erase(id);
    await finishErasures(shop.service.services);
    expect(await tracesOf(shop.service, address)).toEqual([]);
    expect(await tracesOf(shop.service, name)).toEqual([]);
    // Only the events keep the reference that the merchant chose, because it could name a referral.
    expect(await tracesOf(shop.service, `cart of ${count}`)).toEqual(['public.psp_event']);
    expect(await get(`/customers/${id}`)).toMatchObject({ email: null, name: null, metadata: {}, erased_at: expect.any(String) });
    const amounts = (rows: Row[]) => rows.map(({ id: commission, state, amount_cents }) => [commission, state, amount_cents]);
    expect(amounts(await list('/commissions?sort=created_at'))).toEqual(amounts(commissions));
    expect(await get('/payout_runs/reconcile')).toMatchObject({ discrepancies: [] });
    await erase(id);
    // Who erased it stays known.
    const log = (await shop.merchant.api.get<{ data: Row[] }>('/api/settings/v1/audit_log?tool=customers')).body.data;
    expect(log.slice(0, 2)).toMatchObject(Array.from({ length: 2 }, () => ({ action: 'erase', arguments: { id } })));
  });
});

describe('an erased customer', () => {
  useShop(calm);

  it('is nowhere in any of six forms, also in records of others, and texts that may name the person are listed', async () => {
    const id = await buyEverywhere();
    const { api } = shop.merchant;
    const phone = `555-${count}-0199`;
    await api.patch(`/customers/${id}`, { metadata: { phone } });
    const base64 = Buffer.from(`for ${address}, thanks`).toString('base64');
    const [, percent, , json, , html, , quoted] = formsOf(address);
    const forms = { percent: `https://a.example/?to=${percent}`, json: `{"to":"${json}"}`, html: html!, quoted: quoted!, base64 };
    const report = { amount_cents: 100, currency: 'USD', customer_email: `alan.${count}@buyer.example` };
    const unrelated = await api.post<{ sale: { id: string } }>(
      '/track/sales',
      { ...report, external_id: `forms-${count}`, description: `See https://a.example/${percent}`, metadata: forms },
      { 'Idempotency-Key': `forms-${count}` },
    );
    expect(unrelated).toMatchObject({ status: 201 });
    const named = await api.post<{ sale: { id: string } }>('/track/sales', {
      ...report,
      external_id: `named-${count}`,
      description: `As agreed with ${name.toUpperCase()}.`,
    });
    expect(await tracesOf(shop.service, phone)).toEqual(expect.arrayContaining(['public.customer', 'public.event']));
    await erase(id);
    await finishErasures(shop.service.services);
    expect(await tracesOf(shop.service, phone)).toEqual([]);
    const { sale } = named.body;
    expect((await api.post(`/customers/${id}/erase`, {})).body).toMatchObject({
      completed_at: expect.any(String),
      to_review: [{ table: 'sale', id: sale.id, field: 'description' }],
    });
    expect(await tracesOf(shop.service, address)).toEqual([]);
    const { body } = await api.get<{ metadata: Row }>(`/sales/${unrelated.body.sale.id}`);
    expect(JSON.stringify(body.metadata)).not.toMatch(/grace|R3JhY2/i);
  });

  it('is gone from the record at once, and from all copies after an interruption at any step', async () => {
    const id = await buyEverywhere();
    await erase(id);
    expect(await tracesOf(shop.service, address)).not.toContain('public.customer');
    // Stops before each step in turn, as a process that is killed. What was begun is completed by the next one.
    let steps = 0;
    for (let finished = 0; finished === 0 && steps < 20; steps += 1) {
      let left = steps;
      finished = await finishErasures(shop.service.services, () => (left -= 1) < 0);
    }
    expect(steps).toBeGreaterThan(5);
    expect(await tracesOf(shop.service, address)).toEqual([]);
  });

  it('is gone from all copies after a kill at any statement', async () => {
    const id = await buyEverywhere();
    await erase(id);
    let statements = 0;
    for (let isFinished = false; !isFinished && statements < 1_000; statements += 1)
      isFinished = await finishErasures(dyingAt(shop.service.services, statements)).then(
        (finished) => finished > 0,
        (error: unknown) => {
          if (!(error instanceof Killed)) throw error;
          return false;
        },
      );
    expect(statements).toBeGreaterThan(50);
    expect(await tracesOf(shop.service, address)).toEqual([]);
    expect(await list('/customers')).toHaveLength(1);
  });

  it('announces the erasure without former values', async () => {
    const id = await buyEverywhere();
    await erase(id);
    const [event] = await list(`/events?subject_id=${id}&type=customer.updated&limit=1`);
    expect(event).toMatchObject({ data: { id, email: null, name: null, erased_at: expect.any(String) } });
    expect(event).toMatchObject({ previous_attributes: { erased_at: null } });
    await finishErasures(shop.service.services);
  });

  it('is not created again by stored events, repeated deliveries, late old events and new invoices', async () => {
    const psp = newId('cus');
    const person = { id: psp, email: address, name };
    const created = wireEvent('customer.created', customer(person));
    await shop.deliver(created);
    // Old, but not delivered yet.
    const late = wireEvent(
      'charge.succeeded',
      charge({ customer: null, billing_details: { email: address, name, address: null, phone: null } } as never),
    );
    const [{ id }] = (await list(`/customers?search=${address}`)) as [{ id: string }];
    shop.service.clock.advance(1, 'minutes');
    await erase(id);
    shop.service.clock.advance(1, 'minutes');
    const invoice = charge({ customer: psp, billing_details: { email: address, name, address: null, phone: null } } as never);
    await shop.deliver(created, late, wireEvent('charge.succeeded', invoice), wireEvent('customer.updated', customer(person)));
    await finishErasures(shop.service.services);
    expect(await tracesOf(shop.service, address)).toEqual([]);
    expect(await list('/customers')).toHaveLength(1);
    expect(await list(`/sales?customer_id=${id}`)).toHaveLength(1);
  });

  describe('who is named together with another customer', () => {
    const known = (person: string, more: Row = {}) => ({
      external_id: `${person}-${count}`,
      psp_customer_id: `cus_${person}${count}`,
      external_customer_id: `${person}-${count}`,
      amount_cents: 5_000,
      currency: 'USD',
      ...more,
    });
    let id: string;
    let other: string;

    beforeEach(async () => {
      const { api } = shop.merchant;
      const report = async (sale: Row) =>
        (await api.post<{ sale: { customer_id: string } }>('/track/sales', sale)).body.sale.customer_id;
      id = await report(known('ada', { customer_email: `ada.${address}` }));
      other = await report(known('grace', { customer_email: address, customer_name: name }));
      await erase(id);
      await finishErasures(shop.service.services);
    });

    it('by an address does not get the data of that customer', async () => {
      const sale = { ...known('ada'), external_id: `later-${count}`, customer_email: address, customer_name: name };
      expect((await shop.merchant.api.post('/track/sales', sale)).status).toBe(201);
      expect(await get(`/customers/${id}`)).toMatchObject({ email: null, name: null, erased_at: expect.any(String) });
      expect(await get(`/customers/${other}`)).toMatchObject({ email: address, name, erased_at: null });
      expect(await list(`/sales?customer_id=${id}`)).toHaveLength(2);
    });

    it('by an ID is merged with that customer, and can be erased again', async () => {
      const sale = known('ada', { external_id: `both-${count}`, external_customer_id: `grace-${count}` });
      expect((await shop.merchant.api.post('/track/sales', sale)).status).toBe(201);
      expect(await get(`/customers/${id}`)).toMatchObject({ email: address, name, erased_at: null });
      await erase(id);
      await finishErasures(shop.service.services);
      expect(await get(`/customers/${id}`)).toMatchObject({ email: null, erased_at: expect.any(String) });
      expect(await tracesOf(shop.service, address)).toEqual([]);
      expect(await tracesOf(shop.service, name)).toEqual([]);
    });

    it('by hand can be merged into that customer, but not the other way round', async () => {
      const { api } = shop.merchant;
      expect(await api.post(`/customers/${id}/merge`, { customer_id: other })).toMatchObject({
        status: 422,
        body: { details: [{ path: 'id', code: 'erased' }] },
      });
      expect(await api.post(`/customers/${other}/merge`, { customer_id: id })).toMatchObject({
        status: 200,
        body: { id: other, email: address, erased_at: null },
      });
      await erase(other);
      await finishErasures(shop.service.services);
      expect(await tracesOf(shop.service, address)).toEqual([]);
    });
  });

  it('can no longer accept invitations to the program, also if several customers were invited and erased', async () => {
    const { api } = shop.merchant;
    const addresses = [`one.${address}`, `two.${address}`];
    for (const customer_email of addresses) {
      const sale = { external_id: customer_email.slice(0, 3) + count, customer_email, amount_cents: 5_000, currency: 'USD' };
      expect((await api.post('/track/sales', sale)).status).toBe(201);
      const invitation = { kind: 'affiliate', email: customer_email, campaign_id: shop.program.campaignId };
      expect((await api.post('/invitations', invitation)).status).toBe(201);
      const [customer] = (await list(`/customers?search=${customer_email}`)) as [{ id: string }];
      await erase(customer.id);
    }
    expect(await finishErasures(shop.service.services)).toBe(2);
    expect(await list('/invitations')).toMatchObject([{ status: 'revoked' }, { status: 'revoked' }]);
    for (const each of addresses) expect(await tracesOf(shop.service, each)).toEqual([]);
  });

  it('keeps the address with which the customer came back before the copies were erased', async () => {
    const { api } = shop.merchant;
    const sale = { external_id: `first-${count}`, customer_email: address, amount_cents: 5_000, currency: 'USD' };
    await api.post('/track/sales', sale);
    const [{ id }] = (await list('/customers')) as [{ id: string }];
    await erase(id);
    await api.post('/track/sales', { ...sale, external_id: `back-${count}`, external_customer_id: address });
    await finishErasures(shop.service.services);
    const [back] = await list(`/customers?search=${address}`);
    expect(back).toMatchObject({ email: address, external_id: address, erased_at: null });
    expect(await get(`/customers/${id}`)).toMatchObject({ email: null });
  });

  it('is not created again by a repeated report of a sale, but comes back with a new one', async () => {
    const sale = { external_id: `again-${count}`, customer_email: address, amount_cents: 5_000, currency: 'USD' };
    const { api } = shop.merchant;
    expect((await api.post('/track/sales', sale)).status).toBe(201);
    const [{ id }] = (await list('/customers')) as [{ id: string }];
    await erase(id);
    await finishErasures(shop.service.services);
    expect((await api.post('/track/sales', sale)).status).toBe(200);
    expect(await list('/customers')).toHaveLength(1);
    expect(await tracesOf(shop.service, address)).toEqual([]);
    expect((await api.post('/track/sales', { ...sale, external_id: `new-${count}` })).status).toBe(201);
    expect(await list('/customers')).toHaveLength(2);
  });

  it('takes no new personal data, by ID or by path', async () => {
    const { api } = shop.merchant;
    const sale = { external_customer_id: `person-${count}`, amount_cents: 5_000, currency: 'USD' };
    await api.post('/track/sales', { ...sale, external_id: `a-${count}`, customer_email: address });
    const [{ id }] = (await list('/customers')) as [{ id: string }];
    await erase(id);
    await finishErasures(shop.service.services);
    const changed = await api.patch<ErrorBody>(`/customers/${id}`, { name: 'Grace' });
    expect(changed).toMatchObject({ status: 422, body: { details: [{ code: 'erased' }] } });
    expect((await api.put(`/customers/external:person-${count}`, { email: address })).status).toBe(422);
    await api.post('/track/sales', { ...sale, external_id: `b-${count}`, customer_name: 'Grace' });
    expect(await get(`/customers/${id}`)).toMatchObject({ email: null, name: null });
    expect(await list(`/sales?customer_id=${id}`)).toHaveLength(2);
  });

  it('is nowhere even if the address is the merchant’s own ID of the customer or of a sale', async () => {
    const sale = { external_id: `${address}/1`, external_customer_id: address, amount_cents: 5_000, currency: 'USD' };
    expect((await shop.merchant.api.post('/track/sales', { ...sale, customer_email: address })).status).toBe(201);
    const [{ id }] = (await list('/customers')) as [{ id: string }];
    await erase(id);
    await finishErasures(shop.service.services);
    expect(await tracesOf(shop.service, address)).toEqual([]);
    expect(await list('/sales')).toMatchObject([{ external_id: `erased-${id}/1` }]);
  });

  it('is found under the name of a customer who was merged away, and others keep their data', async () => {
    const { api } = shop.merchant;
    const sell = (external_id: string, customer: object) =>
      api.post('/track/sales', { external_id, amount_cents: 5_000, currency: 'USD', ...customer });
    await sell(`other-${count}`, {
      customer_email: `alan.${count}@buyer.example`,
      customer_name: 'Alan Turing',
      external_customer_id: '7',
    });
    await sell(`first-${count}`, { customer_email: address, external_customer_id: '17' });
    await sell(`second-${count}`, { external_customer_id: '27', customer_name: name });
    const customers = await list('/customers?sort=created_at');
    const [, first, second] = customers.map(({ id }) => String(id));
    await api.post(`/customers/${first}/merge`, { customer_id: second });
    const others = async () => [
      await list('/customers?search=alan'),
      await list(`/events?subject_id=${String(customers[0]!['id'])}`),
    ];
    const before = await others();
    await erase(first!);
    await finishErasures(shop.service.services);
    expect(await tracesOf(shop.service, address)).toEqual([]);
    expect(await tracesOf(shop.service, name)).toEqual([]);
    expect(await others()).toEqual(before);
  });

  it('leaves an affiliate with the same address as it is', async () => {
    const { affiliateId } = await createProgram(shop.merchant);
    await shop.merchant.api.patch(`/affiliates/${affiliateId}`, { email: address });
    await shop.merchant.api.post('/track/sales', {
      external_id: `self-${count}`,
      customer_email: address,
      amount_cents: 5_000,
      currency: 'USD',
    });
    const [{ id }] = (await list('/customers')) as [{ id: string }];
    const { body } = await shop.merchant.api.post(`/customers/${id}/erase`, {});
    expect(body).toMatchObject({ kept: [{ kind: 'affiliate', id: affiliateId }] });
    await finishErasures(shop.service.services);
    expect(await get(`/affiliates/${affiliateId}`)).toMatchObject({ email: address });
    expect(await get(`/customers/${id}`)).toMatchObject({ email: null });
  });
});
