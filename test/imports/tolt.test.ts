import { beforeEach, describe, expect, it } from 'vitest';
import { databaseRows } from '../support/dump.ts';
import type { ErrorBody } from '../support/http.ts';
import { must, sell } from '../support/program.ts';
import { useAccount, useService } from '../support/suite.ts';
import { madeIn, makeAgain, Mover, outcomesOf } from './moving.ts';
import { maintenance } from './rewardful-server/rewardful-server.ts';
import { ToltServer } from './tolt-server/tolt-server.ts';
import type { Element } from './tool-server.ts';

const service = useService({ writesRows: true });
const account = useAccount(service);
let mover: Mover;
let double: ToltServer;

beforeEach(async () => {
  double = await new ToltServer().start();
  mover = new Mover(service, account);
  service.services.imports = { apiBases: { tolt: double.url }, pauseMs: 0 };
  for (const name of ['Everybody', 'Best friends'])
    await must(account, '/campaigns', {
      name,
      url: 'https://shop.example.com/',
      reward_type: 'percent',
      commission_percent: name === 'Everybody' ? 20 : 30,
      params: ['ref'],
      default: name === 'Everybody',
    });
  return () => double.stop();
});

const GROUPS = [
  { id: 'grp_1', name: 'everybody', created_at: '2024-01-01T00:00:00.000Z' },
  { id: 'grp_2', name: 'Best friends', created_at: '2024-01-01T00:00:00.000Z' },
];
const input = () => ({ source: 'tolt', credentials: double.credentials });
const begin = () => mover.read(input());
const made = () => madeIn(service, account);

/** Fills the double with partners of whom every second has a customer. */
function fill(partners: number): void {
  const states = ['active', 'active', 'pending', 'rejected', 'suspended'];
  for (let i = 0; i < partners; i += 1) {
    const partner = double.addPartner(GROUPS[i % 2]!, { status: states[i % 5] });
    if (i % 2 === 0) double.addCustomer(partner);
  }
}

describe('a program at Tolt', () => {
  it('moves with all pages of partners, their links and customers, into campaigns named like the groups', async () => {
    fill(130);
    const before = await made();
    const read = await begin();
    expect(read).toMatchObject({ state: 'ready', failure: null, expected_count: 130 + 130 + 65 });
    expect(outcomesOf(read)).toEqual(['campaign existing 0/2', 'affiliate new 0/130', 'link new 0/130', 'customer new 0/65']);
    expect(await made()).toEqual(before);
    expect(outcomesOf(await mover.run(read.id))).toEqual([
      'campaign existing 2/2',
      'affiliate new 130/130',
      'link new 130/130',
      'customer new 65/65',
    ]);
    expect(await mover.list('/affiliates?email=partner.2@example.com&expand[]=campaign')).toMatchObject([
      {
        external_id: 'part_2',
        walleta_email: 'pay.2@example.com',
        created_at: '2025-01-13T10:06:11.251Z',
        campaign: { name: 'Best friends' },
      },
    ]);
    expect(await mover.list('/affiliates?state=disabled&limit=100')).toHaveLength(26);
    expect(await mover.list('/links?token=partner_7')).toMatchObject([{ url: 'https://shop.example.com/' }]);
    expect(await databaseRows(service)).not.toContain(double.key);
  });

  it('leaves links that go on working, and customers who earn from now on', async () => {
    const partner = double.addPartner(GROUPS[1]!, { value: 'Old-Post' });
    double.addCustomer(partner, { customer_id: 'cus_old', name: 'cus_old' });
    const { id } = await begin();
    await mover.run(id);
    expect((await fetch(`${service.url}/t/old-post?account_id=${account.id}`, { redirect: 'manual' })).status).toBe(302);
    await sell(account, { psp_customer_id: 'cus_old', amount_cents: 1_000 });
    expect(await mover.list('/commissions')).toMatchObject([{ amount_cents: 300 }]);
    expect(await mover.list('/customers')).toMatchObject([{ name: null, email: 'customer.1@shop.example' }]);
  });

  it('is the same after being stopped at any point, and read twice, and can be undone', async () => {
    fill(12);
    expect(await makeAgain(mover, input(), made)).not.toEqual([]);
  });
});

