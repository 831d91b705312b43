import { beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody, Fields } from '../support/http.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { type Payee, discrepancies, openPayout, payee } from './program.ts';

type Commission = Outputs['commissions']['create'];

const service = useService();
const account = useAccount(service);
let ada: Payee;

beforeEach(async () => {
  ada = await payee(account);
});

const input = (more: Fields = {}) => ({
  affiliate_id: ada.payout.affiliate_id,
  amount_cents: 2_500,
  currency: 'USD',
  note: 'Bonus for November',
  ...more,
});

async function enter(more: Fields = {}): Promise<Commission> {
  const { status, body } = await account.api.post<Commission>('/commissions', input(more));
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

async function open() {
  return openPayout(account, ada.payout.affiliate_id);
}

describe('a manual commission', () => {
  it('is listed in the CSV with the email address of its affiliate', async () => {
    const { id } = await enter();
    const { header, data } = await account.client.commissions.csv.query({ ids: [id] });
    const { email } = await account.client.affiliates.get.query({ id: ada.payout.affiliate_id });
    expect(data[0]!.split(',')[header.split(',').indexOf('affiliate_email')]).toBe(email);
  });

  it('joins the open payout, records its note and creator, and emits the usual events', async () => {
    const created = await enter();
    expect(created).toMatchObject({
      kind: 'manual',
      state: 'due',
      amount_cents: 2_500,
      livemode: true,
      note: 'Bonus for November',
      created_by: expect.stringMatching(/^key_/),
      sale_id: null,
      referral_id: null,
      campaign_id: ada.program.campaign.id,
      sale: null,
      payout_id: ada.payout.id,
    });
    expect(await open()).toMatchObject({ amount_cents: 3_500, commissions_count: 2 });
    const events = await service.services.database.kysely
      .selectFrom('event')
      .select(['type', 'body'])
      .where('account_id', '=', account.id)
      .where('subject_id', '=', created.id)
      .orderBy('id')
      .execute();
    expect(events.map(({ type }) => type)).toEqual(['commission.created', 'commission.due']);
    expect(JSON.parse(events[0]!.body)).toMatchObject({ data: { kind: 'manual', note: 'Bonus for November', sale_id: null } });
    const { data } = await account.client.commissions.list.query({ expand: ['sale', 'campaign'] });
    expect(data[0]).toMatchObject({ id: created.id, sale: null, campaign: { id: ada.program.campaign.id } });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('waits for its due date', async () => {
    const due_at = new Date(Date.parse(service.clock.instant()) + 86_400_000).toISOString();
    expect(await enter({ due_at })).toMatchObject({ state: 'pending', due_at, payout_id: null });
    expect(await open()).toMatchObject({ amount_cents: 1_000 });
  });

  it('reduces the open payout when it is negative', async () => {
    expect(await enter({ amount_cents: -400, note: 'Paid twice in October' })).toMatchObject({ amount_cents: -400 });
    expect(await open()).toMatchObject({ amount_cents: 600, commissions_count: 2 });
  });

  it('is created once under an Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'bonus' };
    const first = await account.api.post<Commission>('/commissions', input(), key);
    const replay = await account.api.post<Commission>('/commissions', input(), key);
    expect(replay).toMatchObject({ status: 201, body: first.body });
    expect(await open()).toMatchObject({ amount_cents: 3_500 });
  });

  it.each([
    ['affiliate_id', { affiliate_id: 'aff_unknown' }],
    ['amount_cents', { amount_cents: 0 }],
    ['amount_cents', { amount_cents: 1_000_000_000_000 }],
    ['amount_cents', { amount_cents: -1_000_000_000_000 }],
    ['amount_cents', { amount_cents: 1.5 }],
    ['currency', { currency: 'XXL' }],
    ['note', { note: ' ' }],
    ['note', { note: undefined }],
    ['livemode', { livemode: false }],
  ])('is refused with a bad %s', async (path, more) => {
    const { status, body } = await account.api.post<ErrorBody>('/commissions', input(more));
    expect({ status, paths: body.details?.map((detail) => detail.path) }).toEqual({ status: 422, paths: [path] });
  });

  it('can be paid, and can be voided before and after its payment', async () => {
    const unpaid = await enter();
    await account.api.delete(`/commissions/${unpaid.id}`);
    expect(await open()).toMatchObject({ amount_cents: 1_000 });
    const paid = await enter({ amount_cents: 700 });
    await account.api.post(`/payouts/${ada.payout.id}/pay`);
    await account.api.delete(`/commissions/${paid.id}`);
    await account.api.delete(`/commissions/${paid.id}`);
    expect(await open()).toMatchObject({ amount_cents: -700, commissions_count: 1 });
    const { data } = await account.client.commissions.list.query({ limit: 1 });
    expect(data).toMatchObject([{ kind: 'adjustment', adjusts_commission_id: paid.id, sale_id: null, amount_cents: -700 }]);
    // Voiding the commission twice created only one clawback. Voiding the clawback returns the money.
    await account.api.delete(`/commissions/${data[0]!.id}`);
    expect(await open()).toMatchObject({ amount_cents: 0, commissions_count: 0 });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('can be reviewed, and a review can void it', async () => {
    const { id } = await enter();
    const review = (review_action: string) => account.api.post(`/commissions/${id}/review`, { review_action });
    expect((await review('suspicious')).status).toBe(200);
    expect(await open()).toMatchObject({ amount_cents: 1_000 });
    expect((await review('approve')).status).toBe(200);
    expect(await open()).toMatchObject({ amount_cents: 3_500 });
    expect((await review('deactivate')).body).toMatchObject({ state: 'voided' });
    expect(await open()).toMatchObject({ amount_cents: 1_000 });
  });

  it('counts as a commission, not as revenue', async () => {
    await enter();
    const { body } = await account.api.get(`/affiliates/${ada.payout.affiliate_id}`, { expand: 'commission_stats' });
    expect(body).toMatchObject({ commission_stats: { currencies: [{ due_cents: 3_500, gross_sales_cents: 10_000 }] } });
    const { days } = await account.client.overview.daily.query({});
    expect(days.at(-1)!.currencies).toMatchObject([{ sales: 1, sales_cents: 10_000, commissions_cents: 3_500 }]);
  });
});
