/** Ids of affiliate, campaign and commission in the metadata at the provider (docs/rules/sources.md#metadata-that-the-service-writes). */
import { setTimeout } from 'node:timers/promises';
import { writeBackMetadata } from '@affiliate/core';
import { Client } from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../app/program.ts';
import { builtProgram } from '../support/built-program.ts';
import { onServer } from '../support/postgres.ts';
import {
  charge,
  checkoutSession,
  customer,
  invoice,
  refund,
  refundedCharge,
  sendEvent,
  wireEvent,
} from '../support/psp-server/index.ts';
import { credentials, SECRET_KEY } from '../support/service.ts';
import { useEventShop } from './event-shop.ts';
import { errorOf } from './service.ts';

const shop = useEventShop();
beforeAll(async () => void (await builtProgram()));

const ALL = ['account', 'webhook', 'invoice', 'subscription', 'event', 'customer'].map((name) => `rak_${name}_write`);
const BASIC = 'rak_accounts_kyc_basic_read';

const records = () => shop.merchant.psp.records;
const write = () => writeBackMetadata(shop.service.services);
const switchOn = () => shop.merchant.call().pspConnection.update({ write_back: true });
const sent = () => shop.service.psp.received('POST', /^\/v1\/(customers|invoices)\/(?!(cus|in)_permission)/);
/** Metadata of the customers and the invoices at the provider. */
const metadata = () => [...records().customers, ...records().invoices].map((object) => object.metadata);

/** Returns the events of a customer's invoice, which the affiliate earns from if the referral is named. */
async function bill({ buyer = newCustomer(), refer = true, amount = 5_000, after = 0 } = {}) {
  const wire = shop.in('2025-09-30.clover');
  const at = Math.floor(shop.service.clock.now().getTime() / 1_000) + after;
  const paidBy = charge({ amount, customer: buyer.id, created: at });
  const paid = invoice({ total: amount, customer: buyer.id });
  paid.status_transitions.paid_at = at;
  const events = [wire.paid({ invoice: paid, paidBy })];
  if (!refer) return { buyer, paid, paidBy, events };
  const session = checkoutSession({ client_reference_id: await shop.refer(), customer: buyer.id, created: at });
  return { buyer, paid, paidBy, events: [wire.completed(session), ...events] };
}

function newCustomer() {
  const buyer = customer();
  records().customers.push(buyer);
  return buyer;
}

async function earned() {
  const { affiliateId: affiliate, campaignId: campaign } = shop.program;
  const commissions = (await shop.commissions()).filter(({ state }) => state !== 'voided');
  return commissions.map(({ id }) => ({ affiliate, campaign, commission: id }));
}

async function openOperations() {
  const { kysely } = shop.service.services.database;
  const rows = kysely.selectFrom('operation').select('state').where('account_id', '=', shop.merchant.id);
  return (await rows.execute()).filter(({ state }) => state === 'pending').length;
}

