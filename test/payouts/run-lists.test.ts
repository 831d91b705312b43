import type { ServiceError } from '@affiliate/core/client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type TestAccount, type TestService, startService } from '../support/service.ts';
import { payee } from './program.ts';

/** Reading payout runs, which only /trpc offers: /api/v1 has no endpoint for it. */
let service: TestService;
let account: TestAccount;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.createAccount();
});

it('lists runs with their totals and issues, newest first, page by page and by state', async () => {
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

it('lists the items of a run with their payees, failed ones first', async () => {
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

it.each(['get', 'items'] as const)('%s finds no run of another account', async (procedure) => {
  const stranger = await service.createAccount();
  await payee(stranger);
  const { id } = await stranger.client.payoutRuns.create.mutate({});
  const answer = account.client.payoutRuns[procedure].query({ id });
  await expect(answer).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 } satisfies Partial<ServiceError>);
  expect(await account.client.payoutRuns.list.query({})).toMatchObject({ data: [] });
});
