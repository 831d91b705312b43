import { tellOfChangedRewards } from '@affiliate/core';
import { describe, expect, it } from 'vitest';
import { sendAllMail } from '../support/mailbox.ts';
import { charge, wireEvent } from '../support/psp-server/index.ts';
import { madeIn } from './moving.ts';
import type { Commission, Referral } from './rewardful-server/rewardful-server.ts';
import { useRewardful } from './use-rewardful.ts';

interface Given {
  affiliate_id: string;
  amount_cents: number;
  currency: string;
}

interface Compared {
  sale_id: string;
  charged_at: string;
  outcome: string;
  cause: string | null;
  there: Given | null;
  here: Given | null;
  explanation: string;
}

interface Customer extends Record<string, unknown> {
  customer_id: string;
  sales: Compared[];
}

const { shop, at } = useRewardful();

async function move(): Promise<string> {
  const { id } = await at.mover.read({ source: 'rewardful', credentials: at.double.secret });
  await at.mover.run(id);
  return id;
}

async function compared(query = ''): Promise<Compared[]> {
  const customers = await at.mover.list<Customer>(`/api/settings/v1/shadows?limit=100${query}`);
  return customers.flatMap(({ sales }) => sales);
}

/** Returns the sums of all parts as texts. */
async function summed(query = ''): Promise<string[]> {
  const { body } = await shop.merchant.api.get<{ data: Record<string, unknown>[]; next: null }>(
    `/api/settings/v1/shadows/sums${query}`,
  );
  expect(body.next).toBeNull();
  return body.data
    .map(({ affiliate_id, month, currency, there_cents, here_cents }) =>
      [affiliate_id, month, currency, there_cents, here_cents].join(' '),
    )
    .toSorted();
}

/** Returns the sums of sales by affiliate, month and currency, in another way than the service. */
function sumsOf(sales: readonly Compared[]): string[] {
  const keys = new Set(
    sales.flatMap(({ charged_at, there, here }) =>
      [there, here].flatMap((given) => (given ? [[given.affiliate_id, charged_at.slice(0, 7), given.currency].join(' ')] : [])),
    ),
  );
  const sum = (key: string, side: 'there' | 'here') =>
    sales.reduce((total, { charged_at, [side]: given }) => {
      const isOf = given !== null && key === [given.affiliate_id, charged_at.slice(0, 7), given.currency].join(' ');
      return isOf ? total + given.amount_cents : total;
    }, 0);
  return [...keys].map((key) => `${key} ${sum(key, 'there')} ${sum(key, 'here')}`).toSorted();
}

const textOf = ({ outcome, cause, there, here }: Compared) =>
  [outcome, cause, there?.amount_cents, there?.currency, here?.amount_cents, here?.currency]
    .filter((each) => each != null)
    .join(' ');

/** Adds a customer of a new affiliate, who came before the first charge. */
function customerOf(campaign = at.double.campaigns[0]!): Referral {
  return at.double.addReferral(at.double.addAffiliate(campaign));
}

const on = (day: number, fields: object = {}) => ({
  charged_at: `2024-05-${String(day).padStart(2, '0')}T00:00:00.000Z`,
  ...fields,
});

