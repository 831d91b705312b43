import {
  type AppRouter,
  advancePayoutExports,
  advancePayoutRuns,
  appRouter,
  createCallerFactory,
  sweepDueCommissions,
  toEnvelope,
} from '@affiliate/core';
import type { inferRouterOutputs } from '@trpc/server';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPspService, type PspTestService } from '../psp/service.ts';
import {
  charge,
  checkoutCustomer,
  checkoutSession,
  customer,
  refund,
  refundedCharge,
  sendEvent,
  wireEvent,
} from '../support/psp-server/index.ts';
import type { TestAccount } from '../support/service.ts';
import { Ledger, add } from './ledger.ts';
import { Random } from './random.ts';
import { contestedPayment, mergedPayment, type Payment, type Walk } from './walk-customers.ts';

type Commission = inferRouterOutputs<AppRouter>['commissions']['list']['data'][number];

/** Printed in failures; PAYOUT_SEED repeats a run. */
const SEED = Number(process.env['PAYOUT_SEED'] ?? Math.floor(Math.random() * 1e9));
/** Every run takes another path; PAYOUT_OPERATIONS makes it longer. */
const OPERATIONS = Number(process.env['PAYOUT_OPERATIONS'] ?? 1_000);
/** Operations choose among the newest records, so that many meet in one. */
const RECENT = 8;
const CHECK_EVERY = 50;
/** Expected errors of an operation on a record whose state does not allow it. */
const REFUSALS = ['VALIDATION_ERROR', 'NOT_FOUND'];

const random = new Random(SEED);
const ledger = new Ledger();
const createCaller = createCallerFactory(appRouter);
const affiliates: string[] = [];
const referrals: { id: string; affiliateId: string; campaignId: string; terms: { percent: number } | { fixed: number } }[] = [];
const runs: string[] = [];
const done: Record<string, number> = {};
/** Charges of test sales with their refunds so far, by sale. */
const testCharges = new Map<string, { paid: ReturnType<typeof charge>; refunds: ReturnType<typeof refund>[] }>();
let webhookSecret: string;
let service: PspTestService;
let account: TestAccount;
let database: Client;

beforeAll(async () => {
  service = await startPspService();
  account = await service.createAccount();
  webhookSecret = `whsec_${crypto.randomUUID()}`;
  await api().pspConnection.connect({ secret_key: service.psp.addAccount().secretKey, webhook_secret: webhookSecret });
  database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
  await setUp();
});
afterAll(async () => {
  await database.end();
  await service.stop();
});

function api() {
  return createCaller({
    services: service.services,
    requestId: 'invariants',
    principal: { kind: 'system', account_id: account.id },
    surface: 'v1',
    reply: {},
  });
}

/** Partners with a percentage that yields odd cents, with a fixed amount, and with a minimum payout, each with two referrals. */
async function setUp(): Promise<void> {
  const url = 'https://shop.example.com';
  const campaigns = [
    {
      terms: { percent: 12.35 },
      input: { name: 'A', url, reward_type: 'percent' as const, commission_percent: 12.35, days_until_commissions_are_due: 3 },
    },
    {
      terms: { fixed: 777 },
      input: { name: 'B', url, reward_type: 'fixed' as const, commission_amount_cents: 777, days_until_commissions_are_due: 0 },
    },
    {
      terms: { percent: 33.33 },
      input: {
        name: 'C',
        url,
        reward_type: 'percent' as const,
        commission_percent: 33.33,
        days_until_commissions_are_due: 0,
        minimum_payout_cents: 5_000,
      },
    },
  ];
  for (const { terms, input } of campaigns) {
    const campaign = await api().campaigns.create(input);
    for (let i = 0; i < 3; i += 1) {
      const affiliate = await api().affiliates.create({
        email: `${input.name}${i}@example.com`,
        campaign_id: campaign.id,
        walleta_email: `${input.name}${i}@pay.example`,
      });
      affiliates.push(affiliate.id);
      for (let j = 0; j < 2; j += 1) {
        const { id } = await api().referrals.create({ affiliate_id: affiliate.id, campaign_id: campaign.id });
        referrals.push({ id, affiliateId: affiliate.id, campaignId: campaign.id, terms });
      }
    }
  }
}

