/** Facts that arrive after a commission was paid move no money (docs/rules/attribution.md#paid-commissions). */
import { describe, expect, it } from 'vitest';
import { program, refer, sell, unique } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { createExport, discrepancies, DUE_AT_ONCE, openPayout, planRun } from './program.ts';

type Commission = Outputs['commissions']['get'];

const service = useService();
const account = useAccount(service);

const later = () => service.clock.advance(1, 'minutes');

/** A customer from whose sale Bob has earned. The sale of an hour before, by Ada's link, is reported later. */
async function story() {
  const person = { walleta_email: 'x@pay.example' };
  const ada = await program(account, DUE_AT_ONCE, person);
  const bob = await program(account, DUE_AT_ONCE, person);
  const [ofAda, ofBob] = [await refer(account, ada), await refer(account, bob)];
  const customer_email = `${unique('x')}@buyer.example`;
  later();
  const earliest = service.clock.instant();
  later();
  const earlier = service.clock.instant();
  later();
  const external_id = unique('order');
  const { sale } = await sell(account, { external_id, referral_id: ofBob.id, customer_email });
  return {
    ada: ada.affiliate.id,
    bob: bob.affiliate.id,
    saleId: sale.id,
    external_id,
    customer_email,
    /** A time before the earlier sale. */
    earliest,
    /** Reports the earlier sale. By all facts, Ada earns from both sales. */
    reportEarlier: () =>
      sell(account, { external_id: unique('order'), referral_id: ofAda.id, customer_email, charged_at: earlier }),
    /** Reports another sale of the customer, which names no referral. */
    buyAgain: () => {
      later();
      return sell(account, { external_id: unique('order'), customer_email });
    },
  };
}

type Story = Awaited<ReturnType<typeof story>>;

async function commissionsOf({ ada, bob }: Story): Promise<string[]> {
  const { body } = await account.api.get<{ data: Commission[] }>('/commissions');
  const name = (id: string) => (id === ada ? 'ada' : id === bob ? 'bob' : id);
  return body.data
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ affiliate_id, kind, state, amount_cents }) => `${name(affiliate_id)} ${kind} ${state} ${amount_cents}`);
}

async function commissionOf({ saleId }: Story): Promise<Commission> {
  const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { state: 'paid' });
  return body.data.find(({ sale_id }) => sale_id === saleId)!;
}

/** Every way to pay Bob's commission. */
const PAYMENTS: [name: string, pay: (told: Story) => Promise<unknown>][] = [
  [
    'by hand',
    async ({ bob }) => {
      const { body } = await account.api.get<{ data: Commission[] }>('/commissions', { affiliate_id: bob });
      return account.api.patch(`/commissions/${body.data[0]!.id}`, { paid_at: service.clock.instant() });
    },
  ],
  ['with its payout', async ({ bob }) => account.api.post(`/payouts/${(await openPayout(account, bob)).id}/pay`)],
  ['by a run', ({ bob }) => planRun(account, { affiliate_ids: [bob], execute_now: true })],
  [
    'by an export',
    async ({ bob }) => {
      const { id } = await createExport(account, { payout_ids: [(await openPayout(account, bob)).id] });
      return account.api.post(`/payout_exports/${id}/payment`);
    },
  ],
];

describe.each(PAYMENTS)('a commission that was paid %s', (_, pay) => {
  it('stays with its affiliate when a late fact gives the sale to another one', async () => {
    const told = await story();
    await pay(told);
    expect(await commissionsOf(told)).toEqual(['bob sale paid 1000']);
    later();
    const late = await told.reportEarlier();
    expect(late.commission).toMatchObject({ affiliate_id: told.ada });
    // The payment keeps the customer too.
    expect((await told.buyAgain()).commission).toMatchObject({ affiliate_id: told.bob });
    expect(await commissionsOf(told)).toEqual(['bob sale paid 1000', 'ada sale due 1000', 'bob sale due 1000']);
    const { id, referral_id } = await commissionOf(told);
    const { body } = await account.api.get(`/commissions/${id}`, { expand: 'sale' });
    expect(body).toMatchObject({ sale: { id: told.saleId, affiliate: { id: told.bob }, referral: { id: referral_id } } });
  });
});

const [, payByPayout] = PAYMENTS[1]!;

it('an unpaid commission still follows a late fact', async () => {
  const told = await story();
  await told.reportEarlier();
  expect(await commissionsOf(told)).toEqual(['bob sale voided 1000', 'ada sale due 1000', 'ada sale due 1000']);
  expect(await discrepancies(account)).toEqual([]);
});

it('a claimed commission that is not paid is still taken back by an adjustment', async () => {
  const told = await story();
  await createExport(account, { payout_ids: [(await openPayout(account, told.bob)).id] });
  await told.reportEarlier();
  expect(await commissionsOf(told)).toEqual([
    'bob sale due 1000',
    'bob adjustment due -1000',
    'ada sale due 1000',
    'ada sale due 1000',
  ]);
});

