/**
 * Payments that are undone leave no trace: after random payments, runs, exports, returns and reconsidered rewards between the facts, and once
 * everything is unpaid again, each sale, lead and milestone is worth what the facts alone say (docs/rules/ledger.md#credited).
 */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { assertNoContradictions } from '../ledger/contradictions.ts';
import { discrepancies } from '../payouts/program.ts';
import { must, refer, unique } from '../support/program.ts';
import { Random } from '../support/random.ts';
import { SEED } from '../support/seed.ts';
import type { Outputs } from '../support/service.ts';
import { useService } from '../support/suite.ts';
import { THOROUGH } from '../support/thorough.ts';
import { rule, shop, useShop } from './program.ts';

const START = '2028-01-10T12:00:00.000Z';
const END = '2028-06-10T00:00:00.000Z';
const service = useService({ worker: {} });
const { account, friends } = useShop(service, START);

const settle = () => service.worker!.sweepNow();
const usd = (amount_cents: number) => ({ fixed: { amount_cents, currency: 'USD' } });

/** The one of the customer's two identities that a sale names. */
type Named = 'email' | 'id' | 'both' | 'neither';

/** `customer` is the place of a customer among those of the story. */
interface SaleFact {
  kind: 'sale';
  order: string;
  at: string;
  customer: number;
  /** True if the sale names the second affiliate. */
  isOfBob: boolean;
  named: Named;
  amount_cents: number;
}
type Fact = SaleFact | { kind: 'refund' | 'correction'; order: string; at: string; amount_cents: number };

/** A story is about one affiliate, or about two who compete for the customers. */
interface Story {
  isBobAway: boolean;
  days_before_referrals_expire: number;
  max_commissions: number | null;
}

const CUSTOMERS = 4;

/** Random sales of four months, of which some are refunded or corrected. A sale of each customer names both identities. */
function factsOf(random: Random, { isBobAway }: Story): Fact[] {
  return Array.from({ length: 14 }, (_, i): Fact[] => {
    const order = `order-${String(i).padStart(2, '0')}`;
    const day = String(random.int(2, 28)).padStart(2, '0');
    const at = `2028-0${random.int(2, 5)}-${day}T12:00:00.000Z`;
    const amount_cents = 100 * random.int(20, 200);
    const named = i < CUSTOMERS ? 'both' : random.weighted({ email: 3, id: 3, both: 1, neither: 1 });
    const customer = i < CUSTOMERS ? i : random.int(0, CUSTOMERS - 1);
    const sale = { kind: 'sale' as const, order, at, customer, isOfBob: !isBobAway && random.chance(0.3), named, amount_cents };
    const later = { order, at: '2028-05-29T00:00:00.000Z' };
    const refunded = random.chance(0.5) ? amount_cents : 1_000;
    if (random.chance(0.3)) return [sale, { kind: 'refund', ...later, amount_cents: refunded }];
    if (random.chance(0.2)) return [sale, { kind: 'correction', ...later, amount_cents: 100 * random.int(0, 250) }];
    return [sale];
  }).flat();
}

/**
 * Creates an account whose rules depend on tiers, on earlier sales and on customers. Returns the names of the rules, and a referral for each customer
 * from one affiliate and then from another one.
 */