const operations = {
  async sale() {
    const referral = random.pick(referrals)!;
    const charge = random.int(1, 30_000);
    const tax = random.chance(0.3) ? random.int(0, Math.floor(charge / 5)) : 0;
    const externalId = `order-${ledger.sales.size}-${random.int(0, 1e9)}`;
    const { sale, commission } = await api().tracking.recordSale({
      external_id: externalId,
      referral_id: referral.id,
      amount_cents: charge,
      tax_amount_cents: tax,
      currency: random.pick(['USD', 'USD', 'EUR', 'JPY'])!,
    });
    if (!commission) return;
    const { affiliateId, terms } = referral;
    const { id: commissionId, currency } = commission;
    ledger.sales.set(sale.id, {
      id: sale.id,
      externalId,
      affiliateId,
      livemode: true,
      commissionId,
      currency,
      terms,
      charge,
      tax,
      refunded: 0,
      voided: false,
      waived: 0,
    });
  },

  /** A sale of the payment provider's test mode, told by its events: to a new customer, so that no later fact decides it again. */
  async testSale() {
    const { affiliateId, campaignId, terms } = random.pick(referrals)!;
    const referral = await api().referrals.create({ affiliate_id: affiliateId, campaign_id: campaignId });
    const amount = random.int(1, 30_000);
    const tax = random.chance(0.3) ? random.int(0, Math.floor(amount / 5)) : 0;
    const currency = random.pick(['usd', 'eur'])!;
    const buyer = customer({ email: `buyer-${random.next()}@buyer.example` });
    const created = Math.floor(service.clock.now().getTime() / 1_000);
    const paid = charge({ amount, currency, customer: buyer.id, created });
    const checkout = checkoutSession({
      client_reference_id: referral.id,
      customer: buyer.id,
      customer_details: checkoutCustomer({ email: buyer.email ?? '' }),
      payment_intent: paid.payment_intent,
      currency,
      amount_total: amount,
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: tax },
    });
    const newest = async () => (await api().commissions.list({ limit: 1, livemode: false })).data[0];
    const before = await newest();
    await tell(wireEvent('checkout.session.completed', checkout));
    await tell(wireEvent('charge.succeeded', paid));
    const commission = await newest();
    if (!commission || commission.id === before?.id) return;
    const id = commission.sale_id!;
    testCharges.set(id, { paid, refunds: [] });
    ledger.sales.set(id, {
      id,
      externalId: '',
      affiliateId,
      livemode: false,
      commissionId: commission.id,
      currency: commission.currency,
      terms,
      charge: amount,
      tax,
      refunded: 0,
      voided: false,
      waived: 0,
    });
  },

  async contestedSale() {
    await enterTestPayment(await contestedPayment(walk));
  },

  async mergedSale() {
    await enterTestPayment(await mergedPayment(walk));
  },

  /** Counts for clicks from then on. */
  async switchClick() {
    const { campaignId: id } = random.pick(referrals)!;
    const attribution = random.chance(0.5) ? 'last_click' : 'first_click';
    await api().campaigns.update({ id, attribution });
    if (attribution === 'last_click') walk.lastClick.add(id);
    else walk.lastClick.delete(id);
  },

  /** What referrals earn stays on the terms of their campaign. */
  async moveAffiliate() {
    const { campaignId } = random.pick(referrals)!;
    await api().affiliates.update({ id: random.pick(affiliates)!, campaign_id: campaignId, move_links: random.chance(0.5) });
  },

  async manual() {
    const affiliateId = random.pick(affiliates)!;
    const currency = random.pick(['USD', 'EUR'])!;
    const cents = random.chance(0.7) ? random.int(1, 4_000) : -random.int(1, 2_000);
    const days = random.int(-1, 2);
    const due_at = new Date(service.clock.now().getTime() + days * 86_400_000).toISOString();
    const { id } = await api().commissions.create({
      affiliate_id: affiliateId,
      amount_cents: cents,
      currency,
      note: 'By hand',
      due_at,
    });
    ledger.manual.set(id, { affiliateId, currency, livemode: true, cents });
  },

  async refund() {
    const sale = random.pick([...ledger.sales.values()].slice(-RECENT));
    if (!sale || sale.refunded === sale.charge) return;
    const rest = sale.charge - sale.refunded;
    const amount = random.chance(0.15) ? rest : random.int(1, Math.ceil(rest / 3));
    const told = testCharges.get(sale.id);
    if (told) {
      told.refunds.push(refund(told.paid, { amount }));
      await tell(wireEvent('charge.refunded', refundedCharge(told.paid, told.refunds)));
    } else {
      await api().tracking.recordRefund({
        external_id: sale.externalId,
        refund_id: `refund-${random.next()}`,
        amount_cents: amount,
      });
    }
    sale.refunded += amount;
    if (sale.voided) return;
    sale.waived = 0;
    sale.voided = (await api().commissions.get({ id: sale.commissionId })).state === 'voided';
  },

  async void() {
    const commission = await recentCommission();
    if (!commission || commission.state === 'voided') return;
    await api().commissions.void({ id: commission.id });
    noteVoided(commission);
  },

  async review() {
    const commission = await recentCommission();
    if (!commission) return;
    const review_action = random.weighted({ approve: 4, suspicious: 4, deactivate: 1 });
    await api().commissions.review({ id: commission.id, review_action });
    if (review_action !== 'deactivate') return;
    noteVoided(commission);
    if (commission.referral_id !== null) await api().referrals.update({ id: commission.referral_id, deactivated_at: null });
  },

  async markPaid() {
    const commission = await recentCommission();
    if (!commission) return;
    const { id, affiliate_id: affiliateId, currency, livemode, amount_cents: cents } = commission;
    await api().commissions.update({ id, paid_at: service.clock.instant() });
    ledger.paidByHand.set(id, { affiliateId, currency, livemode, cents });
  },

  async markUnpaid() {
    const id = random.pick([...ledger.paidByHand.keys()].slice(-RECENT));
    if (id === undefined) return;
    await api().commissions.update({ id, paid_at: null });
    ledger.paidByHand.delete(id);
  },

  async reschedule() {
    const commission = await recentCommission();
    if (!commission) return;
    const days = random.int(-2, 4);
    const due_at = new Date(service.clock.now().getTime() + days * 86_400_000).toISOString();
    await api().commissions.update({ id: commission.id, due_at });
  },

  async passTime() {
    service.clock.advance(random.int(1, 30), 'hours');
    await sweepDueCommissions(service.services);
  },

  async affiliateState() {
    const state = random.weighted({ active: 5, suspicious: 1, disabled: 1 });
    await api().affiliates.update({ id: random.pick(affiliates)!, state });
  },

  async wallet() {
    await api().affiliates.update({ id: random.pick(affiliates)!, walleta_email: random.chance(0.8) ? 'x@pay.example' : null });
  },

  async payByHand() {
    const payout = random.pick((await api().payouts.list({ limit: 100 })).data);
    if (payout) await api().payouts.pay({ id: payout.id });
  },

  async returnPayout() {
    const payout = random.pick((await api().payouts.list({ limit: 20, state: ['paid', 'returned'] })).data);
    if (!payout) return;
    await api().payouts.return({ id: payout.id, reason: 'Account closed' });
  },

  async export() {
    const livemode = random.chance(0.7);
    const eligible = (await api().payouts.list({ eligible: true, livemode })).data.map(({ id }) => id);
    const some = eligible.filter(() => random.chance(0.5));
    await api().payoutExports.create({ livemode, ...(random.chance(0.5) || some.length === 0 ? {} : { payout_ids: some }) });
  },

  async payExport() {
    const { data } = await api().payoutExports.list({});
    const one = random.pick(data);
    if (one) await api().payoutExports.pay({ payout_export_id: one.id });
    if (random.chance(0.2)) await advancePayoutExports(service.services);
  },

  async deleteExport() {
    const live = (await api().payoutExports.list({ limit: 100 })).data.filter(({ state }) => state === 'processing');
    const one = random.pick(live);
    if (one) await api().payoutExports.release({ id: one.id });
  },

  async run() {
    const affiliate_ids = random.chance(0.5) ? affiliates.filter(() => random.chance(0.6)) : [];
    const { id } = await api().payoutRuns.create({
      execute_now: random.chance(0.2),
      livemode: random.chance(0.7),
      ...(affiliate_ids.length > 0 ? { affiliate_ids } : {}),
    });
    runs.push(id);
  },

  async executeRun() {
    const id = random.pick(runs.slice(-6));
    if (id === undefined) return;
    await api().payoutRuns.execute({ id, async: random.chance(0.5) });
    if (random.chance(0.7)) await advancePayoutRuns(service.services);
  },

  async remediateRun() {
    const id = random.pick(runs.slice(-10));
    const remediation_action = random.weighted({ retry: 5, exclude: 2, cancel: 2 });
    if (id !== undefined) await api().payoutRuns.remediate({ id, remediation_action });
  },
};