describe('the metadata at the provider', () => {
  test('stay as they are unless the account has switched writing on', async () => {
    await shop.deliver(...(await bill()).events);
    expect(await write()).toBe(0);
    expect(metadata()).toEqual([{}, {}]);
    expect(await shop.merchant.call().pspConnection.get()).toMatchObject({ write_back: false, write_back_problem: null });
  });

  test('get the ids once, also if the work is done again', async () => {
    await switchOn();
    const { events, paid, buyer } = await bill();
    await shop.deliver(...events);
    const [ids] = await earned();
    shop.service.psp.requests.length = 0;
    expect(await write()).toBe(2);
    expect(metadata()).toEqual([ids, ids]);
    expect(sent().map(({ path }) => path)).toEqual([`/v1/customers/${buyer.id}`, `/v1/invoices/${paid.id}`]);
    for (const { idempotencyKey } of sent()) expect(idempotencyKey).toMatch(/^op_/);
    expect(await write()).toBe(0);
    // The provider reports the change of the customer, which changes nothing.
    await shop.deliver(
      ...events,
      wireEvent('customer.updated', buyer, { previous: { metadata: { affiliate: null, campaign: null, commission: null } } }),
    );
    expect(await write()).toBe(0);
    expect(sent()).toHaveLength(2);
    expect(await earned()).toEqual([ids]);
    expect(await openOperations()).toBe(0);
  });

  test('do not mention commissions from before writing was switched on', async () => {
    await shop.deliver(...(await bill()).events);
    shop.service.clock.advance(1, 'minutes');
    await switchOn();
    expect(await write()).toBe(0);
    const { buyer, events } = await bill();
    await shop.deliver(...events);
    await write();
    expect(buyer.metadata).not.toEqual({});
    expect(metadata().filter((each) => Object.keys(each ?? {}).length === 0)).toHaveLength(2);
    shop.service.clock.advance(-1, 'minutes');
  });

  test('name the latest commission of the customer, and that of each invoice', async () => {
    await switchOn();
    const first = await bill();
    await shop.deliver(...first.events);
    const later = await bill({ buyer: first.buyer, refer: false, after: 60 });
    await shop.deliver(...later.events);
    await write();
    const bySale = new Map((await shop.commissions()).map(({ id, sale }) => [sale.psp_invoice_id, id]));
    expect(first.paid.metadata).toMatchObject({ commission: bySale.get(first.paid.id) });
    expect(later.paid.metadata).toMatchObject({ commission: bySale.get(later.paid.id) });
    expect(first.buyer.metadata).toMatchObject({ commission: bySale.get(later.paid.id) });
  });

  test('lose the ids when nobody earns any more', async () => {
    await switchOn();
    const { events, paidBy, buyer, paid } = await bill();
    await shop.deliver(...events);
    await write();
    expect(Object.keys(buyer.metadata)).toHaveLength(3);
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(paidBy, [refund(paidBy)])));
    expect(await earned()).toEqual([]);
    await write();
    expect([buyer.metadata, paid.metadata]).toEqual([{}, {}]);
  });

  test('keep the entries of the merchant, and what excludes the customer', async () => {
    await switchOn();
    const buyer = newCustomer();
    const { events, paid } = await bill({ buyer });
    await shop.deliver(...events);
    buyer.metadata = { plan: 'pro', affiliate: 'false' };
    paid.metadata = { campaign: 'spring sale' };
    await write();
    const [ids] = await earned();
    expect(buyer.metadata).toEqual({ plan: 'pro', ...ids, affiliate: 'false' });
    expect(paid.metadata).toEqual({ ...ids, campaign: 'spring sale' });
  });

  test('of a record that cannot be written hold up no other record', async () => {
    await switchOn();
    const { events, paid, buyer } = await bill();
    await shop.deliver(...events);
    await onServer(
      shop.service.databaseUrl,
      `create function fail_metadata() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
       create trigger fail_metadata before insert on psp_metadata for each row when (new.psp_object_id = '${buyer.id}') execute function fail_metadata()`,
    );
    const { services } = shop.service;
    const logged: object[] = [];
    const log = { ...services.log, error: (fields: object) => logged.push(fields) };
    await expect(writeBackMetadata({ ...services, log })).rejects.toThrow('broken');
    expect(logged).toMatchObject([{ account_id: shop.merchant.id, object_id: buyer.id }]);
    const [ids] = await earned();
    expect(paid.metadata).toEqual(ids);
    await onServer(shop.service.databaseUrl, 'drop function fail_metadata cascade');
    shop.service.clock.advance(10, 'minutes');
    expect(await write()).toBe(1);
    expect(metadata()).toEqual([ids, ids]);
    expect(await openOperations()).toBe(0);
    shop.service.clock.advance(-10, 'minutes');
  });

  test('of a deleted customer are left out', async () => {
    await switchOn();
    const { events, buyer, paid } = await bill();
    await shop.deliver(...events);
    records().customers.splice(records().customers.indexOf(buyer), 1);
    await write();
    expect(paid.metadata).toEqual((await earned())[0]);
    expect(await write()).toBe(0);
    expect(await shop.merchant.call().pspConnection.get()).toMatchObject({ write_back_problem: null });
    expect(await openOperations()).toBe(0);
  });
});

describe('a key', () => {
  const connect = (...permissions: string[]) =>
    shop.merchant.call().pspConnection.connect({
      secret_key: shop.service.psp.restrictKey(shop.merchant.psp, permissions),
      webhook_secret: shop.merchant.webhookSecret,
    });

  test('that may not write cannot be used for it, and the missing permissions are named', async () => {
    await connect(BASIC, 'rak_invoice_read', 'rak_subscription_read', 'rak_event_read');
    expect(await errorOf(switchOn())).toMatchObject({
      code: 'VALIDATION_ERROR',
      error: expect.stringContaining('The key lacks permissions: Customers (write), Invoices (write).'),
      details: [{ path: 'write_back', code: 'missing_permissions' }],
    });
    await connect(BASIC, ...ALL);
    expect(await switchOn()).toMatchObject({ write_back: true });
    const { missing_permissions } = await shop.merchant.call().pspConnection.endpoint();
    expect(missing_permissions.map(({ purpose }) => purpose)).toEqual(['codes', 'codes']);
  });

  test('that lost the permission is shown, and the metadata are written once it may write again', async () => {
    await switchOn();
    const { events } = await bill();
    await shop.deliver(...events);
    const locked = shop.service.psp.faults.plant({ method: 'POST', path: /customers/, kind: 403, effect: 'none' });
    await write();
    const { write_back_problem } = await shop.merchant.call().pspConnection.get();
    expect(write_back_problem).not.toBeNull();
    shop.service.clock.advance(10, 'days');
    await write();
    locked.lift();
    await write();
    const [ids] = await earned();
    expect(metadata()).toEqual([ids, ids]);
    expect(await shop.merchant.call().pspConnection.get()).toMatchObject({ write_back_problem: null });
    expect(await openOperations()).toBe(0);
    shop.service.clock.advance(-10, 'days');
  });
});

