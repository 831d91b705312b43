import { sweepDueCommissions } from '@affiliate/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountRows, type Row } from '../contract/seed.ts';
import { HookReceiver, accept, answer } from '../support/hook-receiver.ts';
import { must, program, sell } from '../support/program.ts';
import { type Outputs, type TestAccount, type TestService, startService } from '../support/service.ts';
import { inMode } from './accounts.ts';

const CLOCK = '/api/settings/v1/test_clock';
type Clock = Outputs['testMode']['clock'];

let service: TestService;
let account: TestAccount;
let test: TestAccount;

beforeAll(async () => {
  service = await startService({ worker: {} });
  account = await service.createAccount();
  test = await inMode(service, account, false);
});
afterAll(() => service.stop());

const advance = (of: TestAccount, days: number) => must<Clock>(of, `${CLOCK}/advance`, { days }, 200);

describe('a month of test mode', () => {
  it('goes from click to paid payout with a refund, while a minute passes', async () => {
    const start = Date.now();
    await using receiver = await HookReceiver.start();
    await must(test, '/api/settings/v1/webhook_endpoints', { name: 'Shop', url: receiver.url, event_types: ['*'] });
    const { link } = await program(test, {}, { walleta_email: 'ada@pay.example' });
    const visit = await test.api.send('GET', `/t/${link.token}`, { query: { account_id: test.id } });
    const referral_id = new URL(visit.headers.get('location')!).searchParams.get('referral')!;
    const { sale, commission } = await sell(test, { referral_id, external_id: 'order-1', customer_email: 'eve@example.com' });
    expect(commission).toMatchObject({ state: 'pending', amount_cents: 1_000, livemode: false });
    const before = await test.api.get<{ data: unknown[] }>('/payouts', { eligible: true });
    expect(before.body.data).toEqual([]);

    await advance(test, 10);
    await must(test, '/track/refunds', { external_id: 'order-1', refund_id: 'refund-1', amount_cents: 5_000 });
    await advance(test, 20);
    const due = await test.client.commissions.get.query({ id: commission!.id });
    expect(due).toMatchObject({ state: 'due', amount_cents: 500 });

    const { body } = await test.api.get<{ data: { id: string }[] }>('/payouts', { eligible: true });
    const [payout] = body.data;
    await must(test, `/payouts/${payout!.id}/pay`, { payment_reference: 'Transfer 1' }, 200);
    const paid = await test.client.payouts.get.query({ id: payout!.id });
    expect(paid).toMatchObject({ state: 'paid', amount_cents: 500, livemode: false });
    expect(Date.parse(paid.paid_at!) - Date.parse(sale.charged_at)).toBeGreaterThanOrEqual(30 * 86_400_000);
    expect(Date.now() - start).toBeLessThan(60_000);

    await receiver.first(1, ({ body: { type } }) => type === 'payout.paid');
    const types = receiver.received.map(({ body: { type } }) => type);
    expect(types).toEqual(expect.arrayContaining(['referral.created', 'commission.created', 'sale.refunded', 'commission.due']));
    const checked = await test.client.payoutRuns.reconcile.query({});
    expect(checked.discrepancies).toEqual([]);
  });
});

describe('the test clock', () => {
  it('moves forward only, in test mode only, and for one account only', async () => {
    expect((await account.api.post(`${CLOCK}/advance`, { days: 1 })).body).toMatchObject({ code: 'CONFLICT' });
    const other = await inMode(service, await service.createAccount(), false);
    const [before, ofOther] = [await test.client.testMode.clock.query(), await other.client.testMode.clock.query()];
    expect(before.ahead_seconds).toBe(30 * 86_400);
    expect(ofOther).toEqual({ now: service.clock.instant(), ahead_seconds: 0 });
    for (const input of [
      {},
      { days: 1, to: before.now },
      { days: 0 },
      { days: 367 },
      { to: before.now },
      { to: service.clock.instant() },
    ])
      expect(await test.api.post(`${CLOCK}/advance`, input)).toMatchObject({ status: 422 });
    const to = new Date(Date.parse(before.now) + 3_600_000).toISOString();
    expect(await must<Clock>(test, `${CLOCK}/advance`, { to }, 200)).toEqual({ now: to, ahead_seconds: 30 * 86_400 + 3_600 });
    expect(await other.client.testMode.clock.query()).toEqual(ofOther);
  });

  it('moves once with an idempotency key', async () => {
    const other = await inMode(service, await service.createAccount(), false);
    const key = { 'Idempotency-Key': 'one day' };
    for (const replayed of [null, 'true']) {
      const reply = await other.api.post<Clock>(`${CLOCK}/advance`, { days: 1 }, key);
      expect([reply.body.ahead_seconds, reply.headers.get('idempotent-replayed')]).toEqual([86_400, replayed]);
    }
  });

  it('lets referrals expire, and new records fall due by the sweep of the worker', async () => {
    const other = await inMode(service, await service.createAccount(), false);
    const started = await program(other, { days_before_referrals_expire: 10, days_until_commissions_are_due: 1 });
    const referral = await must<{ id: string }>(other, '/referrals', { link_id: started.link.id });
    await advance(other, 11);
    expect((await sell(other, { referral_id: referral.id, external_id: 'late' })).commission).toBeNull();
    const fresh = await must<{ id: string }>(other, '/referrals', { link_id: started.link.id });
    const { commission } = await sell(other, { referral_id: fresh.id, external_id: 'in time' });
    await sweepDueCommissions(service.services);
    expect(await other.client.commissions.get.query({ id: commission!.id })).toMatchObject({ state: 'pending' });
    service.clock.advance(1, 'days');
    await sweepDueCommissions(service.services);
    expect(await other.client.commissions.get.query({ id: commission!.id })).toMatchObject({ state: 'due' });
  });

  it('brings the next attempt of a failed delivery closer', async () => {
    const other = await inMode(service, await service.createAccount(), false);
    await using receiver = await HookReceiver.start(answer(500));
    await must(other, '/api/settings/v1/webhook_endpoints', {
      name: 'Shop',
      url: receiver.url,
      event_types: ['affiliate.created'],
    });
    await program(other);
    await receiver.first(1);
    await service.worker!.sweepNow();
    receiver.reply = accept;
    await advance(other, 1);
    await receiver.first(2);
    expect(new Set(receiver.received.map(({ hookId }) => hookId)).size).toBe(1);
  });
});

