import { type Preview, appRouter, createCallerFactory, toEnvelope } from '@affiliate/core';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sell } from '../support/program.ts';
import { type Inputs, type TestAccount } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';
import { plantPayouts } from './many-payouts.ts';
import { type Payee, payee } from './program.ts';

const createCaller = createCallerFactory(appRouter);

const service = useService({ writesRows: true });
let holder: Client;

beforeAll(async () => {
  holder = new Client({ connectionString: service.databaseUrl });
  await holder.connect();
});
afterAll(() => holder.end());

function api(account: TestAccount, preview?: Preview) {
  return createCaller({
    services: service.services,
    requestId: 'previews',
    principal: { kind: 'system', account_id: account.id },
    surface: 'v1',
    reply: {},
    preview,
  });
}

interface Outcome {
  result?: unknown;
  error?: unknown;
}

/** Returns the result without ids of records that the call creates, or the error that the caller would get. */
async function outcomeOf(call: () => Promise<object>): Promise<Outcome> {
  try {
    return { result: withoutNewId(await call()) };
  } catch (error) {
    return { error: toEnvelope(error).body };
  }
}

function withoutNewId<Value extends object>(record: Value): Value {
  return 'created_at' in record && record.created_at === service.clock.instant() ? { ...record, id: 'new' } : record;
}

/** Types of events that the preview of a run or an export shows. */
const SHOWN = ['payout.paid', 'payout_run.finished', 'payout_export.paid'];

interface Emitted {
  id: string;
  type: string;
  data: object;
}

async function shownEvents(account: TestAccount): Promise<Emitted[]> {
  const { rows } = await holder.query<Omit<Emitted, 'data'> & { body: string }>(
    'select id, type, body from event where account_id = $1 and type = any ($2)',
    [account.id, SHOWN],
  );
  return rows.map(({ id, type, body }) => ({ id, type, data: (JSON.parse(body) as Emitted).data }));
}

/** Returns events in an order that does not depend on the ids of records that a call creates. */
function comparable(events: readonly { type: string; data: unknown }[]): unknown[] {
  const compared = events.map(({ type, data }) => ({ type, data: withoutNewId(data as { id: string }) }));
  return compared.toSorted((a, b) => (`${a.type} ${a.data.id}` < `${b.type} ${b.data.id}` ? -1 : 1));
}

type Api = ReturnType<typeof api>;

/** Previews an operation, runs it, and expects the preview to equal the result. */
async function expectTruePreview(account: TestAccount, operation: (caller: Api) => Promise<object>): Promise<Outcome> {
  const known = new Set((await shownEvents(account)).map(({ id }) => id));
  const preview: Preview = { events: [] };
  const previewed = await outcomeOf(() => operation(api(account, preview)));
  expect(await shownEvents(account)).toHaveLength(known.size);
  const done = await outcomeOf(() => operation(api(account)));
  expect(previewed).toEqual(done);
  const emitted = (await shownEvents(account)).filter(({ id }) => !known.has(id));
  expect(comparable(preview.events)).toEqual(comparable(emitted));
  return done;
}

interface Person {
  amount_cents: number;
  currency: string;
  minimum: number;
  state: string;
  wallet: string | null;
}

const person: fc.Arbitrary<Person> = fc.record({
  amount_cents: fc.constantFrom(10, 4_000, 20_000),
  currency: fc.constantFrom('USD', 'USD', 'EUR'),
  minimum: fc.constantFrom(0, 1_000),
  state: fc.constantFrom('active', 'active', 'active', 'suspicious', 'disabled'),
  wallet: fc.constantFrom('a@pay.example', 'a@pay.example', null),
});

async function payeesOf(account: TestAccount, people: Person[]): Promise<Payee[]> {
  const payees: Payee[] = [];
  for (const { amount_cents, currency, minimum, state, wallet } of people) {
    const made = await payee(account, {
      amount_cents,
      currency,
      terms: { minimum_payout_cents: minimum },
      person: { walleta_email: wallet, walletb_email: null },
    });
    if (state !== 'active') await account.api.patch(`/affiliates/${made.program.affiliate.id}`, { state });
    payees.push(made);
  }
  return payees;
}