test.each([
  ['timeout', 'applied', false],
  ['timeout', 'none', false],
  [500, 'applied', true],
  [500, 'none', true],
  ['garbage', 'applied', false],
  [429, 'none', false],
] as const)('after a fault (%s, %s, remembered: %s) the next round writes the rest', async (kind, effect, remembered) => {
  await switchOn();
  const { events } = await bill();
  await shop.deliver(...events);
  shop.service.psp.faults.plant({ method: 'POST', path: /^\/v1\/customers/, kind, effect, remembered, times: 1 });
  await write();
  await write();
  const [ids] = await earned();
  expect(metadata()).toEqual([ids, ids]);
  expect(await openOperations()).toBe(0);
});

test('a job writes the metadata after an event, and after a change by a person', async () => {
  await switchOn();
  const program = await startProgram(['start'], settings());
  onTestFinished(() => void program.child.kill('SIGKILL'));
  const { events, buyer, paid } = await bill();
  await deliverTo(program.url, events);
  await expect.poll(() => paid.metadata, { timeout: 15_000 }).toHaveProperty('commission');
  const [ids] = await earned();
  expect([buyer.metadata, paid.metadata]).toEqual([ids, ids]);
  const api = `${program.url}/api/v1/commissions/${ids!.commission}`;
  const answer = await fetch(api, {
    method: 'DELETE',
    headers: credentials(shop.merchant.id, shop.merchant.apiKey),
  });
  expect(answer.status).toBe(204);
  await expect.poll(() => paid.metadata, { timeout: 15_000 }).toEqual({});
});

test('another process writes what a killed process had begun, wherever it was', { timeout: 90_000 }, async () => {
  await switchOn();
  const kill = async (untilThere: () => Promise<unknown>) => {
    const program = await startProgram(['start'], settings());
    onTestFinished(() => void program.child.kill('SIGKILL'));
    const there = untilThere();
    const { events, buyer, paid } = await bill();
    await deliverTo(program.url, events);
    await there;
    await program.end('SIGKILL');
    shop.service.psp.faults.liftAll();
    return { buyer, paid };
  };
  const isMet = (method: string, path: RegExp, effect: 'none' | 'applied') => () =>
    shop.service.psp.faults.plant({ method, path, kind: 'timeout', effect }).met;
  const written = [
    // The row of the operation is committed, and the provider has not been asked.
    await kill(isMet('GET', /customers/, 'none')),
    // The provider has not got the metadata.
    await kill(isMet('POST', /customers\/cus/, 'none')),
    // The provider has written the metadata, and its answer was lost.
    await kill(isMet('POST', /invoices\/in/, 'applied')),
  ];
  // The answer of the provider has come, and is not committed.
  const lock = await lockWritten();
  written.push(await kill(() => lock.blocksSomeone()));
  await lock.release();
  for (const deadline = Date.now() + 20_000; (await openOperations()) > 0 && Date.now() < deadline; await setTimeout(200))
    await write();
  await write();
  const bySale = new Map((await shop.commissions()).map(({ id, sale }) => [sale.psp_invoice_id, id]));
  for (const { buyer, paid } of written) {
    expect(paid.metadata).toMatchObject({ commission: bySale.get(paid.id) });
    expect(buyer.metadata).toEqual(paid.metadata);
  }
  expect(await openOperations()).toBe(0);
  shop.service.psp.requests.length = 0;
  expect(await write()).toBe(0);
  expect(sent()).toEqual([]);
});

const settings = () => ({ DATABASE_URL: shop.service.databaseUrl, PSP_API_BASE: shop.service.psp.url, SECRET_KEY, PORT: '0' });

async function deliverTo(url: string, events: Awaited<ReturnType<typeof bill>>['events']): Promise<void> {
  for (const event of events) {
    const answer = await sendEvent(`${url}/psp/webhooks/${shop.merchant.id}`, event, { secret: shop.merchant.webhookSecret });
    expect(answer.status).toBe(200);
  }
}

/** Blocks the rows that say what was written until released. */
async function lockWritten() {
  const client = new Client({ connectionString: shop.service.databaseUrl });
  await client.connect();
  await client.query('begin; lock table psp_metadata in share mode');
  return {
    async blocksSomeone(): Promise<void> {
      for (;;) {
        const waiting = await client.query(`select from pg_locks where not granted and relation = 'psp_metadata'::regclass`);
        if (waiting.rowCount) return;
        await setTimeout(10);
      }
    },
    release: () => client.end(),
  };
}