async function open({ isBobAway: _, ...terms }: Story) {
  service.clock.set(START);
  Object.assign(account, await service.createAccount());
  Object.assign(friends, await shop(account, { ...terms }));
  const { campaign, affiliate } = friends;
  expect((await account.api.patch(`/affiliates/${affiliate.id}`, { walleta_email: 'ada@pay.example' })).status).toBe(200);
  const tier = (name: string, values: object) =>
    must<Outputs['tiers']['create']>(account, '/tiers', { campaign_id: campaign.id, name, ...values });
  const rich = await tier('Rich', { metric: 'revenue', currency: 'USD', window: 'quarter', from: 30_000 });
  const silver = await tier('Silver', { metric: 'sales', from: 3 });
  const loyal = await tier('Loyal', { metric: 'customers', window: 'ever', from: 3 });
  const every = (metric: string, count: number) => ({ event: 'milestone', milestone: { metric, every: count } });
  const rules = {
    rich: { when: { tier: [rich.id] }, pay: { percent: 30 } },
    silver: { when: { tier: [silver.id], sale_number: { from: 2 } }, pay: { percent: 20 } },
    first: { when: { customer: 'new' }, apply: 'on_top', pay: usd(150) },
    loyal: { when: { tier: [loyal.id] }, apply: 'on_top', pay: { percent: 3 } },
    sales: { ...every('sales', 2), when: { tier: [silver.id] }, pay: usd(700) },
    revenue: { ...every('revenue', 25_000), pay: usd(900) },
    customers: { ...every('customers', 2), pay: usd(40) },
    silverLead: { event: 'lead', when: { tier: [silver.id] }, pay: usd(500), hold_days: 0 },
    lead: { event: 'lead', pay: usd(90), hold_days: 0 },
  };
  const names = new Map<string, string>();
  for (const [name, values] of Object.entries(rules)) names.set((await rule(account, campaign, values)).id, name);
  const referrals: string[] = [];
  const email = `${unique('bob')}@example.com`;
  const bob = await must<Outputs['affiliates']['create']>(account, '/affiliates', {
    email,
    campaign_id: campaign.id,
    walleta_email: email,
  });
  const destination = { affiliate_id: bob.id, campaign_id: campaign.id, url: 'https://shop.example.com/bob' };
  const link = await must<Outputs['links']['create']>(account, '/links', destination);
  for (const each of [friends, { ...friends, link }]) {
    for (let i = 0; i < CUSTOMERS; i += 1) referrals.push((await refer(account, each)).id);
    service.clock.advance(1, 'hours');
  }
  return { names, referrals };
}

async function tell(fact: Fact, referrals: readonly string[]): Promise<void> {
  const { order: external_id, amount_cents } = fact;
  if (fact.kind === 'refund') {
    await must(account, '/track/refunds', { external_id, refund_id: external_id, amount_cents });
    return;
  }
  if (fact.kind === 'correction') {
    const { data } = (await account.api.get<Outputs['sales']['list']>('/sales', { limit: '100' })).body;
    const sale = data.find((each) => each.external_id === external_id)!;
    expect((await account.api.patch(`/sales/${sale.id}`, { amount_cents })).status).toBe(200);
    return;
  }
  const { customer, isOfBob, named, at: charged_at } = fact as SaleFact;
  const names = {
    ...((named === 'email' || named === 'both') && { customer_email: `customer-${customer}@buyer.example` }),
    ...((named === 'id' || named === 'both') && { external_customer_id: `customer-${customer}` }),
  };
  const sale = {
    external_id,
    referral_id: referrals[isOfBob ? customer + CUSTOMERS : customer],
    amount_cents,
    currency: 'USD',
    charged_at,
    ...names,
  };
  await must(account, '/track/sales', sale);
}

const listed = async <Row>(path: string, query: Record<string, string> = {}) =>
  (await account.api.get<{ data: Row[] }>(path, { limit: '100', ...query })).body.data;

/** Pays, claims, releases, returns or reconsiders something at random. A refusal is an answer, too. */
async function act(random: Random): Promise<void> {
  const one = async (path: string, query: Record<string, string>) => random.pick(await listed<{ id: string }>(path, query))?.id;
  const kind = random.weighted({ pay: 4, run: 2, export: 1, return: 2, hand: 2, unpay: 1, reconsider: 2 });
  if (kind === 'run') {
    const { body } = await account.api.post<{ id: string }>('/payout_runs', {});
    const next = random.weighted({ pay: 3, release: 1, keep: 1 });
    if (next === 'pay') await account.api.put(`/payout_runs/${body.id}/execute`, { async: false });
    if (next === 'release') await account.api.put(`/payout_runs/${body.id}/remediate`, { remediation_action: 'cancel' });
  } else if (kind === 'export') {
    const { status, body } = await account.api.post<{ id: string }>('/payout_exports', {});
    if (status !== 201) return;
    const next = random.weighted({ pay: 2, release: 1, keep: 1 });
    if (next === 'pay') await account.api.post(`/payout_exports/${body.id}/payment`, { already_sent: true });
    if (next === 'release') await account.api.delete(`/payout_exports/${body.id}`);
  } else if (kind === 'reconsider') {
    for (const { commission_ids } of await discrepancies(account))
      for (const id of commission_ids) await account.api.post(`/commissions/${id}/review`, { review_action: 'reconsider' });
  } else if (kind === 'hand' || kind === 'unpay') {
    const id = await one('/commissions', { state: kind === 'hand' ? 'pending,due' : 'paid' });
    const paid_at = kind === 'hand' ? service.clock.instant() : null;
    if (id !== undefined) await account.api.patch(`/commissions/${id}`, { paid_at });
  } else {
    const id = await one('/payouts', { state: kind === 'pay' ? 'pending,due' : 'paid' });
    if (id !== undefined) await account.api.post(`/payouts/${id}/${kind}`, { reason: 'closed' });
  }
}