describe('the commissions of a former tool beside what this service would have paid', () => {
  it('differ only where the former tool has a defect, and each difference has its cause', async () => {
    at.double.addCampaign({ max_commission_period_months: null });
    const limited = at.double.addCampaign({ max_commissions: 2, max_commission_period_months: null });
    const [own, other, few] = [customerOf(), customerOf(), customerOf(limited)];
    const planted = new Map<string, string>();
    const plant = (expected: string, commission: Commission) =>
      void planted.set(String(commission.sale['stripe_charge_id']), expected);
    plant('equal 3000 USD 3000 USD', at.double.addCommission(own, { sale: on(1) }));
    plant('equal 3000 EUR 3000 EUR', at.double.addCommission(own, { sale: on(2, { currency: 'EUR' }) }));
    const taxed = { charge_amount_cents: 11_900, tax_amount_cents: 1_900 };
    plant('differs tax 3570 USD 3000 USD', at.double.addCommission(own, { amount: 3_570, sale: on(3, taxed) }));
    const refunded = { refund_amount_cents: 5_000 };
    plant('equal 1500 USD 1500 USD', at.double.addCommission(own, { sale: on(4, refunded) }));
    plant('differs refund 3000 USD 1500 USD', at.double.addCommission(own, { amount: 3_000, sale: on(5, refunded) }));
    plant(
      'differs tax_and_refund 3570 USD 1500 USD',
      at.double.addCommission(own, { amount: 3_570, sale: on(6, { ...taxed, refund_amount_cents: 5_950 }) }),
    );
    plant('differs rounding 3001 USD 3000 USD', at.double.addCommission(own, { amount: 3_001, sale: on(7) }));
    plant('differs terms 2000 USD 3000 USD', at.double.addCommission(own, { amount: 2_000, sale: on(8) }));
    plant(
      'differs currency 3210 USD 3000 EUR',
      at.double.addCommission(own, { amount: 3_210, currency: 'USD', sale: on(9, { currency: 'EUR' }) }),
    );
    const strayed = { affiliate: { id: other.affiliate.id } };
    plant('differs affiliate 3000 USD 3000 USD', at.double.addCommission(own, { sale: on(10, strayed) }));
    plant(
      'only_here voided_there 3000 USD',
      at.double.addCommission(own, { state: 'voided', voided_at: '2024-06-01T00:00:00Z', sale: on(11) }),
    );
    plant('equal 3000 USD 3000 USD', at.double.addCommission(few, { sale: on(1) }));
    plant('equal 3000 USD 3000 USD', at.double.addCommission(few, { sale: on(2) }));
    plant('only_there max_commissions_reached 3000 USD', at.double.addCommission(few, { sale: on(3) }));
    // Nobody earns from nothing.
    at.double.addCommission(own, { amount: 0, state: 'voided', sale: on(12, { refund_amount_cents: 10_000 }) });
    await move();
    const before = await madeIn(shop.service, shop.merchant);
    const sales = await compared();
    const { body } = await shop.merchant.api.get<{ data: { id: string; psp_charge_id: string }[] }>('/sales?limit=100');
    const chargeOf = new Map(body.data.map(({ id, psp_charge_id }) => [id, psp_charge_id]));
    expect(sales.map((sale) => `${chargeOf.get(sale.sale_id)} ${textOf(sale)}`).toSorted()).toEqual(
      [...planted].map(([id, expected]) => `${id} ${expected}`).toSorted(),
    );
    expect(sales.every(({ explanation }) => explanation.length > 20)).toBe(true);
    expect(await madeIn(shop.service, shop.merchant)).toEqual(before);
    // By affiliate and month.
    const { id: affiliateId } = (await at.mover.list<{ id: string }>(`/affiliates?email=${few.affiliate.email}`))[0]!;
    const ofFew = await compared(`&affiliate_id=${affiliateId}&charged_since=2024-05-02T00:00:00Z`);
    expect(ofFew.map(textOf)).toEqual(['equal 3000 USD 3000 USD', 'only_there max_commissions_reached 3000 USD']);
    expect(await summed()).toEqual(sumsOf(sales));
    expect((await summed(`?affiliate_id=${affiliateId}&charged_since=2024-05-02T00:00:00Z`)).toSorted()).toEqual([
      `${affiliateId} 2024-05 USD 6000 3000`,
    ]);
  });

  it('go on while both tools run: sales that earn here stand beside the commissions there', async () => {
    at.double.addCampaign({ max_commission_period_months: null });
    const referral = customerOf();
    at.double.addCommission(referral, { sale: on(1) });
    const id = await move();
    const charges = ['ch_both', 'ch_here'];
    for (const charge_id of charges) {
      shop.service.clock.advance(1, 'days');
      const created = Math.floor(shop.service.clock.now().getTime() / 1_000);
      const paid = charge({ id: charge_id, amount: 10_000, customer: 'cus_rw1', livemode: true, created });
      await shop.deliver(wireEvent('charge.succeeded', paid));
    }
    at.double.addCommission(referral, { amount: 2_500, sale: { stripe_charge_id: 'ch_both' } });
    await at.mover.run(id, { credentials: at.double.secret });
    expect((await compared()).map(textOf)).toEqual([
      'equal 3000 USD 3000 USD',
      'differs terms 2500 USD 3000 USD',
      'only_here not_earned_there 3000 USD',
    ]);
  });
});

