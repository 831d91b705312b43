import { CompiledQuery } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { charge, refund, refundedCharge, wireEvent } from '../support/psp-server/index.ts';
import { Random } from '../support/random.ts';
import { madeIn, makeAgain, outcomesOf } from './moving.ts';
import type { Affiliate, Commission, Referral } from './rewardful-server/rewardful-server.ts';
import type { Element } from './tool-server.ts';
import { useRewardful } from './use-rewardful.ts';

const { shop, at } = useRewardful();
afterEach(() => assertNoContradictions(shop.service.databaseUrl));

const begin = () => at.mover.read({ source: 'rewardful', credentials: at.double.secret });
/** Returns the time of the service in seconds. */
const now = () => Math.floor(shop.service.clock.now().getTime() / 1_000);
const made = () => madeIn(shop.service, shop.merchant);

/** Adds an affiliate with one customer. */
function addCustomer(fields: Partial<Affiliate> = {}): Referral {
  const [campaign = at.double.addCampaign({ max_commission_period_months: null })] = at.double.campaigns;
  return at.double.addReferral(at.double.addAffiliate(campaign, fields));
}

/** Fills the double with two years of history in two currencies: refunds, every state, and paid payouts. */
function fill(affiliates: number, seed = 1): void {
  const random = new Random(seed);
  const campaigns = [at.double.addCampaign(), at.double.addCampaign({ commission_percent: 12.5 })];
  for (let i = 0; i < affiliates; i += 1) {
    const state = i % 7 === 0 ? 'suspicious' : 'active';
    const affiliate = at.double.addAffiliate(random.pick(campaigns)!, { state });
    const unpaid: Commission[] = [];
    for (let customers = random.int(0, 2); customers > 0; customers -= 1) {
      const referral = at.double.addReferral(affiliate);
      for (let charges = random.int(0, 4); charges > 0; charges -= 1) {
        const amount = random.int(1, 30_000);
        const refunded = random.pick([0, 0, 0, random.int(0, amount)])!;
        const [commissionState, due_at] = random.pick([
          ['pending', '2999-01-01T00:00:00.000Z'],
          ['due', '2024-06-05T07:08:09.000Z'],
          ['due', '2024-06-05T07:08:09.000Z'],
          ['voided', '2024-06-05T07:08:09.000Z'],
        ])!;
        const commission = at.double.addCommission(referral, {
          state: commissionState,
          due_at,
          voided_at: commissionState === 'voided' ? '2024-06-01T00:00:00.000Z' : null,
          sale: { charge_amount_cents: amount, refund_amount_cents: refunded, currency: random.pick(['USD', 'EUR']) },
        });
        if (commissionState === 'due') unpaid.push(commission);
      }
    }
    for (const currency of ['USD', 'EUR']) {
      const paid = unpaid.filter((each) => each.currency === currency).slice(0, random.int(0, 3));
      if (paid.length > 0) at.double.addPayout(paid);
      const rest = unpaid.filter((each) => each.currency === currency && !paid.includes(each));
      if (rest.length > 0) at.double.addPayout(rest, { state: 'due' });
    }
  }
}

/** Sums of the commissions of the former tool, as texts by affiliate, currency and state. */
function sumsThere(): string[] {
  const rows = at.double.commissions.map(({ sale, currency, state, amount }) => ({
    key: `${at.double.affiliates.find(({ id }) => id === sale.affiliate.id)!.email} ${currency} ${state}`,
    amount,
  }));
  return [...Map.groupBy(rows, ({ key }) => key)]
    .map(([key, of]) => `${key} ${of.length} ${of.reduce((sum, { amount }) => sum + amount, 0)}`)
    .toSorted();
}

async function lines(query: string): Promise<string[]> {
  const { rows } = await shop.service.services.database.kysely.executeQuery<{ line: string }>(
    CompiledQuery.raw(query, [shop.merchant.id]),
  );
  return rows.map(({ line }) => line).toSorted();
}

