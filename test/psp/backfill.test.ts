import { purgeRows, backfillPspEvents } from '@affiliate/core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { run } from '../app/program.ts';
import { builtProgram } from '../support/built-program.ts';
import { charge, checkoutSession, customer, sendEvent, wireEvent, type WireEvent } from '../support/psp-server/index.ts';
import { SECRET_KEY } from '../support/service.ts';
import { createProgram } from './fixtures.ts';
import { errorOf, type Merchant, usePspService } from './service.ts';

beforeAll(builtProgram);
const service = usePspService();
let merchant: Merchant;

afterEach(() => service.psp.faults.liftAll());
beforeEach(async () => {
  merchant = await service.createMerchant();
  await merchant.connect();
});

const backfill = (days = 3) => backfillPspEvents(service.services, { accountId: merchant.id, days });

/** Adds events that the provider created but did not deliver. */
function missed(...events: WireEvent[]): void {
  for (const event of events) merchant.psp.records.events.push({ event, delivered: false });
}

async function missedPayment(): Promise<WireEvent[]> {
  const { affiliateId: affiliate_id, campaignId: campaign_id } = await createProgram(merchant);
  const { id } = await merchant.call().referrals.create({ affiliate_id, campaign_id });
  const buyer = customer({ email: 'ann@buyer.example' });
  const paid = charge({ amount: 5_000, customer: buyer.id });
  const checkout = checkoutSession({ client_reference_id: id, customer: buyer.id, payment_intent: paid.payment_intent });
  return [wireEvent('checkout.session.completed', checkout), wireEvent('charge.succeeded', paid)];
}

async function commissions(): Promise<unknown> {
  return (await merchant.api.get('/commissions')).body['data'];
}

test('a backfill processes missed events once', async () => {
  missed(...(await missedPayment()));
  expect(await backfill()).toEqual({ processed: 2, duplicate: 0, ignored: 0, failed: 0 });
  expect(await commissions()).toMatchObject([{ amount_cents: 1_000 }]);
  expect(await backfill()).toEqual({ processed: 0, duplicate: 2, ignored: 0, failed: 0 });
});

test('a later delivery of backfilled events changes nothing', async () => {
  const events = await missedPayment();
  missed(...events);
  await backfill();
  for (const event of events) {
    const response = await sendEvent(`${service.url}/psp/webhooks/${merchant.id}`, event, { secret: merchant.webhookSecret });
    expect(response.status).toBe(200);
  }
  expect(await commissions()).toHaveLength(1);
});

test('a backfill processes events that were received but could not be processed', async () => {
  const [, paid] = await missedPayment();
  const fault = service.psp.faults.plant({ method: 'GET', path: /invoice_payments/, kind: 500, effect: 'none' });
  await sendEvent(`${service.url}/psp/webhooks/${merchant.id}`, paid as WireEvent, { secret: merchant.webhookSecret });
  expect(await errorOf(backfill())).toMatchObject({ code: 'PSP_ERROR' });
  fault.lift();
  expect(await backfill()).toEqual({ processed: 1, duplicate: 0, ignored: 0, failed: 0 });
});

test('a backfill goes back the given number of days', async () => {
  const [checkout, paid] = await missedPayment();
  const days = (count: number) => Math.floor(service.clock.now().getTime() / 1000) - count * 86_400;
  missed({ ...(checkout as WireEvent), created: days(5) }, { ...(paid as WireEvent), created: days(1) });
  expect(await backfill(3)).toMatchObject({ processed: 1 });
  expect(await backfill(7)).toMatchObject({ processed: 1, duplicate: 1 });
});

test('the command runs a backfill for an operator', async () => {
  missed(...(await missedPayment()));
  const settings = { DATABASE_URL: service.databaseUrl, SECRET_KEY, PSP_API_BASE: service.psp.url };
  const command = ['psp', 'backfill', '--json', '--account-id', merchant.id];
  const { code, stdout, stderr } = await run(command, settings);
  expect({ code, stderr, result: JSON.parse(stdout) as unknown }).toEqual({
    code: 0,
    stderr: '',
    result: { processed: 2, duplicate: 0, ignored: 0, failed: 0 },
  });
  expect(await commissions()).toHaveLength(1);
  await merchant.call().pspConnection.disconnect();
  expect(await run(command, settings)).toMatchObject({ code: 1, stderr: expect.stringContaining('not connected') });
});

test('processed events are deleted after 90 days, and pending events are kept', async () => {
  const [checkout, paid] = await missedPayment();
  missed(checkout as WireEvent);
  await backfill();
  const fault = service.psp.faults.plant({ method: 'GET', path: /invoice_payments/, kind: 500, effect: 'none' });
  await sendEvent(`${service.url}/psp/webhooks/${merchant.id}`, paid as WireEvent, { secret: merchant.webhookSecret });
  fault.lift();
  const states = async () =>
    (
      await service.services.database.kysely
        .selectFrom('psp_event')
        .select('state')
        .where('account_id', '=', merchant.id)
        .orderBy('state')
        .execute()
    ).map(({ state }) => state);
  service.clock.advance(89, 'days');
  await purgeRows(service.services, 'psp_event');
  expect(await states()).toEqual(['pending', 'processed']);
  service.clock.advance(2, 'days');
  await purgeRows(service.services, 'psp_event');
  expect(await states()).toEqual(['pending']);
  service.clock.advance(-91, 'days');
});

test('a backfill requires a connection, and a provider that responds', async () => {
  service.psp.faults.plant({ method: 'GET', path: /events/, kind: 500, effect: 'none' });
  expect(await errorOf(backfill())).toMatchObject({ code: 'PSP_ERROR' });
  await merchant.call().pspConnection.disconnect();
  expect(await errorOf(backfill())).toMatchObject({ code: 'PSP_NOT_CONNECTED' });
});