it('commissions without a payment or a customer are compared, too', async () => {
  await shop.merchant.call().campaigns.create({
    name: 'Friends',
    url: 'https://shop.example',
    reward_type: 'percent',
    commission_percent: 30,
    default: true,
  });
  const affiliates = 'id,email,token\na1,ada@example.com,ada\na2,ben@example.com,ben';
  const customers = 'id,affiliate,email,created_at\nc1,a1,carl@shop.example,2024-04-01';
  const commissions = [
    'id,affiliate,customer,state,amount_cents,currency,sale_amount_cents,stripe_charge_id,created_at',
    'k1,a1,c1,due,3000,USD,10000,ch_one,2024-05-01',
    // The same charge once more, for the same and for another affiliate.
    'k2,a1,c1,due,3000,USD,10000,ch_one,2024-05-01',
    'k3,a2,,due,500,USD,10000,ch_one,2024-05-02',
    // A bonus for a customer, and one for nothing.
    'k4,a1,c1,due,700,USD,,,2024-06-03',
    'k5,a2,,due,1100,EUR,,,2024-06-03',
    'k6,a2,,due,1200,EUR,,,2024-06-04',
  ].join('\n');
  const kinds = { affiliates, customers, commissions };
  const files = Object.entries(kinds).map(([kind, content]) => ({ kind, content }));
  const read = await at.mover.read({ source: 'csv', files });
  await at.mover.run(read.id);
  expect((await compared()).map(textOf)).toEqual([
    'equal 3000 USD 3000 USD',
    'only_there duplicate 3000 USD',
    'only_there no_payment 700 USD',
  ]);
  const ids = await at.mover.list<{ id: string; email: string }>('/affiliates');
  const [ada, ben] = ['ada', 'ben'].map((name) => ids.find(({ email }) => email.startsWith(name))!.id);
  expect(await summed()).toEqual(
    [
      `${ada} 2024-05 USD 6000 3000`,
      `${ada} 2024-06 USD 700 0`,
      `${ben} 2024-05 USD 500 0`,
      `${ben} 2024-06 EUR 2300 0`,
    ].toSorted(),
  );
  expect(await summed(`?affiliate_id=${ben}&charged_since=2024-06-04T00:00:00Z`)).toEqual([`${ben} 2024-06 EUR 1200 0`]);
  interface Cause {
    outcome: string;
    cause: string | null;
    sales_count: number;
    there_cents: number;
  }
  const { body } = await shop.merchant.api.get<{ causes: Cause[] }>('/api/settings/v1/shadows/sums');
  expect(
    body.causes
      .map(({ outcome, cause, sales_count, there_cents }) => `${outcome} ${cause} ${sales_count} ${there_cents}`)
      .toSorted(),
  ).toEqual(['equal null 1 3000', 'only_there duplicate 2 3500', 'only_there no_customer 2 2300', 'only_there no_payment 1 700']);
});