const walk: Walk = {
  random,
  referrers: referrals,
  lastClick: new Set(),
  refer: async ({ affiliateId, campaignId }) =>
    (await api().referrals.create({ affiliate_id: affiliateId, campaign_id: campaignId })).id,
  mayEarn: async (id) => (await api().affiliates.get({ id })).state === 'active',
  now: () => Math.floor(service.clock.now().getTime() / 1_000),
  wait: () => service.clock.advance(2, 'seconds'),
  lead: async (referral_id, email) => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ referral_id, email });
    expect((await fetch(`${service.url}/track/leads`, { method: 'POST', headers, body })).status).toBe(200);
  },
  tell: (event) => tell(event),
  commissionOf: async (chargeId) => {
    const [row] = (
      await database.query<{ id: string; sale_id: string; affiliate_id: string; currency: string }>(
        `select commission.id, sale_id, commission.affiliate_id, commission.currency
          from commission join sale on sale.id = sale_id
          where commission.account_id = $1 and psp_charge_id = $2 and kind = 'sale' and state <> 'voided'`,
        [account.id, chargeId],
      )
    ).rows;
    return row ?? null;
  },
};

/** Checks who has earned from a test payment, and enters it into the ledger. */
async function enterTestPayment({ paid, earner }: Payment): Promise<void> {
  const commission = await walk.commissionOf(paid.id);
  expect(commission?.affiliate_id ?? null, 'who earns').toBe(earner?.affiliateId ?? null);
  if (!commission || !earner) return;
  const { id: commissionId, sale_id: id, currency } = commission;
  testCharges.set(id, { paid, refunds: [] });
  ledger.sales.set(id, {
    id,
    externalId: '',
    affiliateId: earner.affiliateId,
    livemode: false,
    commissionId,
    currency,
    terms: earner.terms,
    charge: paid.amount,
    tax: 0,
    refunded: 0,
    voided: false,
    waived: 0,
  });
}

