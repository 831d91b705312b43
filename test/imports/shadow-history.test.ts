/** A shadow that compares a year of the provider's own history, and the switch after it. */
import { findLostEvents } from '@affiliate/core';
import { afterEach, describe, expect, it } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { send } from '../support/http.ts';
import { Locks } from '../support/locks.ts';
import { charge, checkoutSession, coupon, promotionCode, subscription, wireEvent } from '../support/psp-server/index.ts';
import { Random } from '../support/random.ts';
import { SEED } from '../support/seed.ts';
import { sample } from '../support/thorough.ts';
import { fillYear, sumsOfYear, type Year } from './former-year.ts';
import { useRewardful } from './use-rewardful.ts';

interface Given {
  affiliate_id: string;
  amount_cents: number;
  currency: string;
}

interface Compared {
  sale_id: string;
  outcome: string;
  cause: string | null;
  there: Given | null;
  here: Given | null;
}

interface Shadow extends Record<string, unknown> {
  state: string;
  since: string | null;
  history: { open: number; problem: string | null };
}

interface Sums extends Record<string, unknown> {
  data: { affiliate_id: string; month: string; currency: string; there_cents: number; here_cents: number }[];
  causes: { outcome: string; cause: string | null; sales_count: number; there_cents: number; here_cents: number }[];
  next: string | null;
}

const { shop, at } = useRewardful();
afterEach(() => assertNoContradictions(shop.service.databaseUrl));

const PATH = '/api/settings/v1/shadow';
const shadow = async () => (await shop.merchant.api.get<Shadow>(PATH)).body;
const yearAgo = () => new Date(shop.service.clock.now().getTime() - 400 * 86_400_000).toISOString();
const begin = (since = yearAgo()) => shop.merchant.api.send<Shadow>('POST', PATH, { body: { since } });
const readHistory = () => findLostEvents(shop.service.services);
const fill = () => fillYear(at.double, shop.merchant.psp, shop.service.clock.now(), new Random(SEED));

async function move(): Promise<string> {
  const { id } = await at.mover.read({ source: 'rewardful', credentials: at.double.secret });
  await at.mover.run(id);
  return id;
}

async function all<Row extends Record<string, unknown>>(path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const found = await at.mover.list<Row>(`${path}?limit=100&page=${page}`);
    rows.push(...found);
    if (found.length < 100) return rows;
  }
}

async function namesOf<Row extends { id: string }>(path: string, name: keyof Row): Promise<Map<string, Row[keyof Row]>> {
  return new Map((await all<Row & Record<string, unknown>>(path)).map((row) => [row.id, row[name]]));
}

async function assertCompared(year: Year): Promise<void> {
  const charges = await namesOf<{ id: string; psp_charge_id: string }>('/sales', 'psp_charge_id');
  const customers = await all<{ customer_id: string; sales: Compared[] }>('/api/settings/v1/shadows');
  const compared = customers.flatMap(({ sales }) => sales);
  const lines = compared.map(({ sale_id, outcome, cause }) => [charges.get(sale_id), outcome, cause].filter(Boolean).join(' '));
  expect(lines.toSorted()).toEqual(year.lines.toSorted());
  const affiliates = await namesOf<{ id: string; email: string }>('/affiliates', 'email');
  const { body } = await shop.merchant.api.get<Sums>('/api/settings/v1/shadows/sums');
  const sums = body.data.map(({ affiliate_id, month, currency, there_cents, here_cents }) =>
    [affiliates.get(affiliate_id), month, currency, there_cents, here_cents].join(' '),
  );
  expect(sums.toSorted()).toEqual(sumsOfYear(year));
  const cents = (rows: { there_cents: number; here_cents: number }[]) =>
    rows.reduce((sum, { there_cents, here_cents }) => sum + here_cents - there_cents, 0);
  expect(cents(body.causes)).toBe(cents(body.data));
  expect(body.causes.filter(({ outcome, cause }) => outcome !== 'equal' && cause === null)).toEqual([]);
}

describe('a shadow over a year of the provider’s own history', () => {
  it.each(sample(['the history before the import', 'the import before the history'], 2, 0))(
    'names each defect of the former tool, and leaves no other difference, with %s',
    async (order) => {
      const year = fill();
      expect((await begin()).body).toMatchObject({ state: 'on', history: { open: 1, problem: null } });
      if (order.startsWith('the import')) await move();
      await readHistory();
      if (order.startsWith('the history')) await move();
      expect(await shadow()).toMatchObject({ state: 'on', history: { open: 0, problem: null } });
      await assertCompared(year);

      // Only what the former tool has decided is owed.
      const commissions = await all<{ id: string; kind: string; state: string; amount_cents: number }>('/commissions');
      const owed = commissions.filter(({ state }) => state !== 'voided').reduce((sum, { amount_cents }) => sum + amount_cents, 0);
      expect(new Set(commissions.map(({ kind }) => kind))).toEqual(new Set(['imported']));
      expect(owed).toBe(year.there.reduce((sum, { cents }) => sum + cents, 0));

      // Reading again changes nothing.
      await begin();
      await readHistory();
      await assertCompared(year);
    },
  );
});

