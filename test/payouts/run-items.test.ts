import type { ServiceError } from '@affiliate/client';
import { describe, expect, it } from 'vitest';
import { sell } from '../support/program.ts';
import { useService, useAccount } from '../support/suite.ts';
import { type Payee, announcedPaid, discrepancies, executeRun, itemOf, openPayout, payee, payoutOf, planRun } from './program.ts';

const service = useService({ writesRows: true });
const account = useAccount(service);

describe('the check before payment', () => {
  const sabotage = {
    affiliate_inactive: (one: Payee) => account.api.patch(`/affiliates/${one.program.affiliate.id}`, { state: 'suspicious' }),
    below_minimum: (one: Payee) => account.api.patch(`/campaigns/${one.program.campaign.id}`, { minimum_payout_cents: 1_001 }),
    missing_payout_details: async (one: Payee) => {
      await account.api.patch(`/affiliates/${one.program.affiliate.id}`, { walleta_email: null, walletb_email: null });
      service.clock.advance(4, 'days');
    },
    not_positive: (one: Payee) => setAmounts(one.payout.id, 0),
    amount_mismatch: (one: Payee) =>
      service.services.database.kysely.updateTable('payout').set({ amount_cents: 999 }).where('id', '=', one.payout.id).execute(),
  };

  /** Changes the amounts of a claimed payout, which no request can do. */
  async function setAmounts(payoutId: string, amount_cents: number): Promise<void> {
    const { kysely } = service.services.database;
    await kysely.updateTable('payout').set({ amount_cents }).where('id', '=', payoutId).execute();
    await kysely.updateTable('payout_attempt').set({ amount_cents }).where('payout_id', '=', payoutId).execute();
    const item = await kysely
      .selectFrom('payout_item')
      .select('commission_id')
      .where('payout_id', '=', payoutId)
      .executeTakeFirstOrThrow();
    await kysely.updateTable('commission').set({ amount_cents }).where('id', '=', item.commission_id).execute();
  }

  it.each(Object.entries(sabotage))(
    'records the issue %s, releases the payout, and pays the other payouts',
    async (code, spoil) => {
      const [spoiled, sound] = [await payee(account), await payee(account)];
      const { id } = await planRun(account);
      await spoil(spoiled);
      const run = await executeRun(account, id);
      expect(run).toMatchObject({
        state: 'partially_completed',
        items_total: 2,
        items_done: 2,
        issues: [{ code, items_count: 1 }],
      });
      expect(run.items[0]).toMatchObject({ payout_id: spoiled.payout.id, state: 'failed', issue: { code } });
      expect(run.items[0]!.issue!.message).not.toBe('');
      expect(itemOf(run, sound.payout.id).state).toBe('paid');
      expect(['pending', 'due']).toContain((await payoutOf(account, spoiled.payout.id)).state);
      expect(await announcedPaid(service, account.id)).toEqual(new Map([[sound.payout.id, 1]]));
      expect(await executeRun(account, id)).toEqual(run);
    },
  );

  it('adds commissions earned since the claim to a released payout', async () => {
    const { payout, program, referral_id } = await payee(account);
    const { id } = await planRun(account);
    await sell(account, { referral_id, amount_cents: 2_000 });
    service.clock.advance(1, 'seconds');
    await account.api.patch(`/affiliates/${program.affiliate.id}`, { state: 'disabled' });
    await executeRun(account, id);
    expect(await openPayout(account, program.affiliate.id)).toMatchObject({
      id: payout.id,
      state: 'pending',
      amount_cents: 1_200,
      commissions_count: 2,
    });
    expect(await discrepancies(account)).toEqual([]);
  });
});

// Called over /trpc, because /api/v1 has no endpoint that lists payout runs.
it('runs are listed with their totals and issues, newest first, in pages and by state', async () => {
  const { payoutRuns } = account.client;
  await payee(account, { amount_cents: 10_000 });
  await payee(account, { amount_cents: 5_000, currency: 'EUR' });
  const first = await payoutRuns.create.mutate({ execute_now: true });
  const late = await payee(account, { amount_cents: 7_000 });
  const second = await payoutRuns.create.mutate({});
  await account.api.patch(`/affiliates/${late.payout.affiliate_id}`, { state: 'disabled' });
  await payoutRuns.execute.mutate({ id: second.id, async: false });

  const { data, pagination } = await payoutRuns.list.query({});
  expect(pagination).toMatchObject({ total_count: 2, total_pages: 1 });
  const { items: _, ...summary } = first;
  expect(data).toEqual([
    expect.objectContaining({
      id: second.id,
      state: 'partially_completed',
      items_total: 1,
      items_done: 1,
      issues: [{ code: 'affiliate_inactive', items_count: 1 }],
      totals: [expect.objectContaining({ currency: 'USD', failed_cents: 700, paid_cents: 0 })],
    }),
    summary,
  ]);
  expect(summary.totals.map(({ currency, paid_cents }) => [currency, paid_cents])).toEqual([
    ['EUR', 500],
    ['USD', 1_000],
  ]);
  const older = await payoutRuns.list.query({ page: 2, limit: 1 });
  expect(older.data.map(({ id }) => id)).toEqual([first.id]);
  const completed = await payoutRuns.list.query({ state: ['completed', 'planned'] });
  expect(completed.data.map(({ id }) => id)).toEqual([first.id]);
  expect(await payoutRuns.get.query({ id: first.id })).toEqual(summary);
});

it('the items of a run are listed with their payees, failed items first', async () => {
  const { payoutRuns } = account.client;
  const [ada, bob] = [await payee(account), await payee(account, { person: { first_name: 'Bob', last_name: 'Byrd' } })];
  const run = await payoutRuns.create.mutate({});
  const planned = await payoutRuns.items.query({ id: run.id, state: ['planned'] });
  expect(planned.data.map(({ payout_id }) => payout_id)).toEqual([ada.payout.id, bob.payout.id]);
  await account.api.patch(`/affiliates/${bob.payout.affiliate_id}`, { state: 'rejected' });
  await payoutRuns.execute.mutate({ id: run.id, async: false });
  const { data } = await payoutRuns.items.query({ id: run.id });
  expect(data).toEqual([
    {
      payout_id: bob.payout.id,
      affiliate_id: bob.payout.affiliate_id,
      state: 'failed',
      amount_cents: 1_000,
      currency: 'USD',
      commissions_count: 1,
      issue: { code: 'affiliate_inactive', message: 'The affiliate is not active or is archived.' },
      affiliate: { email: bob.program.affiliate.email, first_name: 'Bob', last_name: 'Byrd' },
    },
    expect.objectContaining({ payout_id: ada.payout.id, state: 'paid', issue: null }),
  ]);
  const paid = await payoutRuns.items.query({ id: run.id, state: ['paid'], limit: 1 });
  expect(paid.pagination).toMatchObject({ count: 1, total_count: 1 });
  expect(await payoutRuns.items.query({ id: run.id, state: ['excluded'] })).toMatchObject({ data: [] });
});

it.each(['get', 'items'] as const)('%s does not find a run of another account', async (procedure) => {
  const stranger = await service.createAccount();
  await payee(stranger);
  const { id } = await stranger.client.payoutRuns.create.mutate({});
  const answer = account.client.payoutRuns[procedure].query({ id });
  await expect(answer).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 } satisfies Partial<ServiceError>);
  expect(await account.client.payoutRuns.list.query({})).toMatchObject({ data: [] });
});