describe('records of Tolt that have no equal here', () => {
  it('are problems of their own', async () => {
    const partner = double.addPartner(null, { value: 'john doe' });
    const other = double.addPartner({ id: 'grp_3', name: 'Nowhere' }, { payout_details: 'none', status: 'approved' });
    double.addPartner(GROUPS[0]!, { status: 'dreaming' });
    double.addPartner(GROUPS[0]!, { email: null });
    double.addCustomer(partner, { email: 'user-7', customer_id: null, status: 'lead' });
    double.addCustomer(partner, { status: 'canceled', active_at: '2025-01-16T00:00:00.000Z' });
    double.addCustomer(other);
    double.addCustomer(partner, { email: null, customer_id: null });
    const read = await begin();
    const rows = await mover.rows(read.id);
    expect(
      rows.map(({ kind, source_id, outcome, reason, detail }) =>
        [kind, source_id, outcome, reason, detail?.split(':')[0]].filter(Boolean).join(' '),
      ),
    ).toEqual([
      'affiliate part_1 new',
      'campaign grp_3 problem campaign_missing',
      'affiliate part_2 problem campaign_missing',
      'campaign grp_1 existing',
      'affiliate part_3 problem invalid state',
      'affiliate part_4 problem invalid external_id',
      'link lnk_1 problem invalid token',
      'link lnk_2 problem affiliate_missing',
      'link lnk_3 problem affiliate_missing',
      'link lnk_4 problem affiliate_missing',
      'customer cust_1 new',
      'customer cust_2 new',
      'customer cust_3 problem affiliate_missing',
      'customer cust_4 skipped no_customer',
    ]);
    expect(rows.find(({ source_id }) => source_id === 'cust_1')!['data']).toMatchObject({
      email: null,
      external_customer_id: 'user-7',
    });
    await mover.run(read.id);
    expect((await made()).filter((line) => line.startsWith('referral')).map((line) => line.split(' ')[1])).toEqual([
      'conversion',
      'lead',
    ]);
  });
});

it('a problem is tried again when the import is run again', async () => {
  double.addPartner({ id: 'grp_3', name: 'Nowhere' });
  const { id } = await begin();
  expect(outcomesOf(await mover.run(id))).toEqual(['campaign problem 1/1', 'affiliate problem 1/1', 'link problem 1/1']);
  await must(account, '/campaigns', {
    name: 'Nowhere',
    url: 'https://shop.example.com/',
    reward_type: 'percent',
    commission_percent: 10,
  });
  expect(outcomesOf(await mover.run(id, { credentials: double.credentials }))).toEqual([
    'campaign existing 1/1',
    'affiliate new 1/1',
    'link new 1/1',
  ]);
});

describe('commissions of Tolt', () => {
  it('come in the currency of the program, with amounts that are texts there', async () => {
    const partner = double.addPartner(GROUPS[0]!);
    const customer = double.addCustomer(partner);
    double.addCommission(customer);
    double.addCommission(customer, { status: 'paid' });
    double.addCommission(customer, { status: 'refunded', revenue: null });
    double.addCommission(customer, { status: 'pending', scheduled_approval_date: '2999-01-01T00:00:00.000Z', amount: 50 });
    double.addCommission(customer, { amount: '19.99' });
    const { id, totals } = await begin();
    expect(totals.map(({ currency, state, source_cents, here_cents }) => [currency, state, source_cents, here_cents])).toEqual([
      ['EUR', 'due', 1_999, 1_999],
      ['EUR', 'paid', 1_999, 1_999],
      ['EUR', 'pending', 50, 50],
      ['EUR', 'voided', 1_999, 1_999],
    ]);
    await mover.run(id);
    const commissions = await mover.list<Element>('/commissions?expand=sale');
    const told = commissions.map(({ state, amount_cents, currency, due_at, sale }) =>
      [state, amount_cents, currency, due_at, (sale as Element | null)?.['psp_charge_id']].join(' '),
    );
    expect(told.toSorted()).toEqual([
      'due 1999 EUR 2025-03-17T14:30:00.000Z ch_tolt1',
      'paid 1999 EUR 2025-03-17T14:30:00.000Z ch_tolt2',
      'pending 50 EUR 2999-01-01T00:00:00.000Z ch_tolt4',
      'voided 1999 EUR 2025-03-17T14:30:00.000Z ',
    ]);
    expect(await mover.list('/payouts')).toMatchObject([{ state: 'due', amount_cents: 1_999, currency: 'EUR' }]);
  });
});

it('codes of Tolt are known by their text, and earn', async () => {
  double.addCode(double.addPartner(GROUPS[1]!), { code: 'Ada20' });
  double.addCode({ id: null });
  const { id } = await begin();
  expect(outcomesOf(await mover.run(id)).filter((line) => line.startsWith('code'))).toEqual(['code new 1/1', 'code problem 1/1']);
  await sell(account, { customer_email: 'eve@shop.example', promo_code: 'ada20' });
  expect(await mover.list('/commissions')).toMatchObject([{ amount_cents: 3_000 }]);
});

describe('a key of Tolt', () => {
  it('without the id of the program is refused', async () => {
    expect(await mover.begin<ErrorBody>({ source: 'tolt', credentials: double.key })).toMatchObject({
      status: 422,
      body: { details: [{ path: 'credentials', code: 'invalid_format' }] },
    });
  });

  it('that is wrong, or of another program, fails the import', async () => {
    expect(await mover.read({ source: 'tolt', credentials: 'wrong:prg_1' })).toMatchObject({
      state: 'failed',
      failure: 'key_refused',
    });
    expect(await mover.read({ source: 'tolt', credentials: `${double.key}:prg_1` })).toMatchObject({
      state: 'failed',
      failure: 'not_understood',
    });
  });

  it('goes on after maintenance', async () => {
    fill(3);
    double.troubles.push(null, maintenance);
    const waiting = await begin();
    expect(waiting).toMatchObject({ state: 'reading', resume_at: expect.any(String) });
    service.clock.advance(31, 'seconds');
    await mover.advance();
    expect(await mover.get(waiting.id)).toMatchObject({ state: 'ready' });
  });
});
