import { sweepDueCommissions } from '@affiliate/core';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { onServer } from '../support/postgres.ts';
import { must, program, refer, sell } from '../support/program.ts';
import { useCommissionDesk } from './commission-desk.ts';

const desk = useCommissionDesk();

describe('due dates', () => {
  it('are applied by the sweep, which adds commissions to the open payout of their currency and announces each once', async () => {
    const friends = await program(desk.account);
    const referral = await refer(desk.account, friends);
    for (const currency of ['USD', 'USD', 'EUR']) await sell(desk.account, { referral_id: referral.id, currency });
    desk.service.clock.advance(30, 'days');
    await Promise.all([sweepDueCommissions(desk.service.services), sweepDueCommissions(desk.service.services)]);
    await sweepDueCommissions(desk.service.services);
    expect((await desk.commissions('state=due')).map(({ amount_cents }) => amount_cents)).toEqual([1000, 1000, 1000]);
    const open = await desk.payouts();
    expect(
      open
        .map(({ currency, amount_cents, commissions_count, state }) => ({ currency, amount_cents, commissions_count, state }))
        .toSorted((a, b) => a.amount_cents - b.amount_cents),
    ).toEqual([
      { currency: 'EUR', amount_cents: 1000, commissions_count: 1, state: 'due' },
      { currency: 'USD', amount_cents: 2000, commissions_count: 2, state: 'due' },
    ]);
    expect((await desk.eventTypes()).filter((type) => type === 'commission.due')).toHaveLength(3);
    expect(await sweepDueCommissions(desk.service.services)).toBe(0);
  });

  it('are applied although another affiliate with thousands of commissions is locked, and the sweep analyzes the affected tables', async () => {
    const [busy, free] = [await program(desk.account), await program(desk.account)];
    const first = await desk.earned(busy);
    const database = new Client({ connectionString: desk.service.databaseUrl });
    await database.connect();
    // Adds so many adjustments to the sale that the sweep locks them in more than one batch.
    await database.query(
      `insert into commission
      select (jsonb_populate_record(commission, jsonb_build_object(
        'id', new_id('com', created_at), 'kind', 'adjustment', 'adjusts_commission_id', id))).*
      from commission, generate_series(1, 5001) where id = $1`,
      [first.id],
    );
    // Updates the statistics, as autovacuum does after so many inserts. Otherwise, PostgreSQL would plan its queries for a few rows.
    await database.query('analyze commission');
    const other = await desk.earned(free);
    desk.service.clock.advance(31, 'days');
    try {
      await database.query('begin');
      await database.query('select from affiliate where id = $1 for no key update', [busy.affiliate.id]);
      expect(await sweepDueCommissions(desk.service.services)).toBe(1);
      expect((await desk.commissions('state=due')).map(({ id }) => id)).toEqual([other.id]);
      await database.query('rollback');
      expect(await sweepDueCommissions(desk.service.services)).toBe(5_002);
      const { rows } = await database.query<{ name: string }>(
        'select relname as name from pg_stat_user_tables where last_analyze is not null order by relname',
      );
      expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['event', 'payout', 'payout_item']));
    } finally {
      await database.end();
    }
    expect((await desk.eventTypes()).filter((type) => type === 'commission.due')).toHaveLength(5_003);
  });

  it('are applied although a commission of the same affiliate or of another one cannot be changed', async () => {
    const { services, databaseUrl, clock } = desk.service;
    const friends = await program(desk.account);
    const stuck = await desk.earned(friends);
    const referral = await refer(desk.account, friends);
    for (let i = 0; i < 5; i += 1) await sell(desk.account, { referral_id: referral.id });
    const neighbor = await desk.earned(await program(desk.account));
    const failing = desk.account;
    desk.account = await desk.service.createAccount();
    const others = [await desk.earned(await program(desk.account)), await desk.earned(await program(desk.account))];
    clock.advance(31, 'days');
    await onServer(
      databaseUrl,
      `create function fail_due() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
       create trigger fail_due before update on commission for each row when (new.id = '${stuck.id}') execute function fail_due()`,
    );
    const logged: unknown[] = [];
    const log = { ...services.log, error: (fields: object) => logged.push(fields) };
    await expect(sweepDueCommissions({ ...services, log })).rejects.toThrow('broken');
    expect(logged).toMatchObject([{ commission_ids: [stuck.id] }]);
    expect((await desk.commissions('state=due')).map(({ id }) => id).toSorted()).toEqual(others.map(({ id }) => id));
    desk.account = failing;
    const due = await desk.commissions('state=due');
    expect([due.length, due.some(({ id }) => id === neighbor.id)]).toEqual([6, true]);
    expect((await desk.commissions('state=pending')).map(({ id }) => id)).toEqual([stuck.id]);
    await onServer(databaseUrl, 'drop function fail_due cascade');
    expect(await sweepDueCommissions(services)).toBe(1);
    expect(await desk.commissions('state=due')).toHaveLength(7);
  });

  it('wait for the next sweep if no commission of an affiliate can be changed', async () => {
    const { services, databaseUrl, clock } = desk.service;
    const friends = await program(desk.account);
    const stuck = await desk.earned(friends);
    const referral = await refer(desk.account, friends);
    for (let i = 0; i < 30; i += 1) await sell(desk.account, { referral_id: referral.id });
    const neighbor = await desk.earned(await program(desk.account));
    clock.advance(31, 'days');
    await onServer(
      databaseUrl,
      `create function fail_due() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
       create trigger fail_due before insert on payout for each row when (new.affiliate_id = '${stuck.affiliate_id}') execute function fail_due()`,
    );
    const logged: object[] = [];
    const log = { ...services.log, error: (fields: object) => logged.push(fields) };
    await expect(sweepDueCommissions({ ...services, log })).rejects.toThrow('broken');
    // Two passes, of which the second leaves out the commissions that failed in the first.
    expect(logged.length).toBeLessThanOrEqual(2 * 21);
    expect((await desk.commissions('state=due')).map(({ id }) => id)).toEqual([neighbor.id]);
    await onServer(databaseUrl, 'drop function fail_due cascade');
    expect(await sweepDueCommissions(services)).toBe(31);
  });

  it('can be changed, and an unpaid commission then moves between pending and due, in or out of its payout', async () => {
    const friends = await program(desk.account);
    const commission = await desk.earned(friends);
    const patch = (due_at: string) => desk.account.api.patch(`/commissions/${commission.id}`, { due_at });
    expect((await patch('2025-01-01T00:00:00+02:00')).body).toMatchObject({
      state: 'due',
      due_at: '2024-12-31T22:00:00.000Z',
      payout_id: expect.any(String),
    });
    expect(await desk.payouts()).toMatchObject([{ amount_cents: 1000, state: 'due' }]);
    expect((await patch('2999-01-01T00:00:00Z')).body).toMatchObject({ state: 'pending', payout_id: null });
    expect(await desk.payouts()).toMatchObject([
      { amount_cents: 0, commissions_count: 0, state: 'pending', ineligible_reasons: ['not_positive'] },
    ]);
  });
});