/** Reads the rows of an account, without its logs and counts, the times at which its keys were used, and the row of its test account. */
async function recordsOf(accountId: string): Promise<Row[]> {
  const rows = await AccountRows.open(service);
  try {
    const isRecord = ({ table, row }: Row) =>
      !/^(api_request|audit_log|audit_subject|commission_count.*)$/.test(table) && row['test_of'] !== accountId;
    return (await rows.of(accountId)).filter(isRecord).map(({ table, row }) => ({ table, row: { ...row, last_used_at: null } }));
  } finally {
    await rows.close();
  }
}

describe('deleting all test data', () => {
  it('succeeds while others add records, or can be repeated when they have stopped', async () => {
    const ofTest = await inMode(service, await service.createAccount(), false);
    const started = await program(ofTest, { days_until_commissions_are_due: 0 });
    const { id: referral_id } = await must<{ id: string }>(ofTest, '/referrals', { link_id: started.link.id });
    const stopped = new AbortController();
    let sold = 0;
    const sellers = ['one', 'two'].map(async (seller) => {
      for (let order = 0; !stopped.signal.aborted; order += 1) {
        const sale = { referral_id, external_id: `${seller}-${order}`, amount_cents: 1_000, currency: 'USD' };
        const { status } = await ofTest.api.post('/track/sales', sale);
        expect([201, 422]).toContain(status);
        if (status === 201) sold += 1;
      }
    });
    await expect.poll(() => sold, { timeout: 10_000 }).toBeGreaterThan(8);
    const reply = await ofTest.api.post('/api/settings/v1/test_data/delete', {});
    stopped.abort();
    await Promise.all(sellers);
    expect([200, 503]).toContain(reply.status);
    await must(ofTest, '/api/settings/v1/test_data/delete', {}, 200);
    expect((await ofTest.api.get<{ data: unknown[] }>('/sales')).body.data).toEqual([]);
  });

  it('removes every record of test mode, keeps keys and endpoints, and touches nothing live', async () => {
    const merchant = await service.createAccount();
    const ofTest = await inMode(service, merchant, false);
    for (const each of [merchant, ofTest]) {
      const started = await program(each, { days_until_commissions_are_due: 0 }, { walleta_email: 'ada@pay.example' });
      const { id: referral_id } = await must<{ id: string }>(each, '/referrals', { link_id: started.link.id });
      await sell(each, { referral_id, external_id: 'order-1', customer_email: 'eve@example.com' });
      await must(each, '/payout_runs', { execute_now: true });
      await must(each, '/api/settings/v1/webhook_endpoints', {
        name: 'Shop',
        url: 'http://127.0.0.1:1024/hooks',
        event_types: ['commission.created'],
      });
    }
    await advance(ofTest, 5);
    const before = await recordsOf(merchant.id);
    expect((await merchant.api.post('/api/settings/v1/test_data/delete')).body).toMatchObject({ code: 'CONFLICT' });
    const { deleted_count } = await must<{ deleted_count: number }>(ofTest, '/api/settings/v1/test_data/delete', {}, 200);
    expect(deleted_count).toBeGreaterThan(20);
    const left = new Set((await recordsOf(ofTest.id)).map(({ table }) => table));
    expect(left).toEqual(new Set(['account', 'api_key', 'event_order', 'program_slug', 'webhook_endpoint']));
    expect(await recordsOf(merchant.id)).toEqual(before);
    expect((await merchant.client.payoutRuns.reconcile.query({})).discrepancies).toEqual([]);
    expect(await ofTest.client.testMode.clock.query()).toMatchObject({ ahead_seconds: 0 });
    const again = await program(ofTest, { days_until_commissions_are_due: 0 });
    const { id: referral_id } = await must<{ id: string }>(ofTest, '/referrals', { link_id: again.link.id });
    expect((await sell(ofTest, { referral_id, external_id: 'order-1' })).commission).toMatchObject({
      livemode: false,
      state: 'due',
    });
  });
});