const sumsHere = () =>
  lines(`select concat_ws(' ', email, currency, commission.state, count(*), sum(amount_cents)) as line
    from commission join affiliate on affiliate.id = affiliate_id where commission.account_id = $1 group by email, currency, commission.state`);

async function discrepancies() {
  const { body } = await shop.merchant.api.get<{ discrepancies: object[] }>('/payout_runs/reconcile', { lookback_days: 3650 });
  return body.discrepancies;
}

describe('commissions and payouts of a former tool', () => {
  it('agree with it to the cent, by affiliate, currency and state, in the dry run and after it', async () => {
    fill(40);
    const before = await made();
    const read = await begin();
    expect(await made()).toEqual(before);
    const commissions = read.totals.filter(({ kind }) => kind === 'commission');
    expect(commissions.length).toBeGreaterThanOrEqual(7);
    expect(commissions.every(({ source_cents, here_cents }) => source_cents === here_cents)).toBe(true);
    const paid = at.double.payouts.filter(({ state, currency }) => state === 'paid' && currency === 'EUR');
    expect(read.totals).toContainEqual({
      kind: 'payout',
      currency: 'EUR',
      state: 'paid',
      count: paid.length,
      source_cents: paid.reduce((sum, { amount }) => sum + (amount as number), 0),
      here_cents: paid.reduce((sum, { amount }) => sum + (amount as number), 0),
    });
    const done = await at.mover.run(read.id);
    expect(done.totals).toEqual(read.totals);
    expect(outcomesOf(done).filter((line) => line.includes('problem'))).toEqual([]);
    expect(await sumsHere()).toEqual(sumsThere());
    expect(await discrepancies()).toEqual([]);
    const [sale] = await at.mover.list<Element>('/sales');
    const { body: explained } = await shop.merchant.api.get(`/sales/${String(sale!['id'])}`, { expand: 'decision' });
    expect(explained).toMatchObject({ decision: { rule: 'imported' } });
    // What is due and not flagged waits in open payouts.
    const open = at.double.commissions.filter(
      ({ state, sale }) =>
        state === 'due' && at.double.affiliates.find(({ id }) => id === sale.affiliate.id)!.state !== 'suspicious',
    );
    const [waiting] = await lines(`select sum(amount_cents)::text as line from payout where account_id = $1 and status = 'open'`);
    expect(Number(waiting)).toBe(open.reduce((sum, { amount }) => sum + amount, 0));
    expect((await at.mover.list('/events')).map(({ type }) => type)).toContain('import.completed');
    expect((await at.mover.list('/events')).filter(({ type }) => String(type).startsWith('commission.'))).toEqual([]);
  });

  it('are the same after being stopped at any point, and change nothing when they are run again', async () => {
    fill(12, 2);
    const expected = await makeAgain(at.mover, { source: 'rewardful', credentials: at.double.secret }, made);
    const second = await begin();
    expect(outcomesOf(second).filter((line) => !/existing|skipped/.test(line))).toEqual([]);
    await at.mover.run(second.id);
    expect(await made()).toEqual(expected);
  });

  it('are undone, except those that were paid since', async () => {
    const [paid, other] = [addCustomer(), addCustomer()];
    at.double.addCommission(paid);
    at.double.addCommission(paid, { sale: { currency: 'EUR' } });
    at.double.addCommission(other);
    const { id } = await begin();
    await at.mover.run(id);
    const [payout] = await at.mover.list<{ id: string }>(`/payouts?currency=EUR`);
    expect((await shop.merchant.api.post(`/payouts/${payout!.id}/pay`)).status).toBe(200);
    await at.mover.act(id, 'undo');
    await at.mover.advance();
    expect(await lines(`select concat_ws(' ', currency, state) as line from commission where account_id = $1`)).toEqual([
      'EUR paid',
    ]);
    expect((await at.mover.rows(id)).filter(({ reason }) => reason === 'in_use').map(({ kind }) => kind)).toEqual([
      'campaign',
      'affiliate',
      'link',
      'customer',
      'commission',
    ]);
    expect(await discrepancies()).toEqual([]);
  });
});

