import { beforeEach, describe, expect, it } from 'vitest';
import { payee } from '../payouts/program.ts';
import { program, refer, sell } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { Assistant } from './assistant.ts';

type Overview = Outputs['overview']['get'];
type DailySeries = Outputs['overview']['daily'];

const service = useService();
const account = useAccount(service);
let assistant: Assistant;

beforeEach(async () => {
  assistant = await Assistant.overHttp(service, account.apiKey);
});

const NOTHING = { count: 0, amount_cents: 0 };

function summary(): Promise<Overview> {
  return assistant.result<Overview>('program_overview', { action: 'summary' });
}

function daily(range: { since?: string; until?: string } = {}): Promise<DailySeries> {
  return assistant.result<DailySeries>('program_overview', { action: 'daily', ...range });
}

describe('summary', () => {
  it('is empty for an empty account', async () => {
    expect(await summary()).toEqual({
      as_of: service.clock.instant(),
      due: [],
      needs_review: { commissions_count: 0, commissions: [], rewards_count: 0, sales_count: 0, affiliates: [] },
      affiliates: { pending: 0, active: 0, disabled: 0, suspicious: 0, rejected: 0 },
      recent_activity: [],
    });
  });

  it('returns the amounts owed per currency and by state', async () => {
    await payee(account, { amount_cents: 10_000 });
    await payee(account, { amount_cents: 20_000 });
    await payee(account, { amount_cents: 5_000, terms: { minimum_payout_cents: 100_000 } });
    const { payout } = await payee(account, { amount_cents: 8_000, currency: 'EUR' });
    await account.api.post('/payout_exports', { payout_ids: [payout.id] });
    const later = await program(account);
    await sell(account, { referral_id: (await refer(account, later)).id, amount_cents: 3_000 });
    expect((await summary()).due).toEqual([
      {
        currency: 'EUR',
        payable: NOTHING,
        waiting: NOTHING,
        obstacles: [],
        debts: NOTHING,
        processing: { count: 1, amount_cents: 800 },
        not_due_yet: NOTHING,
        under_review: NOTHING,
      },
      {
        currency: 'USD',
        payable: { count: 2, amount_cents: 3_000 },
        waiting: { count: 1, amount_cents: 500 },
        obstacles: [{ reason: 'below_minimum', count: 1, amount_cents: 500 }],
        debts: NOTHING,
        processing: NOTHING,
        not_due_yet: { count: 1, amount_cents: 300 },
        under_review: NOTHING,
      },
    ]);
  });

  it('does not subtract what one affiliate owes from what others wait for', async () => {
    const { payout } = await payee(account, { amount_cents: 20_000 });
    await account.api.post(`/payouts/${payout.id}/pay`);
    const { data } = (await account.api.get<{ data: { id: string }[] }>('/commissions')).body;
    await account.api.delete(`/commissions/${data[0]!.id}`);
    const held = await payee(account, { amount_cents: 9_000, terms: { minimum_payout_cents: 100_000 } });
    await account.api.patch(`/affiliates/${held.program.affiliate.id}`, { state: 'suspicious' });
    expect((await summary()).due).toMatchObject([
      {
        payable: NOTHING,
        waiting: { count: 1, amount_cents: 900 },
        obstacles: [
          { reason: 'below_minimum', count: 1, amount_cents: 900 },
          { reason: 'on_hold', count: 1, amount_cents: 900 },
        ],
        debts: { count: 1, amount_cents: -2_000 },
      },
    ]);
  });

  it('lists records that need review until they are reviewed', async () => {
    const { affiliate } = await program(account, {}, { state: 'pending' });
    const seller = await program(account);
    const { commission } = await sell(account, { referral_id: (await refer(account, seller)).id });
    await account.api.post(`/commissions/${commission!.id}/review`, { review_action: 'suspicious' });
    const { needs_review, affiliates } = await summary();
    expect(needs_review).toEqual({
      commissions_count: 1,
      commissions: [
        {
          id: commission!.id,
          affiliate_id: seller.affiliate.id,
          amount_cents: 1_000,
          currency: 'USD',
          created_at: service.clock.instant(),
        },
      ],
      rewards_count: 0,
      sales_count: 0,
      affiliates: [{ id: affiliate.id, email: affiliate.email, state: 'pending', created_at: service.clock.instant() }],
    });
    expect(affiliates).toEqual({ pending: 1, active: 1, disabled: 0, suspicious: 0, rejected: 0 });

    await account.api.post(`/commissions/${commission!.id}/review`, { review_action: 'approve' });
    await account.api.patch(`/affiliates/${affiliate.id}`, { state: 'active' });
    expect((await summary()).needs_review).toEqual({
      commissions_count: 0,
      commissions: [],
      rewards_count: 0,
      sales_count: 0,
      affiliates: [],
    });
  });

  it('lists the most recent events, newest first', async () => {
    const { affiliate } = await program(account);
    const { recent_activity } = await summary();
    expect(recent_activity.map(({ type }) => type)).toEqual([
      'link.created',
      'affiliate.approved',
      'affiliate.created',
      'campaign.created',
    ]);
    expect(recent_activity[1]!.data).toMatchObject({ id: affiliate.id, email: affiliate.email });
  });

  it('includes only records of its own account', async () => {
    await payee(await service.createAccount());
    expect((await summary()).due).toEqual([]);
  });
});