/** Tells by webhook what the provider has in its records. */
async function deliverYear(): Promise<void> {
  const { records } = shop.merchant.psp;
  const told: [type: string, objects: readonly object[]][] = [
    ['customer.subscription.created', records.subscriptions],
    ['checkout.session.completed', records.checkoutSessions],
    ['charge.succeeded', records.charges],
    ['invoice.paid', records.invoices],
    ['refund.updated', records.refunds],
    ['charge.dispute.updated', records.disputes],
  ];
  for (const [type, objects] of told)
    for (const object of objects as readonly { created: number }[])
      await shop.deliver(wireEvent(type, object, { created: object.created }));
}

it.each(sample(['before', 'after'], 2, 1))(
  'a year that is told by webhook %s the history is compared as if it was told once',
  { timeout: 120_000 },
  async (order) => {
    const year = fill();
    await begin();
    if (order === 'before') await deliverYear();
    await readHistory();
    if (order === 'after') await deliverYear();
    expect((await shadow()).history.open).toBe(0);
    await move();
    await assertCompared(year);
  },
);

describe('the history of a provider', () => {
  it('is read only as far back as nothing has earned here, and at most 24 months', async () => {
    expect(await begin(new Date(shop.service.clock.now().getTime() - 800 * 86_400_000).toISOString())).toMatchObject({
      status: 422,
    });
    expect(await begin(new Date(shop.service.clock.now().getTime() + 60_000).toISOString())).toMatchObject({ status: 422 });
    const referral = await shop.refer();
    await pay({ customer: 'cus_here', client_reference_id: referral });
    expect(await begin()).toMatchObject({ status: 409 });
    expect(await shadow()).toMatchObject({ state: 'off', since: null, history: { open: 0 } });
  });

  it('is read again after a failure, which the shadow shows', async () => {
    fill();
    await begin();
    const fault = shop.service.psp.faults.plant({ method: 'GET', path: /charges/, kind: 500, effect: 'none' });
    await readHistory();
    expect((await shadow()).history).toEqual({ open: 1, problem: expect.stringMatching(/\w{5}/) });
    fault.lift();
    shop.service.clock.advance(1, 'minutes');
    await readHistory();
    expect((await shadow()).history).toMatchObject({ open: 1 });
    shop.service.clock.advance(5, 'minutes');
    await readHistory();
    expect((await shadow()).history).toEqual({ open: 0, problem: null });
  });

  it('is read as far back as it was first asked for, if it is asked for again meanwhile', async () => {
    const year = fill();
    await begin();
    await begin(new Date(shop.service.clock.now().getTime() - 86_400_000).toISOString());
    await readHistory();
    expect((await shadow()).history.open).toBe(0);
    await move();
    await assertCompared(year);
  });

  it.each([
    ['sale', 'off'],
    ['commission', 'off'],
    ['commission', 'on'],
  ])('is not asked for if a sale that writes its %s meanwhile earns, with the shadow %s', async (table, state) => {
    await using locks = await Locks.open(shop.service.databaseUrl, shop.merchant.id);
    const referral = await shop.refer();
    shop.service.clock.advance(1, 'minutes');
    const created = Math.floor(shop.service.clock.now().getTime() / 1_000);
    shop.service.clock.advance(1, 'minutes');
    if (state === 'on') await begin(shop.service.clock.now().toISOString());
    shop.service.clock.advance(1, 'minutes');
    const writing = await locks.customer('none');
    await writing.held;
    await writing.query(`lock table ${table} in share mode`);
    const paying = pay({ customer: 'cus_meanwhile', client_reference_id: referral, created });
    await locks.areWaiting(1);
    const beginning = begin();
    await Promise.race([beginning, locks.areWaiting(2)]);
    await writing.release();
    const [{ status }] = await Promise.all([beginning, paying]);
    expect([status, (await all('/commissions')).length]).toEqual([409, 1]);
  });
});

it('a provider that is connected after a shadow has begun tells its history, too', async () => {
  const year = fill();
  await shop.merchant.call().pspConnection.disconnect();
  expect((await begin()).body).toMatchObject({ history: { open: 0 } });
  await shop.merchant.connect();
  expect((await shadow()).history).toEqual({ open: 1, problem: null });
  await readHistory();
  expect((await shadow()).history).toEqual({ open: 0, problem: null });
  await move();
  await assertCompared(year);

  // Another key of the same account has nothing new to tell.
  await shop.merchant.connect();
  expect((await shadow()).history.open).toBe(0);
});

it('a history that cannot be read does not keep lost events from being found', async () => {
  const { merchant, service } = shop;
  await begin();
  service.psp.faults.plant({ method: 'GET', path: /refunds/, kind: 500, effect: 'none' });
  await readHistory();
  const created = Math.floor(service.clock.now().getTime() / 1_000);
  const lost = charge({ created: created - 1, livemode: true });
  merchant.psp.records.events.push({ event: wireEvent('charge.succeeded', lost, { created }), delivered: false });
  service.clock.advance(50, 'minutes');
  await readHistory();
  expect((await shadow()).history).toMatchObject({ open: 1 });
  expect((await all<{ id: string; psp_charge_id: string }>('/sales')).map(({ psp_charge_id }) => psp_charge_id)).toEqual([
    lost.id,
  ]);
});

