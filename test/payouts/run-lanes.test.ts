import { type Database, advancePayoutBatches, appRouter, asParty, createCallerFactory, openDatabase } from '@affiliate/core';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { interruptAfter, withPatience } from '../support/interrupt.ts';
import { areWaiting } from '../support/locks.ts';
import { openPool } from '../support/postgres.ts';
import { useService, useAccount } from '../support/suite.ts';
import { plantPayouts } from './many-payouts.ts';
import { type PayoutRun, announcedPaid, discrepancies, executeRun, planRun } from './program.ts';

const BATCH = 2;

const service = useService({ payoutRunBatch: BATCH, writesRows: true });
const account = useAccount(service);
let pool: Pool;
let endPool: () => Promise<void>;

beforeAll(async () => {
  ({ pool, end: endPool } = openPool(service.databaseUrl, 2));
});
afterAll(() => endPool());

async function runOf(payouts: number): Promise<PayoutRun> {
  await plantPayouts(service, account, { affiliates: payouts });
  return planRun(account);
}

/**
 * Runs `meanwhile` while the affiliates of some items of a run are locked, so that the batches with these items wait.
 *
 * @param places positions of the items in the order in which the run works, from 1
 */
async function whileHeld<T>(runId: string, places: readonly number[], meanwhile: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `select from affiliate where id in (select affiliate_id
          from (select affiliate_id, row_number() over (order by affiliate_id) as place from payout_attempt where batch_id = $1) item
          where place = any ($2)) for no key update`,
      [runId, places],
    );
    return await meanwhile();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const summary = (id: string) => account.client.payoutRuns.get.query({ id });
const eachOnce = (payouts: number) => Array.from({ length: payouts }, () => 1);
const announced = async () => [...(await announcedPaid(service, account.id)).values()];

describe('a run that is larger than a batch', () => {
  it('is paid by two concurrent batches, and a cancellation applies to the remaining items', async () => {
    const { id } = await runOf(7);
    const { executed, canceled } = await withPatience(service.services, async () => {
      const begun = await whileHeld(id, [1, BATCH + 1], async () => {
        const executed = executeRun(account, id);
        await areWaiting(pool, 2);
        const canceled = account.api.put<PayoutRun>(`/payout_runs/${id}/remediate`, { remediation_action: 'cancel' });
        await areWaiting(pool, 3);
        expect(await summary(id)).toMatchObject({ state: 'executing', items_done: 0 });
        return { executed, canceled };
      });
      return { executed: await begun.executed, canceled: await begun.canceled };
    });
    const outcome = {
      state: 'canceled',
      items_done: 7,
      totals: [{ paid_cents: 4_000, canceled_cents: 3_000, planned_cents: 0 }],
    };
    expect(executed).toMatchObject(outcome);
    expect(canceled).toMatchObject({ status: 200, body: outcome });
    expect(await announced()).toEqual(eachOnce(4));
    expect(await discrepancies(account)).toEqual([]);
  });

  it('continues after a batch has failed, without paying a payout twice', async () => {
    const { id } = await runOf(7);
    // Two batches begin together. The second one fails.
    await interruptAfter(service.services, 2, async () => {
      expect((await account.api.put(`/payout_runs/${id}/execute`, { async: false })).status).toBe(500);
    });
    // The response was sent only after the first batch had ended, and no further batch was started.
    expect(await summary(id)).toMatchObject({ state: 'executing', items_done: BATCH });
    expect(await announced()).toEqual(eachOnce(BATCH));
    await advancePayoutBatches(service.services);
    expect(await summary(id)).toMatchObject({ state: 'completed', items_done: 7, totals: [{ paid_cents: 7_000 }] });
    expect(await announced()).toEqual(eachOnce(7));
    expect(await discrepancies(account)).toEqual([]);
  });

  it('uses at most its share of connections', async () => {
    await plantPayouts(service, account, { affiliates: 7 });
    // In a pool of four connections, the writes of one account may use one connection.
    const database = await openDatabase({ url: service.databaseUrl, poolSize: 4 });
    const call = createCallerFactory(appRouter)({
      services: { ...service.services, database },
      requestId: 'test',
      principal: { kind: 'system', account_id: account.id },
      surface: 'v1',
      reply: {},
    });
    try {
      // Plans the run without paying, because paying would send emails in the background, which would still need the connections when the test closes
      // them.
      const plan = () => asParty({ lane: 'write', id: account.id }, () => call.payoutRuns.create({}));
      const { most, outcome } = await mostTransactions(database, plan);
      expect(outcome).toMatchObject({ state: 'planned', items_total: 7, totals: [{ planned_cents: 7_000 }] });
      expect(most).toBe(1);
    } finally {
      await database.close();
    }
    expect(await discrepancies(account)).toEqual([]);
  });
});

/** Runs `work`. Returns its outcome, and the highest number of transactions that were open at the same time. */
async function mostTransactions<T>(database: Database, work: () => Promise<T>): Promise<{ most: number; outcome: T }> {
  const commit = database.transaction.bind(database);
  using transaction = vi.spyOn(database, 'transaction');
  let [underWay, most] = [0, 0];
  transaction.mockImplementation((inner) =>
    commit(async (db) => {
      underWay += 1;
      most = Math.max(most, underWay);
      try {
        return await inner(db);
      } finally {
        underWay -= 1;
      }
    }),
  );
  const outcome = await work();
  return { most, outcome };
}

it('a sweep does not touch a run while its last batch is in progress', async () => {
  const { id } = await runOf(1);
  await executeRun(account, id, {});
  const { services, log } = service;
  await withPatience(services, async () => {
    const working = await whileHeld(id, [1], async () => {
      const first = advancePayoutBatches(services);
      await areWaiting(pool, 1);
      await advancePayoutBatches(services);
      expect(await summary(id)).toMatchObject({ state: 'executing', items_done: 0 });
      return { first };
    });
    await working.first;
  });
  expect(await summary(id)).toMatchObject({ state: 'completed', items_done: 1 });
  expect(log.lines.filter(({ message }) => message.startsWith('payout run failed'))).toEqual([]);
});