describe('a later run', () => {
  it('brings what has changed at the former tool until the switch', async () => {
    const referral = addCustomer();
    const [due, refunded, voided, later] = [1, 2, 3, 4].map(() => at.double.addCommission(referral));
    const payout = at.double.addPayout([due!], { state: 'due' });
    const { id } = await begin();
    await at.mover.run(id);
    const states = () =>
      lines(`select concat_ws(' ', external_id, state, amount_cents) as line from commission where account_id = $1`);
    const before = await states();
    Object.assign(due!, { state: 'paid', paid_at: '2024-08-01T00:00:00.000Z' });
    Object.assign(payout, { state: 'paid', paid_at: '2024-08-01T00:00:00.000Z' });
    Object.assign(refunded!, { amount: 1_500 });
    Object.assign(refunded!.sale, { refund_amount_cents: 5_000 });
    Object.assign(voided!, { state: 'voided', voided_at: '2024-08-02T00:00:00.000Z' });
    const done = await at.mover.run(id, { credentials: at.double.secret });
    expect(outcomesOf(done).filter((line) => /^(commission|payout)/.test(line))).toEqual([
      'commission new 4/4',
      'payout new 1/1',
    ]);
    const after = await states();
    expect(after).toEqual(
      [`${due!.id} paid 3000`, `${refunded!.id} due 1500`, `${voided!.id} voided 3000`, `${later!.id} due 3000`].toSorted(),
    );
    expect(before.filter((line) => after.includes(line))).toEqual([`${later!.id} due 3000`]);
    expect(await lines(`select concat_ws(' ', status, amount_cents) as line from payout where account_id = $1`)).toEqual([
      'open 4500',
      'paid 3000',
    ]);
    expect(await discrepancies()).toEqual([]);
  });

  it('leaves what was paid here as it is', async () => {
    const commission = at.double.addCommission(addCustomer());
    const { id } = await begin();
    await at.mover.run(id);
    const [payout] = await at.mover.list<{ id: string }>('/payouts');
    await shop.merchant.api.post(`/payouts/${payout!.id}/pay`);
    at.double.addPayout([commission]);
    const done = await at.mover.run(id, { credentials: at.double.secret });
    expect((await at.mover.rows(id, '&outcome=problem')).map(({ kind, reason }) => `${kind} ${reason}`)).toEqual([
      'commission changed_there',
      'payout commissions_differ',
    ]);
    expect(done.state).toBe('done');
    expect(await lines(`select concat_ws(' ', status, amount_cents) as line from payout where account_id = $1`)).toEqual([
      'paid 3000',
    ]);
    expect(await at.mover.run(id, { credentials: at.double.secret })).toMatchObject({ state: 'done' });
    expect(await discrepancies()).toEqual([]);
  });
});

