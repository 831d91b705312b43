import { type Role, appRouter, createCallerFactory, createMember, sweepDueCommissions } from '@affiliate/core';
import { vi } from 'vitest';
import { type HookReceiver, answer } from '../support/hook-receiver.ts';
import { MEMBER_PASSWORD } from '../support/people.ts';
import { must } from '../support/program.ts';
import { Random } from '../support/random.ts';
import type { Outputs, TestAccount, TestService } from '../support/service.ts';
import { THOROUGH } from '../support/thorough.ts';

type Affiliate = Outputs['affiliates']['create'];
type Link = Outputs['links']['create'];

interface Credentials {
  email: string;
  password: string;
}

export interface Demo {
  account: TestAccount;
  owner: Credentials;
  admin: Credentials;
  member: Credentials;
  /** An affiliate with links, sales and payouts. */
  affiliateId: string;
  /** A campaign with tiers and reward rules, of which one never applies. */
  campaignId: string;
  /** An executed run with an issue. */
  runId: string;
  endpointId: string;
  /** A delivery with a failed and a successful attempt. */
  deliveryId: string;
}

const DAYS = 90;
/** Maximum number of visits per day, before multiplication by the growth factor. */
const VISITS = THOROUGH ? 4 : 2;
const DAY_MS = 86_400_000;
/** Affiliates. `weight` is an affiliate's share of the sales, relative to the others. */
const PEOPLE: [first: string, last: string, weight: number][] = [
  ['Ada', 'Lovelace', 9],
  ['Grace', 'Hopper', 7],
  ['Alan', 'Turing', 6],
  ['Edsger', 'Dijkstra', 4],
  ['Barbara', 'Liskov', 4],
  ['Donald', 'Knuth', 3],
  ['Radia', 'Perlman', 2],
  ['Niklaus', 'Wirth', 2],
  ['Hedy', 'Lamarr', 1],
  ['Claude', 'Shannon', 1],
];

/**
 * Creates an account with the records of three months of a shop's program, which end now. Everything except ids and times is the
 * same in every run.
 */
export async function demoAccount(service: TestService, receiver: HookReceiver): Promise<Demo> {
  const account = await service.createAccount();
  const owner = await rename(service, account);
  const now = service.clock.now().getTime();
  service.clock.advance(-DAYS, 'days');
  const random = new Random(7);
  const caller = callerOf(service, account);
  const sellers = await recruit(caller);
  const [troubled] = sellers.slice(-1);
  let runId = '';
  for (let day = 0; day < DAYS; day += 1) {
    // A random time between 9:00 and 17:00 UTC.
    const midnight = Math.floor((now - (DAYS - 1 - day) * DAY_MS) / DAY_MS) * DAY_MS;
    service.clock.set(new Date(Math.min(midnight + random.int(9 * 60, 17 * 60) * 60_000, now)).toISOString());
    await oneDay({ service, account, caller, sellers, random }, day);
    if (day === 44) await payByExport(service, account);
    if (day === 70) runId = await payByRun(service, account, troubled!.affiliate);
  }
  service.clock.set(new Date(now).toISOString());
  await sweepDueCommissions(service.services);
  await flagSome(account);
  const people = await joinPeople(service, account);
  const { endpointId, deliveryId } = await deliver(account, receiver);
  const campaignId = sellers[0]!.affiliate.campaign_id;
  await addRules(account, campaignId);
  return { account, owner, ...people, affiliateId: sellers[0]!.affiliate.id, campaignId, runId, endpointId, deliveryId };
}

async function addRules(account: TestAccount, campaign_id: string): Promise<void> {
  const { id } = await must<{ id: string }>(account, '/tiers', { campaign_id, name: 'Gold', metric: 'customers', from: 5 });
  const rules = [
    { name: 'Gold', when: { tier: [id] }, pay: { percent: 25 } },
    { name: 'Add-ons', when: { products: ['addon'] }, pay: { nothing: true } },
    { name: 'Gifts', when: { products: ['addon'], codes: ['GIFT'] }, pay: { percent: 10 } },
  ];
  for (const rule of rules) await must(account, '/reward_rules', { campaign_id, ...rule });
}

