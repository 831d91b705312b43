import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ErrorBody } from '../support/http.ts';
import { sell } from '../support/program.ts';
import { type TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { type PayoutExport, type PayoutRun, type Reconciliation, discrepancies, openPayout, payee } from './program.ts';

const service = useService({ writesRows: true });
let account: TestAccount;
let database: Client;

beforeAll(async () => {
  database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
});
afterAll(() => database.end());
beforeEach(async () => {
  account = await service.createAccount();
});

async function reconcile(query: Record<string, number> = {}): Promise<Reconciliation> {
  const { status, body } = await account.api.get<Reconciliation>('/payout_runs/reconcile', query);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

/** Changes the database in a way that no request can. */
async function change(statement: string, ...values: string[]): Promise<void> {
  const { rowCount } = await database.query(statement, values);
  expect(rowCount).toBe(1);
}

/** Creates payouts that are open, exported, held by an unfinished run, paid by hand, paid by an export, and paid by a run and then clawed back. */
async function busyAccount() {
  const byHand = await payee(account);
  await account.api.post(`/payouts/${byHand.payout.id}/pay`);
  const byExport = await payee(account, { amount_cents: 20_000 });
  const paidExport = (await account.api.post<PayoutExport>('/payout_exports', {})).body;
  await account.api.post(`/payout_exports/${paidExport.id}/payment`);
  const byRun = await payee(account, { amount_cents: 30_000, currency: 'EUR' });
  const paidRun = (await account.api.post<PayoutRun>('/payout_runs', { execute_now: true })).body;
  const [paid] = await commissionsOf(byRun.payout.id);
  await account.api.delete(`/commissions/${paid}`);
  const exported = await payee(account);
  const liveExport = (await account.api.post<PayoutExport>('/payout_exports', {})).body;
  await sell(account, { referral_id: exported.referral_id });
  const planned = await payee(account);
  const liveRun = (await account.api.post<PayoutRun>('/payout_runs', { affiliate_ids: [planned.program.affiliate.id] })).body;
  const open = await payee(account);
  return { byHand, byExport, byRun, exported, planned, open, paidExport, paidRun, liveExport, liveRun };
}

async function commissionsOf(payoutId: string): Promise<string[]> {
  const { body } = await account.api.get<{ commissions: { id: string }[] }>(`/payouts/${payoutId}`, { expand: 'commissions' });
  return body.commissions.map(({ id }) => id);
}

describe('a healthy account', () => {
  it('has no discrepancies, and matching totals', async () => {
    await busyAccount();
    expect(await reconcile()).toEqual({
      fees: [],
      lookback_days: 30,
      from: new Date(service.clock.now().getTime() - 30 * 86_400_000).toISOString(),
      until: service.clock.instant(),
      runs: { planned: 1, executing: 0, completed: 1, partially_completed: 0, canceled: 0 },
      totals: [
        {
          currency: 'EUR',
          payouts_count: 1,
          paid_cents: 3_000,
          paid_by_run_cents: 3_000,
          paid_by_export_cents: 0,
          paid_by_hand_cents: 0,
          paid_by_service_cents: 0,
          returned_cents: 0,
        },
        {
          currency: 'USD',
          payouts_count: 2,
          paid_cents: 3_000,
          paid_by_run_cents: 0,
          paid_by_export_cents: 2_000,
          paid_by_hand_cents: 1_000,
          paid_by_service_cents: 0,
          returned_cents: 0,
        },
      ],
      waiting: { events: 0, payments_without_amount: 0, sales_without_referral: 0 },
      discrepancies: [],
    });
    expect(await discrepancies(await service.createAccount())).toEqual([]);
  });
});

/** Tables in which these tests plant faults. */
const BOOKS = ['commission', 'payout', 'payout_attempt', 'payout_batch', 'payout_item', 'sale'];

describe('reconciliation of an account with payouts of all kinds', () => {
  let busy: Awaited<ReturnType<typeof busyAccount>>;
  let busyOwner: TestAccount;

  // All tests share one account, because its payouts take many requests to create. After each test, the tables are restored.
  beforeAll(async () => {
    busyOwner = await service.createAccount();
    account = busyOwner;
    busy = await busyAccount();
    await database.query(BOOKS.map((table) => `create temporary table saved_${table} as table ${table};`).join('\n'));
  });
  beforeEach(() => {
    account = busyOwner;
  });
  afterEach(async () => {
    const restored = BOOKS.map((table) => `delete from ${table}; insert into ${table} select * from saved_${table};`);
    await database.query(`begin; set local session_replication_role = replica; ${restored.join('\n')} commit`);
  });

  it.each(['open', 'byHand', 'exported', 'byRun'] as const)('finds a sum that differs, %s', async (which) => {
    const { payout } = busy[which];
    await change('update payout set amount_cents = amount_cents + 1 where id = $1', payout.id);
    const found = await discrepancies(account);
    expect(found).toContainEqual(
      expect.objectContaining({
        code: 'amount_mismatch',
        payout_id: payout.id,
        currency: payout.currency,
        expected_cents: payout.amount_cents,
        actual_cents: payout.amount_cents + 1,
      }),
    );
    expect(new Set(found.map(({ payout_id }) => payout_id))).toEqual(new Set([payout.id]));
  });

  it('finds a payout whose commission is missing', async () => {
    const { payout } = busy.open;
    await change('delete from payout_item where payout_id = $1', payout.id);
    expect(await discrepancies(account)).toMatchObject([
      { code: 'amount_mismatch', payout_id: payout.id, expected_cents: 0 },
      {
        code: 'uncollected_commissions',
        payout_id: null,
        currency: 'USD',
        expected_cents: 1_000,
        commission_ids: [expect.any(String)],
      },
    ]);
  });

  it('finds a missing claim', async () => {
    const { payout } = busy.planned;
    await change('delete from payout_attempt where payout_id = $1', payout.id);
    expect(await discrepancies(account)).toMatchObject([{ code: 'missing_claim', payout_id: payout.id, actual_cents: 1_000 }]);
  });

  it('finds a claim of a closed item, or on an open payout', async () => {
    const { exported, planned, open, liveExport, liveRun } = busy;
    await change("update payout_batch set stage = 'withdrawn', withdrawn_at = now() where id = $1", liveExport.id);
    await change("update payout_batch set stage = 'withdrawn', withdrawn_at = now() where id = $1", liveRun.id);
    await change(
      `insert into payout_attempt (id, account_id, payout_id, affiliate_id, batch_id, method, livemode, amount_cents, currency, commissions_count, state,
         created_at, updated_at)
       select new_id('patt', now()), account_id, id, affiliate_id, $2, 'by_hand', livemode, amount_cents, currency, commissions_count, 'prepared', now(), now()
       from payout where id = $1`,
      open.payout.id,
      liveRun.id,
    );
    const found = await discrepancies(account);
    const orphans = found.filter(({ code }) => code === 'orphaned_claim');
    expect(orphans.map(({ payout_id, payout_run_id, payout_export_id }) => [payout_id, payout_run_id, payout_export_id])).toEqual(
      expect.arrayContaining([
        [exported.payout.id, null, liveExport.id],
        [planned.payout.id, liveRun.id, null],
        [open.payout.id, liveRun.id, null],
      ]),
    );
    expect(orphans).toHaveLength(3);
  });

  it('finds an item that contradicts its payout', async () => {
    const { byExport, byRun, paidExport, paidRun } = busy;
    await change('update payout_attempt set amount_cents = 1 where payout_id = $1', byRun.payout.id);
    await change('update payout_attempt set amount_cents = 2 where payout_id = $1', byExport.payout.id);
    expect(await discrepancies(account)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          code: 'item_mismatch',
          payout_id: byRun.payout.id,
          payout_run_id: paidRun.id,
          expected_cents: 1,
        }),
        expect.objectContaining({
          code: 'item_mismatch',
          payout_id: byExport.payout.id,
          payout_export_id: paidExport.id,
          expected_cents: 2,
        }),
      ]),
    );
  });

  it('finds a paid payout with a commission that is not paid', async () => {
    const { payout } = busy.byHand;
    const [id] = await commissionsOf(payout.id);
    await change("update commission set state = 'due', paid_at = null where id = $1", id!);
    expect(await discrepancies(account)).toMatchObject([
      { code: 'unpaid_commissions', payout_id: payout.id, actual_cents: 1_000, expected_cents: 0, commission_ids: [id] },
    ]);
  });

  it('finds a paid commission in a payout that is not paid', async () => {
    const { open, exported } = busy;
    for (const { payout } of [open, exported]) {
      const ids = await commissionsOf(payout.id);
      await change("update commission set state = 'paid', paid_at = now() where id = $1", ids[0]!);
    }
    const found = await discrepancies(account);
    expect(found).toHaveLength(2);
    for (const { payout } of [open, exported]) {
      expect(found).toContainEqual(
        expect.objectContaining({ code: 'paid_commissions', payout_id: payout.id, expected_cents: 0, actual_cents: 1_000 }),
      );
    }
  });

  it('finds a sale with a commission and adjustments that do not add up', async () => {
    const { byHand, open } = busy;
    const [refunded, voided] = [(await commissionsOf(byHand.payout.id))[0]!, (await commissionsOf(open.payout.id))[0]!];
    await change(
      'update sale set refund_amount_cents = 2505 where id = (select sale_id from commission where id = $1)',
      refunded,
    );
    await change("update commission set state = 'voided', voided_at = now() where id = $1", voided);
    const found = (await discrepancies(account)).filter(({ code }) => code === 'sale_mismatch');
    expect(found).toHaveLength(2);
    const mismatch = { currency: 'USD', actual_cents: 1_000 };
    expect(found).toContainEqual(expect.objectContaining({ ...mismatch, expected_cents: 750, commission_ids: [refunded] }));
    expect(found).toContainEqual(expect.objectContaining({ ...mismatch, expected_cents: 0, commission_ids: [voided] }));
  });

  it('is not visible to another account', async () => {
    const { payout } = busy.open;
    await change('update payout set amount_cents = 1 where id = $1', payout.id);
    expect(await discrepancies(await service.createAccount())).toEqual([]);
  });
});