async function recentCommission(): Promise<Commission | undefined> {
  const { data } = await api().commissions.list({ limit: RECENT });
  return random.pick(data);
}

/** Delivers an event of the payment provider, signed now. */
async function tell(event: ReturnType<typeof wireEvent>): Promise<void> {
  const response = await sendEvent(`${service.url}/psp/webhooks/${account.id}`, event, {
    secret: webhookSecret,
    timestamp: Math.floor(service.clock.now().getTime() / 1_000),
  });
  expect(response.status).toBe(200);
}

/** A voided sale earns nothing. A voided adjustment is reverted. */
function noteVoided({ id, kind, sale_id, adjusts_commission_id, amount_cents }: Commission): void {
  if (sale_id === null) {
    // Voiding a manual commission takes back what is left of it with its adjustments; voiding one of those takes back that one.
    const manual = ledger.manual.get(adjusts_commission_id ?? id)!;
    manual.cents = kind === 'manual' ? 0 : manual.cents - amount_cents;
    return;
  }
  const sale = ledger.sales.get(sale_id)!;
  if (kind === 'adjustment') sale.waived -= amount_cents;
  else Object.assign(sale, { voided: true, waived: 0 });
}

async function rows<Row>(query: string): Promise<Row[]> {
  return (await database.query(query, [account.id])).rows as Row[];
}