describe('a commission paid by hand', () => {
  it('leaves the open payout, and returns when the payment is reverted', async () => {
    const friends = await program(desk.account, { days_until_commissions_are_due: 0 });
    const commission = await desk.earned(friends);
    const paid = await desk.account.api.patch(`/commissions/${commission.id}`, { paid_at: '2026-01-01T00:00:00Z' });
    expect(paid.body).toMatchObject({ state: 'paid', paid_at: '2026-01-01T00:00:00.000Z', payout_id: null });
    expect(await desk.payouts()).toMatchObject([{ amount_cents: 0 }]);
    expect((await desk.account.api.patch(`/commissions/${commission.id}`, { paid_at: null })).body).toMatchObject({
      state: 'due',
      paid_at: null,
    });
    expect(await desk.payouts()).toMatchObject([{ amount_cents: 1000 }]);
    const announced = async () => (await desk.eventTypes()).filter((type) => type === 'commission.due').length;
    expect(await announced(), 'at creation, and when it came back').toBe(2);
    await desk.account.api.patch(`/commissions/${commission.id}`, { paid_at: null });
    await desk.account.api.patch(`/commissions/${commission.id}`, { due_at: '2026-01-01T00:00:00Z' });
    await desk.account.api.post(`/commissions/${commission.id}/review`, { review_action: 'approve' });
    expect(await announced(), 'it was due all along').toBe(2);
    await desk.account.api.patch(`/commissions/${commission.id}`, { paid_at: '2026-01-01T00:00:00Z' });
    const later = await desk.account.api.patch(`/commissions/${commission.id}`, {
      paid_at: null,
      due_at: '2999-01-01T00:00:00Z',
    });
    expect(later.body).toMatchObject({ state: 'pending' });
  });

  it('cannot be a voided commission, whether paid_at is set or cleared', async () => {
    const friends = await program(desk.account);
    const commission = await desk.earned(friends);
    await desk.account.api.delete(`/commissions/${commission.id}`, { void_reason: 'chargeback' });
    for (const paid_at of ['2026-01-01T00:00:00Z', null]) {
      const reply = await desk.account.api.patch(`/commissions/${commission.id}`, { paid_at });
      expect(reply).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR', details: [{ path: 'paid_at' }] } });
    }
    expect((await desk.commissions())[0]).toMatchObject({ state: 'voided', void_reason: 'chargeback' });
  });

  it('cannot be reverted while a paid payout contains it', async () => {
    const friends = await program(desk.account, { days_until_commissions_are_due: 0 });
    const commission = await desk.earned(friends);
    await must(desk.account, `/payouts/${commission.payout_id}/pay`, {}, 200);
    const reply = await desk.account.api.patch(`/commissions/${commission.id}`, { paid_at: null });
    expect(reply).toMatchObject({ status: 422, body: { error: expect.stringContaining('Void the commission instead') } });
  });
});