describe('reconciliation of a new account', () => {
  it('finds a run without progress', async () => {
    await payee(account);
    const { body } = await account.api.post<PayoutRun>('/payout_runs', {});
    await account.api.put(`/payout_runs/${body.id}/execute`, {});
    service.clock.advance(15, 'minutes');
    expect(await discrepancies(account)).toEqual([]);
    service.clock.advance(1, 'minutes');
    expect(await discrepancies(account)).toMatchObject([{ code: 'run_stuck', payout_run_id: body.id, payout_id: null }]);
    await account.api.put(`/payout_runs/${body.id}/execute`, { async: false });
    expect(await discrepancies(account)).toEqual([]);
  });

  it('reports no discrepancy for a sale with an adjustment that the merchant voided', async () => {
    const { program: friends, payout } = await payee(account);
    await account.api.post(`/payouts/${payout.id}/pay`);
    const { body } = await account.api.get<{ data: { sale: { external_id: string } }[] }>('/commissions', {
      affiliate_id: friends.affiliate.id,
      expand: 'sale',
    });
    const { external_id } = body.data[0]!.sale;
    await account.api.post('/track/refunds', { external_id, refund_id: 'r', amount_cents: 2_500 });
    const [clawback] = await commissionsOf((await openPayout(account, friends.affiliate.id)).id);
    expect((await account.api.delete(`/commissions/${clawback}`)).status).toBe(204);
    expect(await discrepancies(account)).toEqual([]);
  });

  it('checks paid payouts only within the given number of days', async () => {
    const { payout } = (await busyAccount()).byHand;
    await change('update payout set amount_cents = 1 where id = $1', payout.id);
    service.clock.advance(31, 'days');
    expect(await reconcile()).toMatchObject({ totals: [], discrepancies: [] });
    const { discrepancies, totals } = await reconcile({ lookback_days: 32 });
    expect(discrepancies).toMatchObject([
      { code: 'amount_mismatch', payout_id: payout.id },
      { code: 'event_mismatch', payout_id: payout.id },
    ]);
    expect(totals).toHaveLength(2);
  });
});

describe('bad input', () => {
  it.each([
    ['lookback_days', '0'],
    ['lookback_days', 'all'],
    ['lookback_days', '1.5'],
    ['lookback', '30'],
  ])('is refused: %s=%s', async (name, value) => {
    const { status, body } = await account.api.get<ErrorBody>('/payout_runs/reconcile', { [name]: value });
    expect({ status, body }).toMatchObject({ status: 422, body: { details: [{ path: name }] } });
  });
});