interface Seller {
  affiliate: Affiliate;
  link: Link;
  weight: number;
}

async function rename({ services }: TestService, { id, ownerId, ownerPassword }: TestAccount): Promise<Credentials> {
  const db = services.database.kysely;
  await db.updateTable('account').set({ name: 'Northwind Tea' }).where('id', '=', id).execute();
  await db
    .updateTable('auth_user')
    .set({ name: 'Mira Castellanos', email: addressOf('mira') })
    .where('id', '=', ownerId)
    .execute();
  return { email: addressOf('mira'), password: ownerPassword };
}

function addressOf(person: string): string {
  return `${person}@northwind-tea.example`;
}

type Caller = ReturnType<typeof callerOf>;

/** Calls procedures directly, because hundreds of sales over HTTP would be slow. */
function callerOf({ services }: TestService, { id }: TestAccount) {
  const principal = { kind: 'system' as const, account_id: id };
  return createCallerFactory(appRouter)({ services, requestId: 'demo', principal, surface: 'v1', reply: {} });
}

async function recruit(caller: Caller): Promise<Seller[]> {
  const url = 'https://northwind-tea.example/';
  const terms = { url, reward_type: 'percent' as const, days_until_commissions_are_due: 14, minimum_payout_cents: 4_000 };
  const friends = { ...terms, name: 'Friends of the shop', commission_percent: 15, default: true };
  const cafes = { ...terms, name: 'Cafés and restaurants', commission_percent: 8 };
  const campaigns = [await caller.campaigns.create(friends), await caller.campaigns.create(cafes)];
  const sellers: Seller[] = [];
  for (const [index, [first_name, last_name, weight]] of PEOPLE.entries()) {
    const email = `${first_name.toLowerCase()}@${last_name.toLowerCase()}.example`;
    const campaign_id = campaigns[index % 4 === 3 ? 1 : 0]!.id;
    const affiliate = await caller.affiliates.create({
      email,
      first_name,
      last_name,
      campaign_id,
      walleta_email: `pay.${email}`,
    });
    const link = await caller.links.create({ affiliate_id: affiliate.id, campaign_id, url });
    sellers.push({ affiliate, link, weight });
  }
  await caller.affiliates.create({
    email: 'katherine@johnson.example',
    first_name: 'Katherine',
    last_name: 'Johnson',
    state: 'pending',
  });
  await caller.affiliates.create({ email: 'deals@coupon-site.example', state: 'suspicious' });
  return sellers;
}

interface DemoProgram {
  service: TestService;
  account: TestAccount;
  caller: Caller;
  sellers: Seller[];
  random: Random;
}

/** Records the clicks and sales of one day. Their numbers grow from day to day and are halved on weekends. */
async function oneDay(
  { service: { services, clock }, account, caller, sellers, random }: DemoProgram,
  day: number,
): Promise<void> {
  const date = clock.instant().slice(0, 10);
  const growth = (0.6 + day / DAYS) * ([0, 6].includes(clock.now().getUTCDay()) ? 0.5 : 1);
  const clicksOf = (weight: number) => Math.round(weight * growth * random.int(2, 6)) + 1;
  const clicks = sellers.map(({ link: { id }, weight }) => ({
    link_id: id,
    account_id: account.id,
    day: date,
    clicks: clicksOf(weight),
  }));
  await services.database.kysely.insertInto('link_clicks').values(clicks).execute();
  const weights = Object.fromEntries(sellers.map(({ link, weight }) => [link.id, weight]));
  const visits = Array.from({ length: Math.round(growth * random.int(0, VISITS)) }, (_, visit) => ({
    link_id: random.weighted(weights),
    buys: random.chance(0.75),
    amount_cents: random.int(25, 220) * 100 + 90,
    currency: random.chance(0.15) ? 'EUR' : 'USD',
    name: `${day}-${visit}`,
  }));
  for (const { link_id, buys, name, ...sale } of visits) {
    const { id } = await caller.referrals.create({ link_id });
    if (!buys) continue;
    const customer_email = `customer.${name}@mail.example`;
    await caller.tracking.recordSale({ referral_id: id, external_id: `order-${name}`, customer_email, ...sale });
  }
}