it('the shadow says which permission for the history the key lacks', async () => {
  fill();
  const { merchant, service } = shop;
  const granted = ['accounts_kyc_basic', 'invoice', 'subscription', 'event', 'checkout_session', 'plan'];
  const secret_key = service.psp.restrictKey(
    merchant.psp,
    granted.map((permission) => `rak_${permission}_read`),
  );
  await merchant.call().pspConnection.connect({ secret_key, webhook_secret: merchant.webhookSecret });
  await begin();
  await readHistory();
  expect((await shadow()).history).toEqual({ open: 1, problem: expect.stringContaining('rak_charge_read') });

  // Another key is not a history that has been read.
  await merchant.connect();
  expect((await shadow()).history).toEqual({ open: 1, problem: null });
  await readHistory();
  expect((await shadow()).history).toEqual({ open: 0, problem: null });
  expect(await shop.count('sale')).toBeGreaterThan(0);
});

/** Tells a checkout and its charge, made a second later, because the provider's times have whole seconds. */
async function pay({ customer, ...checkout }: Parameters<typeof checkoutSession>[0] & { customer: string }): Promise<void> {
  shop.service.clock.advance(1, 'seconds');
  const { created = Math.floor(shop.service.clock.now().getTime() / 1_000) } = checkout;
  const paid = charge({ amount: 10_000, customer, livemode: true, created });
  const session = checkoutSession({ customer, payment_intent: paid.payment_intent, created, livemode: true, ...checkout });
  await shop.deliver(
    wireEvent('checkout.session.completed', session, { created }),
    wireEvent('charge.succeeded', paid, { created }),
  );
}

describe('after the switch', () => {
  it('an old link, parameter, code, UUID in the metadata of a subscription and token in a payment link each earn', async () => {
    const campaign = at.double.addCampaign({ commission_percent: 30, max_commission_period_months: null });
    const names = ['link', 'parameter', 'code', 'uuid', 'payment-link'] as const;
    const affiliates = names.map((name) =>
      at.double.addAffiliate(campaign, { email: `${name}@example.com`, token: `Old-${name}` }),
    );
    at.double.addCoupon(affiliates[2]!, { token: 'OLD20', external_id: 'promo_old20' });
    const waiting = at.double.addReferral(affiliates[3]!, {
      conversion_state: 'lead',
      became_conversion_at: null,
      expires_at: '2999-01-01T00:00:00.000Z',
    });
    await begin();
    await move();
    shop.service.clock.advance(1, 'hours');
    expect((await shop.merchant.api.send<Shadow>('POST', `${PATH}/end`, { body: {} })).body).toMatchObject({ state: 'ending' });
    await at.mover.advance();
    expect(await shadow()).toMatchObject({ state: 'off' });
    shop.service.clock.advance(1, 'hours');

    // An old post leads to the host of the former tool's short links, which points here.
    const { url } = shop.service;
    const account_id = shop.merchant.id;
    const click = await send(`${url}/t/old-LINK`, 'GET', { query: { account_id } });
    const passedOn = new URL(click.headers.get('location')!).searchParams.get('referral');
    await pay({ customer: 'cus_link', client_reference_id: passedOn });

    // The script reports the parameter of the page's address.
    const visit = { account_id, parameters: 'via=old-Parameter' };
    const { referral_id } = (await send<{ referral_id: string }>(`${url}/track/visits`, 'POST', { body: visit })).body;
    await pay({ customer: 'cus_parameter', client_reference_id: referral_id });

    const created = Math.floor(shop.service.clock.now().getTime() / 1_000);
    const { records } = shop.merchant.psp;
    records.coupons.push(coupon({ id: 'OLD' }));
    records.promotionCodes.push(promotionCode({ id: 'promo_old20', code: 'OLD20', livemode: true }));
    await pay({
      customer: 'cus_code',
      discounts: [{ coupon: null, promotion_code: 'promo_old20' }],
    });

    const begun = subscription(String(waiting['stripe_customer_id']), {
      created,
      livemode: true,
      metadata: { referral: waiting.id },
    });
    await shop.deliver(wireEvent('customer.subscription.created', begun, { created }));
    const paid = charge({ amount: 10_000, customer: begun.customer, livemode: true, created });
    await shop.deliver(wireEvent('charge.succeeded', paid, { created }));

    await pay({ customer: 'cus_payment_link', payment_link: 'plink_1', client_reference_id: 'old-payment-LINK' });

    const commissions = await all<{ affiliate_id: string; kind: string; amount_cents: number }>('/commissions');
    const emails = await namesOf<{ id: string; email: string }>('/affiliates', 'email');
    expect(
      commissions
        .map(({ affiliate_id, kind, amount_cents }) => [emails.get(affiliate_id), kind, amount_cents].join(' '))
        .toSorted(),
    ).toEqual(names.map((name) => `${name}@example.com sale 3000`).toSorted());
  });
});