/** Undoes all payments and claims. */
async function undoPayments(): Promise<void> {
  for (const { id } of await listed<{ id: string }>('/payout_runs'))
    await account.api.put(`/payout_runs/${id}/remediate`, { remediation_action: 'cancel' });
  for (const { id } of await listed<{ id: string }>('/payout_exports')) await account.api.delete(`/payout_exports/${id}`);
  for (const { id } of await listed<{ id: string }>('/payouts', { state: 'paid' }))
    await must(account, `/payouts/${id}/return`, { reason: 'closed' }, 200);
  for (const { id } of await listed<{ id: string }>('/commissions', { state: 'paid' }))
    expect((await account.api.patch(`/commissions/${id}`, { paid_at: null })).status).toBe(200);
}

/** Erases a customer, which changes no amount. */
async function eraseOne(random: Random): Promise<void> {
  const customer = random.pick(await listed<{ id: string }>('/customers'));
  await must(account, `/customers/${customer!.id}/erase`, {}, 200);
}

/** Returns what is credited for each sale and milestone, and for the leads, because a customer with two identities is a lead of one of two referrals. */
async function credited(names: ReadonlyMap<string, string>): Promise<[string, number][]> {
  const { rows } = await sql<{ of: string; rule_id: string | null; is_bobs: boolean; cents: number }>`
    select coalesce(sale.external_id, case when commission.referral_id is null then 'milestone' else 'leads' end) as of,
      case when sale.id is not null or commission.referral_id is null then rule_id end as rule_id,
      commission.affiliate_id <> ${friends.affiliate.id} as is_bobs, sum(amount_cents)::bigint as cents
    from commission left join sale on sale.id = commission.sale_id
    where commission.account_id = ${account.id} and (commission.state <> 'voided' or paid_at is not null
      or exists (select from payout_item where commission_id = commission.id))
    group by 1, 2, 3`.execute(service.services.database.kysely);
  return rows
    .filter(({ cents }) => cents !== 0)
    .map(({ of, rule_id, is_bobs, cents }): [string, number] => [
      `${of} ${names.get(rule_id ?? '') ?? ''} of ${is_bobs ? 'Bob' : 'Ada'}`,
      cents,
    ])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Tells the facts in order. With `random`, tells them late and in another order, with payments between them, which are undone at the end. */
async function run(facts: readonly Fact[], story: Story, random: Random | null) {
  const { names, referrals } = await open(story);
  const isLate = random?.chance(0.5) ?? false;
  if (isLate) service.clock.set(END);
  for (const fact of random ? afterTheirSales(random.shuffled(facts)) : facts) {
    if (fact.at > service.clock.instant()) service.clock.set(fact.at);
    await tell(fact, referrals);
    if (random === null) continue;
    service.clock.advance(1, 'minutes');
    if (random.chance(0.5)) await settle();
    if (random.chance(0.6)) await act(random);
  }
  service.clock.set(END);
  await settle();
  await assertNoContradictions(service.databaseUrl);
  if (random !== null) {
    await eraseOne(random);
    await undoPayments();
  }
  await settle();
  await assertNoContradictions(service.databaseUrl);
  expect(await discrepancies(account)).toEqual([]);
  return credited(names);
}

/** Moves refunds and corrections behind their sales, because only a known sale has them. */
function afterTheirSales(facts: readonly Fact[]): Fact[] {
  const sales = facts.filter(({ kind }) => kind === 'sale');
  return sales.flatMap((sale) => [sale, ...facts.filter(({ kind, order }) => kind !== 'sale' && order === sale.order)]);
}

describe('random payments between facts', () => {
  it.each(Array.from({ length: Number(process.env['STORIES'] ?? (THOROUGH ? 30 : 1)) }, (_, i) => SEED * 100 + i))(
    'leave no trace once they are undone (seed %i)',
    async (seed) => {
      const random = new Random(seed);
      const story = {
        isBobAway: random.chance(0.5),
        days_before_referrals_expire: random.chance(0.5) ? 365 : 60,
        max_commissions: random.chance(0.5) ? 3 : null,
      };
      const facts = factsOf(random, story);
      const sorted = afterTheirSales(facts.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)));
      const expected = await run(sorted, story, null);
      expect(await run(facts, story, random)).toEqual(expected);
    },
  );
});
