import { advancePayoutBatches, appRouter, createCallerFactory } from '@affiliate/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { onServer } from '../support/postgres.ts';
import { useAccount, useService } from '../support/suite.ts';
import {
  type PayoutExport,
  type PayoutRun,
  announcedPaid,
  createExport,
  discrepancies,
  itemOf,
  openPayout,
  payee,
  payoutOf,
  planRun,
} from './program.ts';

const service = useService();
const account = useAccount(service);

/** Fields of the errors that were logged in the test. */
let logged: object[] = [];
beforeEach(() => {
  logged = [];
  vi.spyOn(service.services.log, 'error').mockImplementation((fields) => void logged.push(fields));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await repaired();
});

/** Makes PostgreSQL refuse changes of a table to rows for which the condition holds. */
function broken(change: string, when: string) {
  return onServer(
    service.databaseUrl,
    `create or replace function fail_payout() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
     create trigger fail_payout before ${change} for each row when (${when}) execute function fail_payout()`,
  );
}

function repaired() {
  return onServer(service.databaseUrl, 'drop function if exists fail_payout cascade');
}

const notPaid = (id: string) => broken('update on payout', `new.id = '${id}' and new.status = 'paid'`);
const notChanged = (id: string) => broken('update on payout', `new.id = '${id}'`);

async function payouts(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) ids.push((await payee(account)).payout.id);
  return ids;
}