async function payByExport(service: TestService, account: TestAccount): Promise<void> {
  await sweepDueCommissions(service.services);
  const { id } = await account.client.payoutExports.create.mutate({ export_format: 'csv', notes: 'First quarter' });
  await account.client.payoutExports.pay.mutate({ payout_export_id: id, payment_reference: 'SEPA 2026-114' });
}

/** Pays by a run that fails for one affiliate, because the affiliate is disabled while the run is executed. */
async function payByRun(service: TestService, account: TestAccount, troubled: Affiliate): Promise<string> {
  await sweepDueCommissions(service.services);
  const { affiliates, payoutRuns, payouts } = account.client;
  const { data } = await payouts.list.query({ state: ['due'] });
  const affected = data.find(({ affiliate_id }) => affiliate_id === troubled.id) ?? data[0]!;
  const { id } = await payoutRuns.create.mutate({});
  await affiliates.update.mutate({ id: affected.affiliate_id, state: 'disabled' });
  await payoutRuns.execute.mutate({ id, async: false, payment_reference: 'SEPA 2026-131' });
  await affiliates.update.mutate({ id: affected.affiliate_id, state: 'active' });
  return id;
}

async function flagSome({ client }: TestAccount): Promise<void> {
  const { data } = await client.commissions.list.query({ state: ['pending'], limit: 40 });
  for (const { id } of [data[1]!, data[5]!, data[9]!])
    await client.commissions.review.mutate({ id, review_action: 'suspicious' });
}

async function joinPeople({ services }: TestService, account: TestAccount): Promise<Pick<Demo, 'admin' | 'member'>> {
  const join = async (person: string, role: Role) => {
    const credentials = { email: addressOf(person), password: MEMBER_PASSWORD };
    await createMember(services, { accountId: account.id, role, ...credentials });
    return credentials;
  };
  const [admin, member] = [await join('jonas', 'admin'), await join('lea', 'member')];
  const { apiKeys, connectors, invitations } = account.client;
  await apiKeys.create.mutate({ name: 'Web shop', permissions: { 'v1.sales.write': true } });
  await apiKeys.create.mutate({ name: 'Nightly report', permissions: { 'v1.commissions.read': true, 'v1.payouts.read': true } });
  await connectors.create.mutate({ name: 'Assistant of the finance team' });
  await invitations.create.mutate({ kind: 'member', email: addressOf('sofia'), role: 'admin' });
  return { admin, member };
}

async function deliver({ client }: TestAccount, receiver: HookReceiver): Promise<{ endpointId: string; deliveryId: string }> {
  const event_types = ['commission.created' as const, 'commission.due' as const, 'payout.paid' as const];
  const endpoint = await client.webhookEndpoints.create.mutate({ name: 'Order system', url: receiver.url, event_types });
  // Waits until the attempt is recorded. A retry before that would count as the same attempt.
  const recorded = (id: string, attempts: number) =>
    vi.waitUntil(async () => (await client.webhookDeliveries.get.query({ id })).attempts_count >= attempts, { timeout: 30_000 });
  const { reply } = receiver;
  receiver.reply = answer(503, { 'content-type': 'text/plain' }, 'Down for maintenance');
  const { id } = await client.webhookEndpoints.sendTest.mutate({ id: endpoint.id });
  await recorded(id, 1);
  receiver.reply = reply;
  await client.webhookDeliveries.retry.mutate({ id });
  await recorded(id, 2);
  await client.webhookEndpoints.sendTest.mutate({ id: endpoint.id });
  return { endpointId: endpoint.id, deliveryId: id };
}