describe('the preview of a run', () => {
  it('matches the result of creating, executing and remediating the run in any state', async () => {
    const change = fc.record({ who: fc.nat(3), what: fc.constantFrom('disable', 'wallet', 'sell', 'nothing') });
    const remedy = fc.record({
      remediation_action: fc.constantFrom('retry' as const, 'retry' as const, 'exclude' as const, 'cancel' as const),
      issue_code: fc.constantFrom(undefined, undefined, 'affiliate_inactive' as const),
      named: fc.option(fc.nat(3), { nil: undefined }),
    });
    const scene = fc.record({
      people: fc.array(person, { minLength: 1, maxLength: 4 }),
      changes: fc.array(change, { maxLength: 3 }),
      execute_now: fc.boolean(),
      narrowed: fc.boolean(),
      isAsync: fc.boolean(),
      dropped: fc.option(fc.nat(3), { nil: undefined }),
      mended: fc.nat(3),
      remedies: fc.array(remedy, { minLength: 1, maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(scene, async ({ people, changes, execute_now, narrowed, isAsync, dropped, mended, remedies }) => {
        const account = await service.createAccount();
        const payees = await payeesOf(account, people);
        expect(payees).toHaveLength(people.length);
        service.clock.advance(1, 'seconds');
        const affiliate_ids = narrowed ? { affiliate_ids: [payees[0]!.program.affiliate.id] } : {};
        const input = { idempotency_key: 'once', execute_now, payment_reference: 'run 7', ...affiliate_ids };
        await expectTruePreview(account, (caller) => caller.payoutRuns.create(input));
        for (const { who, what } of changes) {
          const { program, referral_id } = payees[who % payees.length]!;
          const change = what === 'disable' ? { state: 'disabled' } : { walleta_email: null };
          if (what === 'sell') await sell(account, { referral_id });
          else if (what !== 'nothing') await account.api.patch(`/affiliates/${program.affiliate.id}`, change);
        }
        service.clock.advance(1, 'seconds');
        // The second creation returns the run that already has the key.
        await expectTruePreview(account, (caller) => caller.payoutRuns.create(input));
        const { id } = (await api(account).payoutRuns.list({})).data[0]!;
        const remediate = async (input: Omit<Inputs['payoutRuns']['remediate'], 'id'>) => {
          service.clock.advance(1, 'seconds');
          await expectTruePreview(account, (caller) => caller.payoutRuns.remediate({ id, ...input }));
        };
        const named = (place: number | undefined) => {
          const one = place === undefined ? undefined : payees[place % payees.length];
          return one && { payout_ids: [one.payout.id] };
        };
        if (dropped !== undefined) await remediate({ remediation_action: 'exclude', ...named(dropped) });
        await expectTruePreview(account, (caller) => caller.payoutRuns.execute({ id, async: isAsync }));
        await expectTruePreview(account, (caller) => caller.payoutRuns.execute({ id, async: false }));
        const { program } = payees[mended % payees.length]!;
        await account.api.patch(`/affiliates/${program.affiliate.id}`, { state: 'active', walleta_email: 'a@pay.example' });
        for (const { remediation_action, issue_code, named: place } of remedies)
          await remediate({ remediation_action, ...(issue_code && { issue_code }), ...named(place) });
      }),
      { numRuns: THOROUGH ? 40 : 6 },
    );
  });

  it('does not wait for locks', async () => {
    const account = await service.createAccount();
    await payee(account);
    const { id } = await api(account).payoutRuns.create({});
    await payee(account);
    await holder.query('begin');
    await holder.query('select from payout_batch where account_id = $1 for update', [account.id]);
    await holder.query('select from affiliate where account_id = $1 for update', [account.id]);
    await holder.query('select from payout where account_id = $1 for update', [account.id]);
    try {
      const caller = api(account, { events: [] });
      expect(await caller.payoutRuns.create({ execute_now: true })).toMatchObject({ state: 'completed', items_done: 1 });
      expect(await caller.payoutRuns.execute({ id, async: false })).toMatchObject({
        issues: [],
        state: 'completed',
        items_done: 1,
      });
      expect(await caller.payoutRuns.remediate({ id, remediation_action: 'cancel' })).toMatchObject({ state: 'canceled' });
    } finally {
      await holder.query('rollback');
    }
  });
});

describe('the preview of an export', () => {
  it('matches the result of creating, paying and deleting the export in any state', async () => {
    const formats = fc.constantFrom('csv' as const, 'walleta' as const, 'walletb' as const);
    const choice = fc.option(fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }), { nil: undefined });
    const scene = fc.record({
      people: fc.array(person, { maxLength: 4 }),
      format: formats,
      choice,
      deletes: fc.boolean(),
      change: fc.constantFrom({ state: 'disabled' }, { walleta_email: 'new@pay.example' }, null, null),
      already_sent: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(scene, async ({ people, format, choice, deletes, change, already_sent }) => {
        const account = await service.createAccount();
        const payees = await payeesOf(account, people);
        const payouts = payees.map(({ payout }) => payout.id);
        expect(payouts).toHaveLength(people.length);
        service.clock.advance(1, 'seconds');
        const payout_ids = choice?.map((index) => payouts[index] ?? 'payout_unknown');
        const input = { export_format: format, ...(payout_ids && { payout_ids }) };
        await expectTruePreview(account, (caller) => caller.payoutExports.create(input));
        const { data } = await api(account).payoutExports.list({});
        if (change !== null && payees[0]) await account.api.patch(`/affiliates/${payees[0].program.affiliate.id}`, change);
        for (const { id } of data) {
          service.clock.advance(1, 'seconds');
          const act = (caller: Api) =>
            deletes ? caller.payoutExports.release({ id }) : caller.payoutExports.pay({ payout_export_id: id, already_sent });
          await expectTruePreview(account, act);
          // Repeats the operation on an export that is already paid or deleted.
          await expectTruePreview(account, act);
        }
      }),
      { numRuns: THOROUGH ? 30 : 5 },
    );
  });

  it('shows the same part of a large export as the response', async () => {
    const account = await service.createAccount();
    await plantPayouts(service, account, { affiliates: 2_100 });
    const { id } = await api(account).payoutExports.create({});
    service.clock.advance(1, 'seconds');
    const { result } = await expectTruePreview(account, (caller) => caller.payoutExports.pay({ payout_export_id: id }));
    expect(result).toMatchObject({ state: 'paying', paid_count: 2_000 });
  });

  it('does not wait for locks', async () => {
    const account = await service.createAccount();
    const { payout } = await payee(account);
    await payee(account);
    const { id } = await api(account).payoutExports.create({ payout_ids: [payout.id] });
    await holder.query('begin');
    await holder.query('select from payout_batch where account_id = $1 for update', [account.id]);
    await holder.query('select from affiliate where account_id = $1 for update', [account.id]);
    await holder.query('select from payout where account_id = $1 for update', [account.id]);
    try {
      expect(await api(account, { events: [] }).payoutExports.create({})).toMatchObject({ payouts_count: 1 });
      expect(await api(account, { events: [] }).payoutExports.pay({ payout_export_id: id })).toMatchObject({ state: 'paid' });
      expect(await api(account, { events: [] }).payoutExports.release({ id })).toMatchObject({ state: 'released' });
    } finally {
      await holder.query('rollback');
    }
  });
});