async function changed(id: string, action: 'execute' | 'remediate', input: Record<string, unknown>): Promise<PayoutRun> {
  const { status, body } = await account.api.put<PayoutRun>(`/payout_runs/${id}/${action}`, input);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const execute = (id: string) => changed(id, 'execute', { async: false });
const remediate = (id: string, remediation_action: string) => changed(id, 'remediate', { remediation_action });
const shown = async (id: string) => (await account.api.get<PayoutRun>(`/payout_runs/${id}`)).body;
const eachOnce = (ids: readonly string[]) => new Map(ids.map((id) => [id, 1]));

describe('a payout that cannot be paid', () => {
  it('holds up no other payout of its run, which names it, and is paid once by a retry', async () => {
    const ids = await payouts(7);
    const stuck = ids[3]!;
    const { id } = await planRun(account);
    await notPaid(stuck);
    const run = await execute(id);
    expect(run).toMatchObject({
      state: 'partially_completed',
      items_done: 7,
      totals: [{ paid_cents: 6_000, failed_cents: 1_000 }],
      issues: [{ code: 'payment_failed', items_count: 1 }],
    });
    expect(itemOf(run, stuck)).toMatchObject({
      state: 'failed',
      issue: { code: 'payment_failed', message: expect.stringContaining('nothing was paid') },
    });
    expect(logged).toEqual([{ err: expect.any(Error), account_id: account.id, payout_run_id: id, payout_id: stuck }]);
    expect(await payoutOf(account, stuck)).toMatchObject({ state: 'due', eligible: true });
    expect(await discrepancies(account)).toEqual([]);
    expect(await announcedPaid(service, account.id)).toEqual(eachOnce(ids.filter((each) => each !== stuck)));

    expect(await remediate(id, 'retry')).toMatchObject({ state: 'partially_completed', items_done: 7 });
    await repaired();
    expect(await remediate(id, 'retry')).toMatchObject({ state: 'completed', items_done: 7, totals: [{ paid_cents: 7_000 }] });
    expect(await announcedPaid(service, account.id)).toEqual(eachOnce(ids));
    expect(await discrepancies(account)).toEqual([]);
  });

  it('holds up no other payout of the runs that a worker executes', async () => {
    const ids = await payouts(5);
    const { id } = await planRun(account, { affiliate_ids: [(await payoutOf(account, ids[0]!)).affiliate_id] });
    const second = await planRun(account);
    await notPaid(ids[0]!);
    for (const each of [id, second.id]) await account.api.put(`/payout_runs/${each}/execute`);
    await advancePayoutBatches(service.services);
    expect(await shown(id)).toMatchObject({ state: 'partially_completed', issues: [{ code: 'payment_failed' }] });
    expect(await shown(second.id)).toMatchObject({ state: 'completed', totals: [{ paid_cents: 4_000 }] });
    expect(await announcedPaid(service, account.id)).toEqual(eachOnce(ids.slice(1)));
    expect(await discrepancies(account)).toEqual([]);
  });

  it('fails together with others in batches of several sizes, and all others are paid', async () => {
    const ids = await payouts(9);
    const { id } = await planRun(account);
    const stuck = [ids[0]!, ids[1]!, ids[8]!];
    await broken('update on payout', `new.id in (${stuck.map((each) => `'${each}'`).join()}) and new.status = 'paid'`);
    service.services.payoutRunBatch = 4;
    try {
      expect(await execute(id)).toMatchObject({
        state: 'partially_completed',
        issues: [{ code: 'payment_failed', items_count: 3 }],
        totals: [{ paid_cents: 6_000 }],
      });
    } finally {
      service.services.payoutRunBatch = undefined;
    }
    expect(await announcedPaid(service, account.id)).toEqual(eachOnce(ids.filter((each) => !stuck.includes(each))));
    expect(await discrepancies(account)).toEqual([]);
  });

  it('because its commission cannot change or its event cannot be written fails alone', async () => {
    const [first, second, third] = [await payee(account), await payee(account), await payee(account)];
    const { id } = await planRun(account);
    await broken('update on commission', `new.affiliate_id = '${first.program.affiliate.id}'`);
    await onServer(
      service.databaseUrl,
      `create trigger fail_event before insert on event for each row
       when (new.type = 'payout.paid' and new.subject_id = '${second.payout.id}') execute function fail_payout()`,
    );
    const run = await execute(id);
    expect(run).toMatchObject({ state: 'partially_completed', issues: [{ code: 'payment_failed', items_count: 2 }] });
    expect(itemOf(run, third.payout.id).state).toBe('paid');
    await repaired();
    expect(await remediate(id, 'retry')).toMatchObject({ state: 'completed', totals: [{ paid_cents: 3_000 }] });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('and not released either, stays with the run, which reports it, until it is retried, excluded or canceled', async () => {
    const preview = createCallerFactory(appRouter)({
      services: service.services,
      requestId: 'test',
      principal: { kind: 'system', account_id: account.id },
      surface: 'v1',
      reply: {},
      preview: { events: [] },
    });
    for (const action of ['retry', 'exclude', 'cancel'] as const) {
      const ids = await payouts(3);
      const stuck = ids[1]!;
      const { id } = await planRun(account);
      await notChanged(stuck);
      const run = await execute(id);
      expect(run).toMatchObject({ state: 'partially_completed', items_done: 3, totals: [{ paid_cents: 2_000 }] });
      expect(itemOf(run, stuck)).toMatchObject({ state: 'failed', issue: { code: 'payment_failed' } });
      expect(await payoutOf(account, stuck)).toMatchObject({ state: 'processing' });
      expect(await discrepancies(account)).toMatchObject([{ code: 'orphaned_claim', payout_id: stuck, payout_run_id: id }]);
      await repaired();
      const previewed = await preview.payoutRuns.remediate({ id, remediation_action: action });
      const after = await remediate(id, action);
      expect(after.items_done).toBe(3);
      expect(after).toMatchObject({ state: previewed.state, items: previewed.items, items_done: previewed.items_done });
      expect(itemOf(after, stuck).state).toBe({ retry: 'paid', exclude: 'excluded', cancel: 'canceled' }[action]);
      expect((await payoutOf(account, stuck)).state).toBe(action === 'retry' ? 'paid' : 'due');
      expect(await discrepancies(account)).toEqual([]);
      if (action !== 'retry') await account.api.post(`/payouts/${stuck}/pay`);
    }
  });

  it('holds up no other payout of a run in which 25 fail, because every sweep continues it', async () => {
    const ids = await payouts(30);
    const { id } = await planRun(account);
    const stuck = ids.slice(2, 27);
    await broken('update on payout', `new.id = any ('{${stuck.join()}}') and new.status = 'paid'`);
    await account.api.put(`/payout_runs/${id}/execute`);
    await expect(advancePayoutBatches(service.services)).rejects.toThrow(id);
    await advancePayoutBatches(service.services);
    expect(await shown(id)).toMatchObject({
      state: 'partially_completed',
      items_done: 30,
      issues: [{ code: 'payment_failed', items_count: 25 }],
      totals: [{ paid_cents: 5_000 }],
    });
    expect(await discrepancies(account)).toEqual([]);
  });
});

it('a payout that cannot be claimed fails, and the run claims the others', async () => {
  const ids = await payouts(4);
  await broken('update on payout_attempt', `new.state = 'prepared' and new.payout_id = '${ids[0]!}'`);
  const run = await planRun(account);
  expect(run).toMatchObject({ state: 'planned', items_done: 1, totals: [{ planned_cents: 3_000, failed_cents: 1_000 }] });
  expect(itemOf(run, ids[0]!)).toMatchObject({ state: 'failed', issue: { code: 'payment_failed' } });
  expect(await execute(run.id)).toMatchObject({ state: 'partially_completed', totals: [{ paid_cents: 3_000 }] });
  await repaired();
  expect(await remediate(run.id, 'retry')).toMatchObject({ state: 'completed', totals: [{ paid_cents: 4_000 }] });
  expect(await announcedPaid(service, account.id)).toEqual(eachOnce(ids));
  expect(await discrepancies(account)).toEqual([]);
});

it('a payout of a canceled run that cannot be released holds up no other, and a later sweep releases it', async () => {
  const ids = await payouts(5);
  const stuck = ids[2]!;
  const { id } = await planRun(account);
  await notChanged(stuck);
  expect(await remediate(id, 'cancel')).toMatchObject({ state: 'canceled', items_done: 4, totals: [{ canceled_cents: 4_000 }] });
  expect(logged).toMatchObject([{ payout_run_id: id, payout_id: stuck }]);
  await expect(advancePayoutBatches(service.services)).rejects.toThrow(id);
  await repaired();
  await advancePayoutBatches(service.services);
  expect(await shown(id)).toMatchObject({ state: 'canceled', items_done: 5, totals: [{ canceled_cents: 5_000 }] });
  expect((await payoutOf(account, stuck)).state).toBe('due');
  expect(await discrepancies(account)).toEqual([]);
});

describe('a payout of an export that cannot be marked paid', () => {
  const pay = (id: string) => account.api.post<PayoutExport>(`/payout_exports/${id}/payment`, { payment_reference: 'batch 7' });
  const listed = async (id: string) => (await account.api.get<PayoutExport>(`/payout_exports/${id}`)).body;

  it.each([0, 3, 6])('holds up no other, wherever it stands, and is paid once by a later sweep (%i)', async (position) => {
    const ids = (await payouts(7)).toSorted();
    const stuck = ids[position]!;
    const { id } = await createExport(account);
    await notPaid(stuck);
    expect(await pay(id)).toMatchObject({ status: 200, body: { state: 'paying', paid_count: 6, paid_at: null } });
    expect(logged[0]).toMatchObject({ account_id: account.id, payout_export_id: id, payout_id: stuck });
    await expect(advancePayoutBatches(service.services)).rejects.toThrow(id);
    expect(await announcedPaid(service, account.id)).toEqual(eachOnce(ids.filter((each) => each !== stuck)));
    expect(await discrepancies(account)).toEqual([]);
    service.clock.advance(16, 'minutes');
    expect(await discrepancies(account)).toMatchObject([
      { code: 'export_stuck', payout_export_id: id, payout_id: stuck, message: expect.stringContaining('log') },
    ]);
    await repaired();
    await advancePayoutBatches(service.services);
    expect(await listed(id)).toMatchObject({ state: 'paid', paid_count: 7, payment_reference: 'batch 7' });
    expect(await announcedPaid(service, account.id)).toEqual(eachOnce(ids));
    expect(await discrepancies(account)).toEqual([]);
    expect((await pay(id)).status).toBe(422);
  });

  it('does not hold up another export', async () => {
    const [first] = await payouts(2);
    const stuck = await createExport(account, { payout_ids: [first] });
    const other = await createExport(account);
    await notPaid(first!);
    await pay(stuck.id);
    expect(await pay(other.id)).toMatchObject({ body: { state: 'paid' } });
  });
});

it('a payout that cannot be returned changes nothing, and can be returned later', async () => {
  const { payout, program } = await payee(account);
  await account.api.post(`/payouts/${payout.id}/pay`);
  await broken('update on payout', `new.id = '${payout.id}'`);
  const bounce = () => account.api.post(`/payouts/${payout.id}/return`, { reason: 'closed account' });
  expect((await bounce()).status).toBe(500);
  expect(await payoutOf(account, payout.id)).toMatchObject({ state: 'paid', amount_cents: 1_000 });
  await repaired();
  expect((await bounce()).status).toBe(200);
  expect(await openPayout(account, program.affiliate.id)).toMatchObject({ amount_cents: 1_000 });
  expect(await discrepancies(account)).toEqual([]);
});
