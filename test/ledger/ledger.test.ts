/** The independent ledger finds nothing in the books of a service, and finds each kind of error that SQL puts into them. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useEventShop } from '../psp/event-shop.ts';
import { createAffiliate } from '../psp/fixtures.ts';
import { charge, customer, dispute, refundedCharge, refund, wireEvent } from '../support/psp-server/index.ts';
import { assertNoContradictions, findContradictions } from './contradictions.ts';

const shop = useEventShop({ isNewForEach: false, writesRows: true });
let client: Client;

/** Sells, refunds, disputes, pays, returns and exports, so that the books have every kind of row. */
beforeAll(async () => {
  await shop.open();
  const { merchant, service } = shop;
  const call = merchant.call();
  await call.campaigns.update({ id: shop.program.campaignId, days_until_commissions_are_due: 0, max_commissions: 20 });
  const sell = async (referral_id: string, external_id: string, amount_cents = 10_000) => {
    service.clock.advance(1, 'minutes');
    await call.tracking.recordSale({
      external_id,
      referral_id,
      amount_cents,
      currency: 'USD',
      customer_email: `${referral_id}@buyer.example`,
    });
  };
  const payoutOf = async (affiliate_id: string, state: ('pending' | 'due' | 'paid')[]) =>
    (await call.payouts.list({ affiliate_id, state })).data[0]!.id;
  const newReferral = async () => {
    const affiliate_id = await createAffiliate(merchant, shop.program.campaignId);
    await call.affiliates.update({ id: affiliate_id, walleta_email: `${affiliate_id}@pay.example` });
    service.clock.advance(30, 'days');
    return { affiliate_id, id: (await call.referrals.create({ affiliate_id, campaign_id: shop.program.campaignId })).id };
  };
  // Paid by hand, and refunded afterwards.
  const paid = await newReferral();
  await sell(paid.id, 'paid');
  await call.payouts.pay({ id: await payoutOf(paid.affiliate_id, ['pending', 'due']) });
  await call.tracking.recordRefund({ external_id: 'paid', refund_id: 'paid-back', amount_cents: 2_500 });
  await sell(paid.id, 'next', 7_777);
  await call.commissions.create({ affiliate_id: paid.affiliate_id, amount_cents: 500, currency: 'USD', note: 'Bonus' });
  // Paid and returned.
  const returned = await newReferral();
  await sell(returned.id, 'returned');
  const bounced = await payoutOf(returned.affiliate_id, ['pending', 'due']);
  await call.payouts.pay({ id: bounced });
  await call.payouts.return({ id: bounced, reason: 'Bounced' });
  // Exported, and exported and paid.
  for (const name of ['exported', 'claimed']) {
    const { affiliate_id, id } = await newReferral();
    await sell(id, name);
    const { id: exportId } = await call.payoutExports.create({ payout_ids: [await payoutOf(affiliate_id, ['pending', 'due'])] });
    if (name === 'exported') await call.payoutExports.pay({ payout_export_id: exportId });
  }
  // Of a suspicious affiliate, and therefore flagged.
  const suspicious = await newReferral();
  await call.affiliates.update({ id: suspicious.affiliate_id, state: 'suspicious' });
  await sell(suspicious.id, 'suspicious');
  // Charges of the provider: one is refunded in part, the other is disputed.
  const referral = await newReferral();
  const buyer = customer({ metadata: { referral: referral.id } });
  const created = Math.floor(service.clock.now().getTime() / 1_000) + 60;
  service.clock.advance(1, 'hours');
  const [one, other] = [5_000, 6_000].map((amount) => charge({ amount, customer: buyer.id, created }));
  await shop.deliver(wireEvent('customer.created', buyer, { created: created - 30 }));
  for (const each of [one!, other!]) await shop.deliver(wireEvent('charge.succeeded', each, { created }));
  await shop.deliver(
    wireEvent('charge.refunded', refundedCharge(one!, [refund(one!, { amount: 1_000 })]), { created: created + 9 }),
  );
  await shop.deliver(
    wireEvent('charge.dispute.created', dispute(other!, { status: 'needs_response' }), { created: created + 9 }),
  );
  // Of a campaign with a cap and a rule on top.
  const { id: campaign_id } = await call.campaigns.create({
    name: 'Rules',
    url: 'https://shop.example',
    reward_type: 'percent',
    commission_percent: 20,
    days_until_commissions_are_due: 0,
  });
  const usd = { currency: 'USD', amount_cents: 5_000 };
  await call.rewardRules.create({ campaign_id, name: 'Capped', pay: { percent: 40 }, cap: { ...usd, per: 'referral' } });
  await call.rewardRules.create({ campaign_id, name: 'On top', pay: { percent: 5 }, apply: 'on_top' });
  const rewarded = await createAffiliate(merchant, campaign_id);
  service.clock.advance(1, 'hours');
  const { id: rewardedId } = await call.referrals.create({ affiliate_id: rewarded, campaign_id });
  await sell(rewardedId, 'rewarded');
  await sell(rewardedId, 'capped');
  client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
});
afterAll(() => client.end());