describe('daily', () => {
  it('returns the figures of every day of the range', async () => {
    service.clock.set('2027-03-01T23:59:59.000Z');
    const first = await refer(account, await program(account));
    service.clock.set('2027-03-02T00:00:00.000Z');
    await account.api.patch(`/referrals/${first.id}`, { conversion_state: 'conversion' });
    const { sale, commission } = await sell(account, { referral_id: first.id, amount_cents: 10_000, tax_amount_cents: 1_000 });
    await sell(account, { referral_id: first.id, amount_cents: 2_000, currency: 'EUR' });
    service.clock.set('2027-03-03T12:00:00.000Z');
    const { days, from, to } = await daily({ since: '2027-03-01', until: '2027-03-04' });
    expect([from, to]).toEqual(['2027-03-01', '2027-03-04']);
    const nothingPaid = { payouts: 0, payouts_cents: 0 };
    const none = { clicks: 0, referrals: 0, conversions: 0, currencies: [] };
    expect(days).toEqual([
      { ...none, date: '2027-03-01', referrals: 1 },
      {
        ...none,
        date: '2027-03-02',
        conversions: 1,
        currencies: [
          { ...nothingPaid, currency: 'EUR', sales: 1, sales_cents: 2_000, commissions_cents: 200 },
          { ...nothingPaid, currency: 'USD', sales: 1, sales_cents: 9_000, commissions_cents: 900 },
        ],
      },
      { ...none, date: '2027-03-03' },
      { ...none, date: '2027-03-04' },
    ]);
    await account.api.delete(`/commissions/${commission!.id}`);
    const { days: after } = await daily({ since: '2027-03-02', until: '2027-03-02' });
    expect(after[0]!.currencies[1]).toMatchObject({ currency: sale.currency, commissions_cents: 0 });
  });

  it('adds commissions in their own currency and subtracts clawbacks once', async () => {
    service.clock.set('2027-03-05T12:00:00.000Z');
    const fixed = { reward_type: 'fixed', commission_amount_cents: 700, commission_amount_currency: 'USD' };
    const { payout } = await payee(account, { amount_cents: 10_000, currency: 'EUR', terms: fixed });
    const money = async () => (await daily({ since: '2027-03-05', until: '2027-03-05' })).days[0]!.currencies;
    const sold = { currency: 'EUR', sales: 1, sales_cents: 10_000, commissions_cents: 0 };
    expect(await money()).toMatchObject([sold, { currency: 'USD', sales: 0, sales_cents: 0, commissions_cents: 700 }]);

    await account.api.post(`/payouts/${payout.id}/pay`);
    const { body } = await account.api.get<{ data: { id: string }[] }>('/commissions');
    await account.api.delete(`/commissions/${body.data[0]!.id}`);
    expect(await money()).toMatchObject([sold, { currency: 'USD', commissions_cents: 0, payouts: 1, payouts_cents: 700 }]);
  });

  it('shows no negative sales after a full refund with tax', async () => {
    service.clock.set('2027-03-06T12:00:00.000Z');
    const referral = await refer(account, await program(account));
    const taxed = { referral_id: referral.id, amount_cents: 11_000, tax_amount_cents: 1_000 };
    const [half, full] = [await sell(account, taxed), await sell(account, taxed)];
    const refunds = { [half.sale.external_id!]: 5_500, [full.sale.external_id!]: 11_000 };
    for (const [external_id, amount_cents] of Object.entries(refunds)) {
      await account.api.post('/track/refunds', { external_id, refund_id: external_id, amount_cents });
    }
    const { days } = await daily({ since: '2027-03-06', until: '2027-03-06' });
    expect(days[0]!.currencies).toMatchObject([{ sales: 2, sales_cents: 5_000, commissions_cents: 500 }]);
    const top = await assistant.result<Outputs['overview']['topAffiliates']>('program_overview', {
      action: 'top_affiliates',
      since: '2027-03-06',
      until: '2027-03-06',
      currency: 'USD',
    });
    expect(top.affiliates).toMatchObject([{ sales: 2, sales_cents: 5_000, commissions_cents: 500 }]);
  });

  it('counts no sales that nobody brought', async () => {
    await sell(account, { customer_email: 'nobody@example.com', amount_cents: 99_000 });
    expect((await daily()).days.at(-1)!.currencies).toEqual([]);
    await sell(account, { referral_id: (await refer(account, await program(account))).id, amount_cents: 5_000 });
    expect((await daily()).days.at(-1)!.currencies).toMatchObject([{ sales: 1, sales_cents: 5_000 }]);
  });

  it('counts clicks', async () => {
    const { link } = await program(account);
    await fetch(`${service.url}/t/${link.token}?account_id=${account.id}`, { redirect: 'manual' });
    const today = service.clock.instant().slice(0, 10);
    expect((await daily({ since: today })).days).toMatchObject([{ date: today, clicks: 1, referrals: 1 }]);
  });

  it('counts payouts on the day they were paid', async () => {
    service.clock.set('2027-03-05T10:00:00.000Z');
    const paid = [await payee(account, { amount_cents: 10_000 }), await payee(account, { amount_cents: 25_000 })];
    await payee(account, { amount_cents: 4_000 });
    service.clock.set('2027-03-07T23:59:59.999Z');
    for (const { payout } of paid) await account.api.post(`/payouts/${payout.id}/pay`, {});
    const { days } = await daily({ since: '2027-03-05', until: '2027-03-08' });
    expect(days.map(({ currencies }) => currencies)).toEqual([
      [{ currency: 'USD', sales: 3, sales_cents: 39_000, commissions_cents: 3_900, payouts: 0, payouts_cents: 0 }],
      [],
      [{ currency: 'USD', sales: 0, sales_cents: 0, commissions_cents: 0, payouts: 2, payouts_cents: 3_500 }],
      [],
    ]);
  });

  it('covers thirty days by default', async () => {
    service.clock.set('2027-03-31T10:00:00.000Z');
    const { days, from, to } = await daily();
    expect([days.length, from, to]).toEqual([30, '2027-03-02', '2027-03-31']);
  });

  it.each([
    ['until', { since: '2027-03-02', until: '2027-03-01' }],
    ['since', { since: '2026-01-01', until: '2027-01-02' }],
    ['since', { since: '2027-02-30' }],
  ])('rejects a range with an invalid %s', async (path, range) => {
    const { body } = await assistant.call('program_overview', { action: 'daily', ...range });
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path }] });
  });
});

