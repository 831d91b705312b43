import { describe, expect, it } from 'vitest';
import { PortalVisitor } from '../portal/people.ts';
import type { ErrorBody } from '../support/http.ts';
import { sell } from '../support/program.ts';
import { type Outputs } from '../support/service.ts';
import { useService, useAccount } from '../support/suite.ts';
import { type Payout, type PayoutExport, type PayoutRun, discrepancies, openPayout, payee, payoutOf } from './program.ts';

type Commission = Outputs['commissions']['get'];

const service = useService();
const account = useAccount(service);

async function giveBack(id: string, reason = 'Account closed'): Promise<Payout> {
  const { status, body } = await account.api.post<Payout>(`/payouts/${id}/return`, { reason });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

async function pay(id: string): Promise<void> {
  expect((await account.api.post(`/payouts/${id}/pay`)).status).toBe(200);
}

/** Lists the commissions of a payout, oldest first. */
async function commissionsOf(id: string): Promise<Commission[]> {
  const { body } = await account.api.get<Payout>(`/payouts/${id}`, { expand: 'commissions' });
  return (body.commissions as Commission[]).toReversed();
}

async function refund(externalId: string, amount_cents: number): Promise<void> {
  const reply = await account.api.post('/track/refunds', {
    external_id: externalId,
    refund_id: crypto.randomUUID(),
    amount_cents,
  });
  expect(reply.status).toBe(201);
}

async function events(type: 'payout.returned' | 'commission.due'): Promise<{ id: string; commission_ids: string[] }[]> {
  const rows = await service.services.database.kysely
    .selectFrom('event')
    .select('body')
    .where('account_id', '=', account.id)
    .where('type', '=', type)
    .orderBy('id')
    .execute();
  return rows.map(({ body }) => (JSON.parse(body) as { data: { id: string; commission_ids: string[] } }).data);
}

describe('returning a payout', () => {
  it('makes its commissions due again in the open payout, and keeps the returned payout as a record', async () => {
    const { payout, referral_id } = await payee(account);
    await sell(account, { referral_id, amount_cents: 4_000 });
    const held = await commissionsOf(payout.id);
    await pay(payout.id);
    await sell(account, { referral_id, amount_cents: 2_000 });
    service.clock.advance(1, 'days');
    const returned = await giveBack(payout.id);
    expect(returned).toMatchObject({
      id: payout.id,
      state: 'returned',
      amount_cents: 1_400,
      commissions_count: 2,
      eligible: false,
      ineligible_reasons: [],
      returned_at: service.clock.instant(),
      return_reason: 'Account closed',
    });
    expect(returned.paid_at).not.toBeNull();
    expect(await openPayout(account, payout.affiliate_id)).toMatchObject({ amount_cents: 1_600, commissions_count: 3 });
    const were = await commissionsOf(payout.id);
    expect(were.map(({ id }) => id)).toEqual(held.map(({ id }) => id));
    expect(were).toMatchObject([
      { state: 'due', paid_at: null, payout_id: (await openPayout(account, payout.affiliate_id)).id },
      { state: 'due', paid_at: null },
    ]);
    expect(await events('payout.returned')).toMatchObject([
      { id: payout.id, state: 'returned', return_reason: 'Account closed', commission_ids: held.map(({ id }) => id) },
    ]);
    expect((await events('commission.due')).slice(-2).map(({ id }) => id)).toEqual(
      expect.arrayContaining(held.map(({ id }) => id)),
    );
    expect(await discrepancies(account)).toEqual([]);
  });

  it('opens a new payout if none is open, and the new payout can be paid and returned too', async () => {
    const { payout } = await payee(account);
    await pay(payout.id);
    await giveBack(payout.id);
    const second = await openPayout(account, payout.affiliate_id);
    expect(second).toMatchObject({ amount_cents: 1_000, state: 'due' });
    await pay(second.id);
    await giveBack(second.id, 'Closed again');
    expect((await commissionsOf(payout.id)).map(({ id }) => id)).toEqual((await commissionsOf(second.id)).map(({ id }) => id));
    expect(await openPayout(account, payout.affiliate_id)).toMatchObject({ amount_cents: 1_000 });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('takes effect once, whether repeated with or without the same key', async () => {
    const { payout } = await payee(account);
    await pay(payout.id);
    const key = { 'Idempotency-Key': 'bounced' };
    const [first, replay] = [
      await account.api.post(`/payouts/${payout.id}/return`, { reason: 'Closed' }, key),
      await account.api.post(`/payouts/${payout.id}/return`, { reason: 'Closed' }, key),
    ];
    expect(replay).toMatchObject({ status: 200, body: first.body });
    expect(await giveBack(payout.id, 'Another reason')).toEqual(first.body);
    expect(await events('payout.returned')).toHaveLength(1);
    const { payout: other } = await payee(account);
    await pay(other.id);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => account.api.post(`/payouts/${other.id}/return`, { reason: 'Closed' })),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(await events('payout.returned')).toHaveLength(2);
    expect(await openPayout(account, other.affiliate_id)).toMatchObject({ amount_cents: 1_000, commissions_count: 1 });
  });

  it('is refused for an unpaid payout and without a reason', async () => {
    const { payout } = await payee(account);
    const refused = async (body: object) =>
      (await account.api.post<ErrorBody>(`/payouts/${payout.id}/return`, body)).body.details;
    expect(await refused({ reason: 'Closed' })).toMatchObject([{ path: 'id', code: 'not_paid' }]);
    await account.api.post('/payout_exports', {});
    expect(await refused({ reason: 'Closed' })).toMatchObject([{ path: 'id', code: 'not_paid' }]);
    expect(await refused({})).toMatchObject([{ path: 'reason' }]);
    expect(await refused({ reason: 'x'.repeat(501) })).toMatchObject([{ path: 'reason' }]);
    expect((await account.api.post('/payouts/payout_x/return', { reason: 'Closed' })).status).toBe(404);
  });

  it('does not allow the same payout to be paid again', async () => {
    const { payout } = await payee(account);
    await pay(payout.id);
    await giveBack(payout.id);
    expect((await account.api.post(`/payouts/${payout.id}/pay`)).status).toBe(422);
  });
});

describe('adjustments made because the payout was paid', () => {
  it('remain, and add up with the commission to the value of the refunded sale', async () => {
    const { payout, referral_id } = await payee(account);
    const { sale } = await sell(account, { referral_id, amount_cents: 6_000 });
    await pay(payout.id);
    await refund(sale.external_id!, 2_000);
    await giveBack(payout.id);
    // 10.00 and 6.00, less 2.00 for the refund.
    expect(await openPayout(account, payout.affiliate_id)).toMatchObject({ amount_cents: 1_400, commissions_count: 3 });
    await refund(sale.external_id!, 4_000);
    expect(await openPayout(account, payout.affiliate_id)).toMatchObject({ amount_cents: 1_000 });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('remain, together with a commission that was voided after the payment', async () => {
    const { payout, referral_id } = await payee(account);
    const { commission } = await sell(account, { referral_id, amount_cents: 6_000 });
    await pay(payout.id);
    await account.api.delete(`/commissions/${commission!.id}`);
    const returned = await giveBack(payout.id);
    expect(returned).toMatchObject({ amount_cents: 1_600, commissions_count: 2 });
    expect(await openPayout(account, payout.affiliate_id)).toMatchObject({ amount_cents: 1_000 });
    expect((await account.api.get(`/commissions/${commission!.id}`)).body).toMatchObject({ state: 'voided', paid_at: null });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('are repaid if another payout has already deducted them', async () => {
    const { payout, referral_id } = await payee(account);
    const { commission } = await sell(account, { referral_id, amount_cents: 6_000 });
    await pay(payout.id);
    await account.api.delete(`/commissions/${commission!.id}`);
    await sell(account, { referral_id, amount_cents: 20_000 });
    const netted = await openPayout(account, payout.affiliate_id);
    expect(netted).toMatchObject({ amount_cents: 1_400 });
    await pay(netted.id);
    await giveBack(payout.id);
    // Of 30.00 earned, 14.00 were paid.
    expect(await openPayout(account, payout.affiliate_id)).toMatchObject({ amount_cents: 1_600 });
    expect(await discrepancies(account)).toEqual([]);
    const { body } = await account.api.get(`/affiliates/${payout.affiliate_id}`, { expand: 'commission_stats' });
    expect(body).toMatchObject({ commission_stats: { currencies: [{ due_cents: 1_600, paid_cents: 1_400, voided_cents: 0 }] } });
  });
});

/** Everything that may happen to the commission of a returned payout, by name. */
const LATER: Record<string, (sold: { sale: string; commission: string; payout: Payout }) => Promise<unknown>> = {
  'a refund of a third': ({ sale }) => refund(sale, 2_000),
  'a refund of two thirds': ({ sale }) => refund(sale, 4_000),
  'a void': ({ commission }) => account.api.delete(`/commissions/${commission}`),
  'a flag': ({ commission }) => account.api.post(`/commissions/${commission}/review`, { review_action: 'suspicious' }),
  'payment with the next payout': async ({ payout }) => pay((await openPayout(account, payout.affiliate_id)).id),
};

describe('the list of a returned payout', () => {
  it.each(Object.keys(LATER).flatMap((one) => Object.keys(LATER).map((other) => [one, other] as const)))(
    'keeps the amounts that were paid after %s, and then %s',
    async (first, second) => {
      // Sign-in links are limited per hour.
      service.clock.advance(1, 'hours');
      const { payout, referral_id, program } = await payee(account, {
        person: { email: `${crypto.randomUUID()}@partner.example` },
      });
      const { sale, commission } = await sell(account, { referral_id, amount_cents: 6_000 });
      await pay(payout.id);
      await giveBack(payout.id);
      const amounts = async () => (await commissionsOf(payout.id)).map(({ id, amount_cents }) => ({ id, amount_cents }));
      const were = await amounts();
      expect(were.map(({ amount_cents }) => amount_cents)).toEqual([1_000, 600]);
      const visitor = await PortalVisitor.enter(service, account, program.affiliate.email);
      const statement = async (format: string) => {
        const file = await visitor.query<Outputs['portal']['getStatement']>('portal.getStatement', { id: payout.id, format });
        return (await service.download(file.download_url)).toString('latin1');
      };
      const [csv, pdf] = [await statement('csv'), await statement('pdf')];
      expect(csv.match(/,[\d.]+,USD,payout_\w+,returned,/g)).toEqual([
        expect.stringMatching(/^,10\.00,/),
        expect.stringMatching(/^,6\.00,/),
      ]);
      const sold = { sale: sale.external_id!, commission: commission!.id, payout };
      await LATER[first]!(sold);
      if (first !== second) await LATER[second]!(sold);
      expect(await amounts()).toEqual(were);
      expect(await statement('csv')).toBe(csv);
      expect(await statement('pdf')).toBe(pdf);
      const { body } = await account.api.get<{ data: Payout[] }>('/payouts', { state: 'returned', expand: 'commissions' });
      const listed = body.data.find(({ id }) => id === payout.id)!.commissions as Commission[];
      expect(listed.reduce((sum, { amount_cents }) => sum + amount_cents, 0)).toBe(payout.amount_cents + 600);
      expect(await discrepancies(account)).toEqual([]);
    },
  );

  it('keeps the amounts of each of two returned payouts that held the same commission', async () => {
    const { payout, referral_id } = await payee(account);
    const { sale } = await sell(account, { referral_id, amount_cents: 6_000 });
    await pay(payout.id);
    await giveBack(payout.id);
    await refund(sale.external_id!, 2_000);
    const second = await openPayout(account, payout.affiliate_id);
    await pay(second.id);
    await giveBack(second.id);
    await refund(sale.external_id!, 2_000);
    const amountsOf = async (id: string) => (await commissionsOf(id)).map(({ amount_cents }) => amount_cents);
    expect(await amountsOf(payout.id)).toEqual([1_000, 600]);
    expect(await amountsOf(second.id)).toEqual([1_000, 400]);
    expect(await discrepancies(account)).toEqual([]);
  });
});

describe('after a payout is returned', () => {
  it('the run that paid it shows the item as returned', async () => {
    const { payout } = await payee(account);
    await payee(account);
    const { body: run } = await account.api.post<PayoutRun>('/payout_runs', { execute_now: true, idempotency_key: 'november' });
    expect(run.state).toBe('completed');
    await giveBack(payout.id);
    const shown = await account.client.payoutRuns.get.query({ id: run.id });
    expect(shown).toMatchObject({
      state: 'completed',
      items_done: 2,
      totals: [{ paid_cents: 1_000, returned_cents: 1_000, amount_cents: 2_000 }],
    });
    const items = await account.client.payoutRuns.items.query({ id: run.id, state: ['returned'] });
    expect(items.data).toMatchObject([{ payout_id: payout.id, state: 'returned' }]);
    expect(await discrepancies(account)).toEqual([]);
  });

  it('the export that paid it counts it as returned', async () => {
    const { payout } = await payee(account);
    const { body: created } = await account.api.post<PayoutExport>('/payout_exports', {});
    await account.api.post(`/payout_exports/${created.id}/payment`);
    await giveBack(payout.id);
    expect((await account.api.get(`/payout_exports/${created.id}`)).body).toMatchObject({ state: 'paid', returned_count: 1 });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('reports no longer count the payout as paid', async () => {
    const { payout } = await payee(account);
    await pay(payout.id);
    await giveBack(payout.id);
    const reconciled = await account.client.payoutRuns.reconcile.query({});
    expect(reconciled.totals).toMatchObject([{ payouts_count: 0, paid_cents: 0, paid_by_hand_cents: 0, returned_cents: 1_000 }]);
    expect((await account.client.overview.daily.query({})).days.at(-1)!.currencies).toMatchObject([
      { payouts: 0, payouts_cents: 0 },
    ]);
    expect((await account.client.overview.get.query({})).due).toMatchObject([{ payable: { count: 1, amount_cents: 1_000 } }]);
    expect((await payoutOf(account, payout.id)).state).toBe('returned');
  });
});