describe('the independent ledger', () => {
  test('finds no contradiction in the books of a service', async () => {
    const { rows } = await client.query<{ kind: string; state: string; n: number }>(
      'select kind, state, count(*)::int as n from commission group by kind, state order by kind, state',
    );
    expect(rows).toMatchObject([
      { kind: 'adjustment', state: 'due' },
      { kind: 'bonus', state: 'due' },
      { kind: 'manual', state: 'due' },
      { kind: 'sale', state: 'due' },
      { kind: 'sale', state: 'paid' },
    ]);
    await expect(assertNoContradictions(shop.service.databaseUrl)).resolves.toBeUndefined();
  });

  test('finds no contradiction if a refunded sale gives its place to the next one, and its payout is returned', async () => {
    const { merchant, service } = shop;
    const call = merchant.call();
    const { id: campaign_id } = await call.campaigns.create({
      name: 'One only',
      url: 'https://shop.example',
      reward_type: 'percent',
      commission_percent: 20,
      max_commissions: 1,
      days_until_commissions_are_due: 0,
    });
    const affiliate_id = await createAffiliate(merchant, campaign_id);
    const { id: referral_id } = await call.referrals.create({ affiliate_id, campaign_id });
    const sell = (external_id: string) => {
      service.clock.advance(1, 'minutes');
      const customer_email = 'one@buyer.example';
      return call.tracking.recordSale({ external_id, referral_id, amount_cents: 10_000, currency: 'USD', customer_email });
    };
    await sell('one');
    const [paid] = (await call.payouts.list({ affiliate_id })).data;
    await call.payouts.pay({ id: paid!.id });
    await call.tracking.recordRefund({ external_id: 'one', refund_id: 'one-back', amount_cents: 10_000 });
    expect((await sell('two')).commission).toMatchObject({ amount_cents: 2_000 });
    await call.payouts.return({ id: paid!.id, reason: 'Bounced' });
    expect((await sell('three')).reason).toBe('max_commissions_reached');
    const { data } = await call.commissions.list({ affiliate_id });
    expect(data.map(({ kind, state, amount_cents }) => `${kind} ${state} ${amount_cents}`).toSorted()).toEqual([
      'adjustment due -2000',
      'sale due 2000',
      'sale due 2000',
    ]);
    await expect(assertNoContradictions(shop.service.databaseUrl)).resolves.toBeUndefined();
  });

  test('finds no contradiction if adjustments are voided after their payment, and the payout is returned', async () => {
    const { merchant, service } = shop;
    const call = merchant.call();
    const affiliate_id = await createAffiliate(merchant, shop.program.campaignId);
    const { id: referral_id } = await call.referrals.create({ affiliate_id, campaign_id: shop.program.campaignId });
    const sell = async (external_id: string) => {
      service.clock.advance(1, 'minutes');
      await call.tracking.recordSale({
        external_id,
        referral_id,
        amount_cents: 10_000,
        currency: 'USD',
        customer_email: `${external_id}@buyer.example`,
      });
    };
    const pay = async () => {
      const { data } = await call.payouts.list({ affiliate_id, state: ['pending', 'due'] });
      await call.payouts.pay({ id: data[0]!.id });
      return data[0]!.id;
    };
    const bonus = await call.commissions.create({ affiliate_id, amount_cents: 500, currency: 'USD', note: 'Bonus' });
    await sell('voided-1');
    await pay();
    await call.commissions.void({ id: bonus.id });
    await call.tracking.recordRefund({ external_id: 'voided-1', refund_id: 'voided-1-back', amount_cents: 2_500 });
    await sell('voided-2');
    const second = await pay();
    const adjustments = (await call.commissions.list({ affiliate_id })).data.filter(({ kind }) => kind === 'adjustment');
    expect(adjustments.map(({ amount_cents }) => amount_cents).toSorted((a, b) => a - b)).toEqual([-500, -500]);
    for (const { id } of adjustments) await call.commissions.void({ id });
    await call.payouts.return({ id: second, reason: 'Bounced' });
    const [open] = (await call.payouts.list({ affiliate_id, state: ['pending', 'due'] })).data;
    expect(open).toMatchObject({ amount_cents: 2_000, commissions_count: 5 });
    await expect(assertNoContradictions(shop.service.databaseUrl)).resolves.toBeUndefined();
  });

  test('has nothing that reconcile lists', async () => {
    const { discrepancies } = await shop.merchant.call().payoutRuns.reconcile({ lookback_days: 3650 });
    expect(discrepancies).toEqual([]);
    await save();
  });

  const OF_SALE = (name: string) => `sale_id = (select id from sale where external_id = '${name}') and kind = 'sale'`;
  test.each<[contradiction: string, code: string, sql: string, sentence: RegExp]>([
    [
      'a wrong amount of a commission',
      'sale_mismatch',
      `update commission set amount_cents = amount_cents + 1 where ${OF_SALE('next')}`,
      /are credited instead of/,
    ],
    [
      'a rate that the campaign did not have',
      'terms_mismatch',
      `update commission set basis_points = 2100 where ${OF_SALE('next')}`,
      /its campaign paid/,
    ],
    [
      'a voided adjustment whose amount nothing takes back',
      'payout_mismatch',
      `update commission set state = 'voided', voided_at = now() where kind = 'adjustment' and sale_id = (select id from sale where external_id = 'paid')`,
      /is voided, but in open payout/,
    ],
    [
      'a refund that was not deducted',
      'refund_mismatch',
      `update sale set refund_amount_cents = 0 where external_id = 'paid'`,
      /were reported/,
    ],
    [
      'a refund of the provider that was lost',
      'refund_mismatch',
      `update payment set refunds = refunds || '{"amount": 1500, "state": "done"}'`,
      /were reported/,
    ],
    [
      'a payment in two sales',
      'payment_mismatch',
      `with donor as (select id, names from sale where cardinality(names) = 2 and charge_amount_cents > 0 limit 1),
       renamed as (update sale set names = names[1:1] where id = (select id from donor) returning id)
       update sale set names = names || (select names[2] from donor) where external_id = 'next' and exists (select from renamed)`,
      /has the payment of sale/,
    ],
    [
      'a lost clawback',
      'uncollected_commissions',
      `delete from payout_item where commission_id in (select id from commission where kind = 'adjustment')`,
      /is due, but in no payout/,
    ],
    [
      'a voided clawback',
      'sale_mismatch',
      `update commission set amount_cents = -1 where kind = 'adjustment'`,
      /are credited instead of/,
    ],
    ['a wrong bonus', 'amount_mismatch', `update commission set amount_cents = 0 where kind = 'manual'`, /its commissions are/],
    [
      'a payout that is not the sum of its items',
      'amount_mismatch',
      `update payout set amount_cents = amount_cents + 1 where status = 'open'`,
      /its commissions are/,
    ],
    [
      'a changed payout in the past',
      'amount_mismatch',
      `update returned_payout_item set amount_cents = 1`,
      /its commissions are/,
    ],
    [
      'a payout that is paid while its commissions are not',
      'unpaid_commissions',
      `update payout set status = 'paid', paid_at = now() where status = 'processing'`,
      /its payout \S+ is paid/,
    ],
    [
      'a commission that is paid without its payout',
      'paid_commissions',
      `update commission set state = 'paid', paid_at = now() where ${OF_SALE('claimed')}`,
      /its payout \S+ is processing/,
    ],
    [
      'a payout that two exports paid',
      'paid_twice',
      `update payout_batch set stage = 'paid', paid_at = now() where kind = 'export' and stage = 'prepared'`,
      /an export or run says that it is paid/,
    ],
    [
      'a payment with another amount than its file',
      'item_mismatch',
      `update payout_attempt set amount_cents = 1`,
      /was paid as 1/,
    ],
    [
      'a payment that was announced twice',
      'event_mismatch',
      `insert into event (id, account_id, sequence, type, subject_id, body, occurred_at)
       select id || 'x', account_id, -sequence, type, subject_id, body, occurred_at from event where type = 'payout.paid'`,
      /payout.paid was announced 2 times/,
    ],
    [
      'a commission that was never announced',
      'event_mismatch',
      `delete from event where type = 'commission.created'`,
      /commission.created was announced 0 times/,
    ],
    [
      'a flagged commission in a payout',
      'review_mismatch',
      `insert into payout_item select id, (select min(id) from payout where status = 'open') from commission where ${OF_SALE('suspicious')}`,
      /is flagged, but in open payout/,
    ],
    [
      'a suspicion that does not hold',
      'review_mismatch',
      `update commission set review_status = null, review_reason = null where ${OF_SALE('suspicious')}`,
      /was suspicious at the charge/,
    ],
    [
      'a dispute that does not hold',
      'review_mismatch',
      `update commission set review_status = null, review_reason = null where review_reason = 'dispute'`,
      /its sale is disputed/,
    ],
    ['a dispute that the sale does not know', 'payment_mismatch', `update sale set disputed = false`, /unlike its payment/],
    [
      'an affiliate who could not earn',
      'earner_mismatch',
      `update affiliate set state = 'disabled'`,
      /the affiliate was disabled at the charge/,
    ],
    [
      'a campaign that was archived',
      'earner_mismatch',
      `update campaign set archived_at = now()`,
      /the campaign was archived at the charge/,
    ],
    [
      'a referral that was deactivated',
      'earner_mismatch',
      `update referral set deactivated_at = created_at`,
      /the referral was deactivated at the charge/,
    ],
    [
      'a refused sale that earns',
      'earner_mismatch',
      `update sale set no_commission_reason = 'before_visit' where external_id = 'next'`,
      /although its sale was refused/,
    ],
    [
      'an excluded sale that earns',
      'earner_mismatch',
      `update sale set excluded = true where external_id = 'next'`,
      /is of an excluded sale/,
    ],
    [
      'a sale of another affiliate',
      'earner_mismatch',
      `update sale set affiliate_id = (select max(id) from affiliate) where external_id = 'next'`,
      /different earners/,
    ],
    [
      'more commissions than the limit',
      'limit_exceeded',
      `update sale set limits = '{"maxCommissions": 1, "periodMonths": null}'`,
      /of which 1 are allowed/,
    ],
    [
      'a line that pays more than its cap',
      'cap_exceeded',
      `update commission_line set at_most_cents = 100 where at_most_cents is not null`,
      /more than its cap/,
    ],
    [
      'sales that use more than a cap together',
      'cap_exceeded',
      `update reward_rule_version set cap = jsonb_set(cap, '{amount_cents}', '4500') where cap is not null`,
      /have used 5000 of a cap of 4500/,
    ],
    [
      'a bonus without a commission',
      'bonus_mismatch',
      `update commission set state = 'voided', voided_at = now() where ${OF_SALE('rewarded')}`,
      /stands, but not the commission/,
    ],
    [
      'a bonus that is not flagged like its commission',
      'bonus_mismatch',
      `update commission set review_status = 'approved' where ${OF_SALE('rewarded')}`,
      /have different flags/,
    ],
    [
      'a bonus that falls due later than its commission',
      'bonus_mismatch',
      `update commission set due_at = due_at - interval '1 day' where ${OF_SALE('rewarded')}`,
      /fall due at different times/,
    ],
    [
      'a commission without a sale whose adjustments do not take it back',
      'credit_mismatch',
      `update commission set state = 'voided', voided_at = now() where kind = 'manual'`,
      /are credited instead of 0/,
    ],
    [
      'a commission in another mode',
      'mode_mismatch',
      `update commission set livemode = false where ${OF_SALE('next')}`,
      /another affiliate, currency or mode/,
    ],
    [
      'a commission in two accounts',
      'payout_mismatch',
      `update payout set currency = 'EUR' where status = 'open'`,
      /was credited \d+, but/,
    ],
  ])('finds %s, and so does reconcile (%s)', async (_, code, sql, contradiction) => {
    try {
      const { rowCount } = await client.query(sql);
      expect(rowCount).toBeGreaterThan(0);
      expect(await findContradictions(client)).toContainEqual(expect.stringMatching(contradiction));
      const { discrepancies } = await shop.merchant.call().payoutRuns.reconcile({ lookback_days: 3650 });
      expect(discrepancies.map((each) => each.code)).toContain(code);
    } finally {
      await restore();
    }
  });
});