describe('top affiliates', () => {
  type TopAffiliates = Outputs['overview']['topAffiliates'];
  const top = (input: Record<string, unknown>) =>
    assistant.result<TopAffiliates>('program_overview', { action: 'top_affiliates', ...input });

  it('are ranked by sales in the range, in one currency', async () => {
    service.clock.set('2027-04-01T00:00:00.000Z');
    const [ada, bob, eve] = [await program(account), await program(account), await program(account)];
    const referrals = { ada: await refer(account, ada), bob: await refer(account, bob), eve: await refer(account, eve) };
    await sell(account, { referral_id: referrals.eve.id, amount_cents: 90_000 });
    service.clock.set('2027-04-02T00:00:00.000Z');
    await sell(account, { referral_id: referrals.ada.id, amount_cents: 10_000, tax_amount_cents: 1_000 });
    const second = await sell(account, { referral_id: referrals.ada.id, amount_cents: 2_000 });
    await sell(account, { referral_id: referrals.bob.id, amount_cents: 20_000 });
    await sell(account, { referral_id: referrals.eve.id, amount_cents: 70_000, currency: 'EUR' });
    await sell(account, { customer_email: 'nobody@example.com', amount_cents: 99_000 });
    await account.api.delete(`/commissions/${second.commission!.id}`);
    const { affiliates, ...range } = await top({ since: '2027-04-02', until: '2027-04-02', currency: 'usd' });
    expect(range).toEqual({ from: '2027-04-02', to: '2027-04-02', currency: 'USD' });
    expect(affiliates).toEqual([
      expect.objectContaining({
        id: bob.affiliate.id,
        sales: 1,
        sales_cents: 20_000,
        previous_sales_cents: 0,
        commissions_cents: 2_000,
      }),
      expect.objectContaining({ id: ada.affiliate.id, sales: 2, sales_cents: 11_000, commissions_cents: 900, first_name: 'Ada' }),
    ]);
    service.clock.set('2027-04-03T00:00:00.000Z');
    await sell(account, { referral_id: referrals.ada.id, amount_cents: 4_000 });
    const next = await top({ since: '2027-04-03', until: '2027-04-03', currency: 'USD' });
    expect(next.affiliates).toMatchObject([{ id: ada.affiliate.id, sales_cents: 4_000, previous_sales_cents: 11_000 }]);
    const first = await top({ since: '2027-04-01', until: '2027-04-02', currency: 'USD', limit: 1 });
    expect(first.affiliates.map(({ id }) => id)).toEqual([eve.affiliate.id]);
  });

  it('include only affiliates of their own account', async () => {
    await payee(await service.createAccount());
    expect((await top({ currency: 'USD' })).affiliates).toEqual([]);
  });

  it.each([
    ['currency', { currency: 'XXY' }],
    ['limit', { currency: 'USD', limit: 51 }],
    ['since', { currency: 'USD', since: '2026-01-01', until: '2027-01-02' }],
  ])('reject an invalid %s', async (path, input) => {
    const { body } = await assistant.call('program_overview', { action: 'top_affiliates', ...input });
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path }] });
  });
});