it('the sums of an account with more than 200 customers come in parts', async () => {
  const affiliate = at.double.addAffiliate(at.double.addCampaign({ max_commission_period_months: null }));
  const referrals = Array.from({ length: 203 }, () => at.double.addReferral(affiliate));
  for (const place of [0, 100, 202]) at.double.addCommission(referrals[place]!, { sale: on(place === 100 ? 1 : 2) });
  await move();
  const parts: { data: { there_cents: number }[]; customers_count: number; next: string | null }[] = [];
  for (let next: string | null = ''; next !== null; next = parts.at(-1)!.next) {
    const path = `/api/settings/v1/shadows/sums${next === '' ? '' : `?after=${next}`}`;
    parts.push((await shop.merchant.api.get<(typeof parts)[number] & Record<string, unknown>>(path)).body);
  }
  expect(parts.map(({ customers_count }) => customers_count)).toEqual([200, 3]);
  expect(parts.flatMap(({ data }) => data).reduce((sum, { there_cents }) => sum + there_cents, 0)).toBe(9_000);
});

describe('a shadow', () => {
  interface Shadow extends Record<string, unknown> {
    state: string;
    since: string | null;
  }
  interface Commission extends Record<string, unknown> {
    kind: string;
    state: string;
    amount_cents: number;
  }
  interface SaleWithReason extends Record<string, unknown> {
    psp_charge_id: string;
    no_commission_reason: string | null;
  }
  const PATH = '/api/settings/v1/shadow';
  const shadow = async () => (await shop.merchant.api.get<Shadow>(PATH)).body.state;
  const begin = () => shop.merchant.api.send<Shadow>('POST', PATH, { body: {} });
  const end = (body = {}) => shop.merchant.api.send<Shadow>('POST', `${PATH}/end`, { body });
  const commissions = async () =>
    (await at.mover.list<Commission>('/commissions?limit=100'))
      .map(({ kind, state, amount_cents }) => `${kind} ${state} ${amount_cents}`)
      .toSorted();
  const reasons = async () =>
    (await at.mover.list<SaleWithReason>('/sales?limit=100'))
      .map(({ psp_charge_id, no_commission_reason }) => `${psp_charge_id} ${no_commission_reason ?? 'earned'}`)
      .toSorted();
  /** Tells a charge of the customer, made `daysAgo` days ago. */
  const pay = async (id: string, daysAgo = 0) => {
    const created = Math.floor(shop.service.clock.now().getTime() / 1_000) - daysAgo * 86_400;
    const paid = charge({ id, amount: 10_000, customer: 'cus_rw1', livemode: true, created });
    await shop.deliver(wireEvent('charge.succeeded', paid));
  };
  const open = async () => {
    const [payout] = await at.mover.list<{ amount_cents: number; eligible: boolean; ineligible_reasons: string[] }>(
      '/payouts?state=pending,due',
    );
    return payout && [payout.amount_cents, payout.eligible, ...payout.ineligible_reasons].join(' ');
  };

  it('does not begin while payouts are being paid', async () => {
    at.double.addCampaign({ max_commission_period_months: null, minimum_payout_cents: 0 });
    at.double.addCommission(customerOf(), { state: 'due', sale: on(1) });
    await move();
    const { body } = await shop.merchant.api.post<{ id: string }>('/payout_exports', {});
    expect(await begin()).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await shadow()).toBe('off');
    await shop.merchant.api.post(`/payout_exports/${body.id}/payment`);
    expect((await begin()).body).toMatchObject({ state: 'on' });
  });

  it('records what is sold and pays nothing, until the switch takes over what the former tool has decided', async () => {
    at.double.addCampaign({ max_commission_period_months: null, minimum_payout_cents: 0 });
    const referral = customerOf();
    at.double.addCommission(referral, { state: 'due', sale: on(1) });
    expect((await begin()).body).toMatchObject({ state: 'on' });
    const id = await move();
    shop.service.clock.advance(1, 'hours');
    await pay('ch_both');
    await pay('ch_missed');
    expect(await commissions()).toEqual(['imported due 3000']);
    expect(await reasons()).toEqual(['ch_both shadow', 'ch_missed shadow', 'ch_rw1 earned']);
    expect(await open()).toBe('3000 false moving_in');
    const [payout] = await at.mover.list<{ id: string }>('/payouts');
    expect(await shop.merchant.api.send('POST', '/payout_runs', { body: { payout_ids: [payout!.id] } })).toMatchObject({
      status: 422,
      text: expect.stringContaining('moving_in'),
    });
    expect(await shop.merchant.api.post(`/payouts/${payout!.id}/pay`)).toMatchObject({
      status: 422,
      body: { details: [{ path: 'id', code: 'moving_in' }] },
    });
    // The former tool is read again each day, with the key that was kept.
    at.double.addCommission(referral, { state: 'due', amount: 2_500, sale: { stripe_charge_id: 'ch_both' } });
    shop.service.clock.advance(25, 'hours');
    await at.mover.advance();
    expect(await commissions()).toEqual(['imported due 2500', 'imported due 3000']);
    expect((await compared()).map(textOf)).toEqual([
      'equal 3000 USD 3000 USD',
      'differs terms 2500 USD 3000 USD',
      'only_here not_earned_there 3000 USD',
    ]);
    // What is sold in the last minute before the switch is decided there, too.
    await pay('ch_last');
    at.double.addCommission(referral, { state: 'due', sale: { stripe_charge_id: 'ch_last' } });
    shop.service.clock.advance(1, 'minutes');
    expect((await end()).body).toMatchObject({ state: 'ending' });
    await pay('ch_after');
    expect(await commissions()).toEqual(['imported due 2500', 'imported due 3000', 'sale pending 3000']);
    expect(await open()).toBe('5500 false moving_in');
    await at.mover.advance();
    expect(await shadow()).toBe('off');
    expect(await open()).toBe('8500 true');
    // A charge that is told late was decided there.
    await pay('ch_late', 2);
    expect(await commissions()).toEqual(['imported due 2500', 'imported due 3000', 'imported due 3000', 'sale pending 3000']);
    expect(await reasons()).toEqual([
      'ch_after earned',
      'ch_both earned',
      'ch_last earned',
      'ch_late shadow',
      'ch_missed shadow',
      'ch_rw1 earned',
    ]);
    const kept = shop.service.services.database.kysely.selectFrom('data_import').select('sealed_input').where('id', '=', id);
    expect(await kept.executeTakeFirst()).toEqual({ sealed_input: null });
    expect((await end()).status).toBe(409);
  });

  it('keeps its state if an import cannot be read, and ends without it when a person says so', async () => {
    at.double.addCampaign({ max_commission_period_months: null, minimum_payout_cents: 0 });
    at.double.addCommission(customerOf(), { state: 'due', sale: on(1) });
    const id = await move();
    await begin();
    expect(await end()).toMatchObject({ status: 409, text: expect.stringContaining(id) });
    expect(await shadow()).toBe('on');
    await at.mover.run(id, { credentials: at.double.secret });
    at.double.secret = 'renewed';
    expect((await end()).body).toMatchObject({ state: 'ending' });
    await at.mover.advance();
    expect(await at.mover.get(id)).toMatchObject({ state: 'failed', failure: 'key_refused' });
    expect(await shadow()).toBe('ending');
    expect((await end({ imports: 'skip' })).body).toMatchObject({ state: 'off' });
    expect(await open()).toBe('3000 true');
  });

  it('tells affiliates no news by email', async () => {
    const campaign = at.double.addCampaign({ max_commission_period_months: null });
    customerOf(campaign);
    await move();
    const { services, mailbox } = shop.service;
    const [affiliate] = await at.mover.list<{ campaign_id: string; email: string }>('/affiliates');
    const toldOf = async (commission_percent: number) => {
      shop.service.clock.advance(1, 'hours');
      expect(
        (await shop.merchant.api.send('PATCH', `/campaigns/${affiliate!.campaign_id}`, { body: { commission_percent } })).status,
      ).toBe(200);
      shop.service.clock.advance(2, 'days');
      await tellOfChangedRewards(services, () => false);
      await sendAllMail(services);
      return mailbox.takeAll(affiliate!.email, /changed what you earn/).length;
    };
    await begin();
    expect(await toldOf(40)).toBe(0);
    await end({ imports: 'skip' });
    expect(await toldOf(50)).toBe(1);
  });
});