/** Tables in which these tests plant contradictions. */
const BOOKS = [
  'affiliate',
  'campaign',
  'commission',
  'commission_line',
  'event',
  'payout',
  'payout_attempt',
  'payout_batch',
  'payout_item',
  'payment',
  'payment_name',
  'referral',
  'returned_payout_item',
  'reward_rule_version',
  'sale',
];

/** The columns of the books that PostgreSQL does not compute. */
const columns = new Map<string, string>();

async function save(): Promise<void> {
  const { rows } = await client.query<{ table: string; names: string }>(
    `select table_name as table, string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER' and table_name = any ($1) group by 1`,
    [BOOKS],
  );
  for (const { table, names } of rows) {
    columns.set(table, names);
    await client.query(`create temporary table saved_${table} as select ${names} from ${table}`);
  }
}

/** Brings the books back, as they were before a test. */
async function restore(): Promise<void> {
  const restored = [...columns].map(
    ([table, names]) =>
      `delete from ${table}; insert into ${table} (${names}) overriding system value select ${names} from saved_${table};`,
  );
  await client.query(`begin; set local session_replication_role = replica; ${restored.join('\n')} commit`);
}

describe('PostgreSQL refuses', () => {
  const wrong: [table: 'commission' | 'sale', values: object, constraint: string][] = [
    ['sale', { charge_amount_cents: -1 }, 'sale_amounts'],
    ['sale', { tax_amount_cents: -1 }, 'sale_amounts'],
    ['sale', { refund_amount_cents: -1 }, 'sale_amounts'],
    ['sale', { paid_outside: 'perhaps' }, 'sale_paid_outside'],
    ['commission', { state: 'paid', paid_at: null }, 'commission_state'],
    ['commission', { state: 'due', paid_at: '2026-11-20T00:00:00Z' }, 'commission_state'],
    ['commission', { state: 'lost' }, 'commission_state'],
    ['commission', { kind: 'lead' }, 'commission_source'],
    ['commission', { sale_id: null }, 'commission_source'],
    ['commission', { review_status: 'perhaps' }, 'commission_review_status'],
  ];
  test.each(wrong)('a %s with %j', async (table, values, constraint) => {
    const one = `select * from ${table} where ${table === 'commission' ? `kind = 'sale' and state = 'due'` : 'true'} limit 1`;
    const refused = { code: '23514', table, constraint };
    const names = Object.keys(values);
    await expect(
      client.query(
        `update ${table} set (${names.join()}) = (select ${names.join()} from jsonb_populate_record(null::${table}, $1)) where id = (select id from (${one}) found)`,
        [values],
      ),
    ).rejects.toMatchObject(refused);
    await expect(
      client.query(
        `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(found) || $1)).* from (${one}) found`,
        [
          {
            id: `${table}_wrong`,
            external_id: null,
            superseded: true,
            ...values,
          },
        ],
      ),
    ).rejects.toMatchObject(refused);
  });

  const FOUND = `select * from commission where kind = 'sale' and state = 'due' limit 1`;
  const LOST = `(jsonb_populate_record(null::commission, to_jsonb(found) || '{"id": "com_wrong", "superseded": true, "external_id": null, "state": "lost"}')).*`;
  test.each([
    ['an update that joins', `update commission set state = 'lost' from (${FOUND}) found where commission.id = found.id`],
    [
      'an update in a query',
      `with lost as (update commission set state = 'lost' where id in (select id from (${FOUND}) one) returning id) select from lost`,
    ],
    [
      'an insert in a query',
      `with lost as (insert into commission select ${LOST} from (${FOUND}) found returning id) select from lost`,
    ],
    [
      'an insert that updates',
      `insert into commission select * from (${FOUND}) found on conflict (id) do update set state = 'lost'`,
    ],
    [
      'a merge that updates',
      `merge into commission using (${FOUND}) found on found.id = commission.id when matched then update set state = 'lost'`,
    ],
  ])('wrong commissions of %s', async (_, statement) => {
    const refused = { code: '23514', table: 'commission', constraint: 'commission_state' };
    await expect(client.query(statement)).rejects.toMatchObject(refused);
  });
});