/** Invariants that hold after any operation. */
async function check(): Promise<void> {
  expect(
    (await api().payoutRuns.reconcile({ lookback_days: 3650 })).discrepancies.filter(({ code }) => code !== 'run_stuck'),
  ).toEqual([]);

  const notOnce = await rows(`
    select commission.id, commission.state, payout.status from commission
    left join payout_item item on item.commission_id = commission.id left join payout on payout.id = item.payout_id
    where commission.account_id = $1 and case
      when commission.state = 'due' and commission.review_status is distinct from 'suspicious' then payout.status is null or payout.status = 'paid'
      when commission.state = 'voided' then false
      when payout.status = 'paid' then commission.state <> 'paid'
      else payout.id is not null
    end`);
  expect(notOnce, 'commissions that are not where they belong').toEqual([]);

  const announced = await rows<{
    payout_id: string;
    affiliate_id: string;
    currency: string;
    livemode: boolean;
    cents: number;
    times: number;
  }>(`
    select subject_id as payout_id, (body::json -> 'data' ->> 'livemode')::boolean as livemode, body::json -> 'data' ->> 'affiliate_id' as affiliate_id, body::json -> 'data' ->> 'currency' as currency,
      (body::json -> 'data' ->> 'amount_cents')::int as cents, (count(*) over (partition by subject_id))::int as times
    from event where account_id = $1 and type = 'payout.paid'`);
  expect(announced.filter(({ times }) => times !== 1)).toEqual([]);
  const paid = await rows<{ id: string }>(`select id from payout where account_id = $1 and status in ('paid', 'returned')`);
  expect(announced.map(({ payout_id }) => payout_id).toSorted(byText)).toEqual(paid.map(({ id }) => id).toSorted(byText));

  const returned = await rows<{ payout_id: string; times: number }>(`
    select subject_id as payout_id, count(*)::int as times from event where account_id = $1 and type = 'payout.returned' group by subject_id`);
  expect(returned.filter(({ times }) => times !== 1)).toEqual([]);
  const gone = await rows<{ id: string }>(`select id from payout where account_id = $1 and status = 'returned'`);
  const returnedIds = new Set(returned.map(({ payout_id }) => payout_id));
  expect([...returnedIds].toSorted(byText)).toEqual(gone.map(({ id }) => id).toSorted(byText));

  const outstanding = await rows<{ affiliate_id: string; currency: string; livemode: boolean; cents: number }>(`
    select affiliate_id, currency, livemode, amount_cents::int as cents from payout where account_id = $1 and status in ('open', 'open_test', 'processing')
    union all
    select affiliate_id, currency, livemode, amount_cents::int from commission
    where account_id = $1 and state in ('pending', 'due') and not exists (select from payout_item where commission_id = commission.id)`);
  const money = ledger.handPaid();
  const kept = announced.filter(({ payout_id }) => !returnedIds.has(payout_id));
  for (const { affiliate_id: affiliateId, ...amount } of [...kept, ...outstanding]) add(money, { affiliateId, ...amount });
  expect(withoutZeros(money), 'paid and outstanding, against what the sales are worth').toEqual(withoutZeros(ledger.earned()));
}

function withoutZeros(sums: Map<string, number>): Map<string, number> {
  return new Map([...sums].filter(([, cents]) => cents !== 0));
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}

const WEIGHTS: Record<keyof typeof operations, number> = {
  sale: 12,
  testSale: 5,
  contestedSale: 4,
  mergedSale: 3,
  switchClick: 2,
  moveAffiliate: 2,
  manual: 5,
  refund: 22,
  void: 6,
  review: 8,
  markPaid: 4,
  markUnpaid: 3,
  reschedule: 4,
  passTime: 8,
  affiliateState: 3,
  wallet: 2,
  payByHand: 20,
  returnPayout: 5,
  export: 6,
  payExport: 6,
  deleteExport: 5,
  run: 4,
  executeRun: 5,
  remediateRun: 3,
};

it(
  `keeps every cent, through ${OPERATIONS} random operations with seed ${SEED}`,
  { timeout: Math.max(600_000, OPERATIONS * 600) },
  async () => {
    process.stdout.write(`PAYOUT_SEED=${SEED}\n`);
    for (let count = 1; count <= OPERATIONS; count += 1) {
      service.clock.advance(1, 'seconds');
      const name = random.weighted(WEIGHTS);
      try {
        await operations[name]();
        done[name] = (done[name] ?? 0) + 1;
      } catch (error) {
        if (!REFUSALS.includes(toEnvelope(error).body.code)) throw error;
      }
      if (count % CHECK_EVERY === 0) await check();
    }
    if (OPERATIONS > 1_000) process.stdout.write(`${JSON.stringify(done)}\n`);
    for (const name of Object.keys(operations)) expect(done[name], `${name} succeeded at times`).toBeGreaterThan(0);
  },
);