describe('a payment that contradicts a late fact', () => {
  it('is a discrepancy that names the sale and the affiliate who would earn, until a person voids the commission', async () => {
    const told = await story();
    await payByPayout(told);
    expect(await discrepancies(account)).toEqual([]);
    await told.reportEarlier();
    const paid = await commissionOf(told);
    const found = {
      code: 'paid_attribution',
      sale_id: told.saleId,
      affiliate_id: told.ada,
      currency: 'USD',
      actual_cents: 1_000,
      commission_ids: [paid.id],
    };
    expect(await discrepancies(account)).toMatchObject([found]);
    expect((await account.api.delete(`/commissions/${paid.id}`)).status).toBe(204);
    expect(await discrepancies(account)).toEqual([]);
    const { status, body } = await account.api.post(`/sales/${told.saleId}/reconsider`, {});
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { commission: { affiliate_id: told.ada, amount_cents: 1_000 } },
    });
    expect(await commissionsOf(told)).toEqual([
      'bob sale voided 1000',
      'ada sale due 1000',
      'bob adjustment due -1000',
      'ada sale due 1000',
    ]);
    expect(await discrepancies(account)).toEqual([]);
  });

  it('needs a review, until a person has the payment stand or takes it back', async () => {
    const told = await story();
    await payByPayout(told);
    await told.reportEarlier();
    const listed = async () =>
      (await account.client.sales.list.query({ needs_review: true, expand: ['review'] })).data.map(({ id, review }) => ({
        id,
        ...review?.contested,
      }));
    const counted = async () => (await account.client.overview.get.query({})).needs_review.sales_count;
    const paid = await commissionOf(told);
    const found = { id: told.saleId, commission_id: paid.id, commission_state: 'paid', commission_cents: 1_000 };
    expect(await listed()).toMatchObject([{ ...found, affiliate_id: told.ada, no_commission_reason: null, amount_cents: null }]);
    expect(await counted()).toBe(1);
    const review = (more: object = {}) => account.api.post(`/sales/${told.saleId}/review`, { review_action: 'keep', ...more });
    expect((await review({ updated_at: '2026-01-01T00:00:00Z' })).status).toBe(409);
    for (const _ of [1, 2]) expect((await review()).status).toBe(200);
    expect([await listed(), await counted(), await discrepancies(account)]).toEqual([[], 0, []]);
    // Further facts for the same affiliate change nothing.
    await told.reportEarlier();
    expect([await listed(), await discrepancies(account)]).toEqual([[], []]);
    expect(await commissionsOf(told)).toEqual(['bob sale paid 1000', 'ada sale due 1000', 'ada sale due 1000']);
    // A person may still take the payment back.
    await account.api.delete(`/commissions/${paid.id}`);
    const { body } = await account.api.get(`/sales/${told.saleId}`, { expand: 'review' });
    expect(body).toMatchObject({ review: { contested: { commission_id: paid.id, commission_state: 'voided' } } });
    expect(await listed()).toEqual([]);
    const { status } = await account.api.post(`/sales/${told.saleId}/reconsider`, {});
    expect([status, (await commissionsOf(told)).at(-1)]).toEqual([200, 'ada sale due 1000']);
  });

  it('needs a review again when other facts contradict the payment', async () => {
    const told = await story();
    await payByPayout(told);
    await told.reportEarlier();
    await account.api.post(`/sales/${told.saleId}/review`, { review_action: 'keep' });
    await account.api.patch(`/affiliates/${told.ada}`, { state: 'disabled' });
    expect(await discrepancies(account)).toEqual([]);
    const eve = await program(account, DUE_AT_ONCE);
    const { customer_email, earliest } = told;
    const { id } = await refer(account, eve);
    await sell(account, { external_id: unique('order'), referral_id: id, customer_email, charged_at: earliest });
    expect(await discrepancies(account)).toMatchObject([
      { code: 'paid_attribution', sale_id: told.saleId, affiliate_id: eve.affiliate.id },
    ]);
  });

  it('ends when the payout is returned and another fact about the customer arrives', async () => {
    const told = await story();
    const { id } = await openPayout(account, told.bob);
    await payByPayout(told);
    await told.reportEarlier();
    await account.api.post(`/payouts/${id}/return`, { reason: 'Bounced' });
    expect((await told.buyAgain()).commission).toMatchObject({ affiliate_id: told.ada });
    expect((await commissionsOf(told)).toSorted()).toEqual([
      'ada sale due 1000',
      'ada sale due 1000',
      'ada sale due 1000',
      'bob sale voided 1000',
    ]);
    expect(await discrepancies(account)).toEqual([]);
  });

  it('does not stop a refund from taking the money back', async () => {
    const told = await story();
    await payByPayout(told);
    await told.reportEarlier();
    await account.api.post('/track/refunds', { external_id: told.external_id, refund_id: unique('back'), amount_cents: 10_000 });
    expect(await commissionsOf(told)).toEqual(['bob sale paid 1000', 'ada sale due 1000', 'bob adjustment due -1000']);
  });
});

it('an earlier sale that is reported after the payment does not take the place of the paid commission under a limit', async () => {
  const ada = await program(account, { ...DUE_AT_ONCE, max_commissions: 1 });
  const referral = await refer(account, ada);
  later();
  const earlier = service.clock.instant();
  later();
  const customer_email = `${unique('x')}@buyer.example`;
  const { sale } = await sell(account, { referral_id: referral.id, customer_email });
  await account.api.post(`/payouts/${(await openPayout(account, ada.affiliate.id)).id}/pay`);
  const late = await sell(account, { referral_id: referral.id, customer_email, charged_at: earlier, amount_cents: 50_000 });
  expect(late).toMatchObject({ commission: null, reason: 'max_commissions_reached' });
  const { body } = await account.api.get<{ data: Commission[] }>('/commissions');
  expect(body.data).toMatchObject([{ sale_id: sale.id, state: 'paid', amount_cents: 1_000 }]);
  expect(await discrepancies(account)).toMatchObject([{ code: 'paid_attribution', sale_id: sale.id, affiliate_id: null }]);
});