describe('a charge that the provider tells after its commission was imported', () => {
  const paid = (of: Commission, fields: object = {}) =>
    charge({ id: of.sale['stripe_charge_id'] as string, amount: 10_000, customer: 'cus_rw1', livemode: true, ...fields });

  it('makes no second sale, and its refunds take the same fraction of the imported amount', async () => {
    const commission = at.double.addCommission(addCustomer(), { amount: 1_234 });
    const { id } = await begin();
    await at.mover.run(id);
    // The tax is news about the sale, which changes nothing.
    const told = paid(commission, { description: 'Plan' });
    shop.service.clock.advance(1, 'days');
    await shop.deliver(wireEvent('charge.succeeded', told));
    const mine = async () =>
      (await shop.commissions()).map(({ kind, state, amount_cents }) => `${kind} ${state} ${amount_cents}`);
    expect(await mine()).toEqual(['imported due 1234']);
    expect(await shop.count('sale')).toBe(1);
    const back = refund(told, { amount: 2_500 });
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(told, [back]), { created: now() }));
    expect(await mine()).toEqual(['imported due 926']);
    const rest = refund(told, { amount: 7_500 });
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(told, [back, rest]), { created: now() + 1 }));
    expect(await mine()).toEqual(['imported voided 926']);
    expect(await discrepancies()).toEqual([]);
  });

  it('adjusts a paid commission by refunds, but not by those that the former tool took off', async () => {
    const refundedThere = { refund_amount_cents: 4_000 };
    const commission = at.double.addCommission(addCustomer(), { sale: refundedThere });
    at.double.addPayout([commission]);
    const { id } = await begin();
    await at.mover.run(id);
    const told = paid(commission);
    const before = refund(told, { amount: 4_000, created: 1_700_000_000 });
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(told, [before]), { created: 1_700_000_000 }));
    const mine = async () =>
      (await shop.commissions()).map(({ kind, state, amount_cents }) => `${kind} ${state} ${amount_cents}`);
    expect(await mine()).toEqual(['imported paid 1800']);
    shop.service.clock.advance(1, 'days');
    const after = refund(told, { amount: 3_000, created: now() });
    await shop.deliver(wireEvent('charge.refunded', refundedCharge(told, [before, after]), { created: now() }));
    expect(await mine()).toEqual(['adjustment due -900', 'imported paid 1800']);
    expect(await discrepancies()).toEqual([]);
  });

  it('gets the imported commission if it was told before, and stays when the import is undone', async () => {
    const referral = addCustomer();
    const commission = at.double.addCommission(referral);
    await shop.deliver(wireEvent('charge.succeeded', paid(commission)));
    const { id } = await begin();
    await at.mover.run(id);
    expect(await shop.commissions()).toMatchObject([
      { kind: 'imported', amount_cents: 3_000, sale: { psp_charge_id: commission.sale['stripe_charge_id'] } },
    ]);
    expect(await shop.count('sale')).toBe(1);
    await at.mover.act(id, 'undo');
    await at.mover.advance();
    expect(await shop.commissions()).toEqual([]);
    expect(await shop.count('sale')).toBe(1);
  });

  it('is left alone if it has earned here', async () => {
    const referral = addCustomer();
    const first = at.double.addCommission(referral);
    const { id } = await begin();
    await at.mover.run(id);
    shop.service.clock.advance(1, 'days');
    const created = now();
    await shop.deliver(
      wireEvent('charge.succeeded', charge({ id: 'ch_here', amount: 10_000, customer: 'cus_rw1', livemode: true, created })),
    );
    expect((await shop.commissions()).map(({ kind }) => kind)).toEqual(['sale', 'imported']);
    // Both tools run: the former one has a commission for the same charge.
    at.double.addCommission(referral, { sale: { stripe_charge_id: 'ch_here', referral: first.sale['referral'] } });
    const again = await at.mover.run(id, { credentials: at.double.secret });
    expect(outcomesOf(again)).toContain('commission skipped 1/1');
    expect(again.totals).toMatchObject([{ kind: 'commission', state: 'due', source_cents: 6_000, here_cents: 3_000 }]);
    expect(await shop.commissions()).toHaveLength(2);
  });
});

it('counts imported commissions towards the limits of the campaign', async () => {
  const campaign = at.double.addCampaign({ max_commissions: 2, max_commission_period_months: null });
  const referral = at.double.addReferral(at.double.addAffiliate(campaign));
  at.double.addCommission(referral, { amount: 50 });
  const { id } = await begin();
  await at.mover.run(id);
  const here: string[] = [];
  for (const charge_id of ['ch_second', 'ch_third']) {
    shop.service.clock.advance(1, 'days');
    const created = now();
    await shop.deliver(
      wireEvent('charge.succeeded', charge({ id: charge_id, amount: 10_000, customer: 'cus_rw1', livemode: true, created })),
    );
    here.push(...(await shop.commissions()).map(({ kind, amount_cents }) => `${kind} ${amount_cents}`), '-');
  }
  expect(here).toEqual(['sale 3000', 'imported 50', '-', 'sale 3000', 'imported 50', '-']);
});
