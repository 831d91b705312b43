import { equal } from 'node:assert/strict';
import { appRouter, createCallerFactory } from '@affiliate/core';
import type { inferRouterOutputs } from '@trpc/server';
import type { Pool } from 'pg';
import type { Merchant, PspTestService } from '../psp/service.ts';
import {
  type charge,
  coupon,
  type creditNote,
  type dispute,
  type invoice,
  promotionCode,
  type refund,
  sendEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { Random } from '../support/random.ts';
import { Ledger, type LedgerSale } from './ledger.ts';

export type Commission = inferRouterOutputs<typeof appRouter>['commissions']['list']['data'][number];

/** Operations choose among this many of the newest records, so that many operations affect the same record. */
export const RECENT = 8;

/** An affiliate, with the campaign and the terms of one of the affiliate's referrals. */
export interface Referrer {
  affiliateId: string;
  campaignId: string;
  terms: LedgerSale['terms'];
}

/** A sale that the provider has announced, with its refunds and credit notes. */
export interface ToldSale {
  paid: ReturnType<typeof charge>;
  /** The invoice of the charge, or null. Only a charge with an invoice can have credit notes. */
  bill: ReturnType<typeof invoice> | null;
  refunds: ReturnType<typeof refund>[];
  notes: { note: ReturnType<typeof creditNote>; refunded: number; tax: number }[];
  /** The open dispute of the charge, or null. */
  dispute: ReturnType<typeof dispute> | null;
}

/** The terms of the campaigns: a percentage that yields odd cents, a fixed amount, and the percentage of a campaign with a minimum payout. */
const TERMS = [{ percent: 12.35 }, { fixed: 777 }, { percent: 33.33 }] as const;

const createCaller = createCallerFactory(appRouter);

/** The state of a random walk through one account: its records and the expected amounts. */
export class Walk {
  readonly random: Random;
  readonly ledger = new Ledger();
  readonly affiliates: string[] = [];
  /** Each affiliate has two referrals, both in the affiliate's first campaign. */
  readonly referrals: (Referrer & { id: string })[] = [];
  readonly codes = new Map<string, string>();
  /** Terms by campaign. */
  readonly terms = new Map<string, LedgerSale['terms']>();
  readonly campaignOf = new Map<string, string>();
  /** The campaign of each affiliate's code. */
  readonly campaignOfCode = new Map<string, string>();
  /** Campaigns that attribute sales to the last click. */
  readonly lastClick = new Set<string>();
  codeBeforeLink = false;
  readonly runs: string[] = [];
  /** Sales that the provider has announced, by id. */
  readonly told = new Map<string, ToldSale>();
  /** The operations that have succeeded, by name: how many times, and the total duration in milliseconds. */
  readonly done = new Map<string, { times: number; ms: number }>();
  readonly service: PspTestService;
  readonly database: Pool;
  readonly live: boolean;
  #merchant!: Merchant;

  /** @param live whether the payment provider is connected in live mode */
  constructor(options: { service: PspTestService; database: Pool; seed: number; live: boolean }) {
    this.service = options.service;
    this.database = options.database;
    this.random = new Random(options.seed);
    this.live = options.live;
  }

  async start(): Promise<void> {
    this.#merchant = await this.service.createMerchant(this.live ? 'live' : 'test');
    await this.#merchant.connect();
    this.#merchant.psp.records.coupons.push(coupon({ id: 'SPRING', livemode: this.live }));
    const common = { url: 'https://shop.example.com', days_until_commissions_are_due: 0 };
    const inputs = [
      { ...common, name: 'A', reward_type: 'percent' as const, commission_percent: 12.35, days_until_commissions_are_due: 3 },
      { ...common, name: 'B', reward_type: 'fixed' as const, commission_amount_cents: 777 },
      { ...common, name: 'C', reward_type: 'percent' as const, commission_percent: 33.33, minimum_payout_cents: 5_000 },
    ];
    for (const [index, input] of inputs.entries()) {
      const { id: campaignId } = await this.api().campaigns.create(input);
      const terms = TERMS[index]!;
      this.terms.set(campaignId, terms);
      for (let i = 0; i < 3; i += 1) await this.#engage(`${input.name}${i}`, { campaignId, terms });
    }
  }

  async #engage(name: string, { campaignId, terms }: Omit<Referrer, 'affiliateId'>): Promise<void> {
    const { id: affiliateId } = await this.api().affiliates.create({
      email: `${name}@example.com`,
      campaign_id: campaignId,
      walleta_email: `${name}@pay.example`,
    });
    this.affiliates.push(affiliateId);
    for (let i = 0; i < 2; i += 1) {
      const referrer = { affiliateId, campaignId, terms };
      this.referrals.push({ id: await this.refer(referrer), ...referrer });
    }
    const promotion = { type: 'coupon', coupon: 'SPRING' } as const;
    const code = promotionCode({ code: `CODE${name}`, promotion, livemode: this.live });
    this.#merchant.psp.records.promotionCodes.push(code);
    const { status } = await this.#merchant.api.post(
      `/affiliates/${affiliateId}/promo_codes`,
      { psp_promotion_code_id: code.id, dry_run: false },
      { 'Idempotency-Key': code.id },
    );
    equal(status, 201);
    this.codes.set(affiliateId, code.id);
    this.campaignOf.set(affiliateId, campaignId);
    this.campaignOfCode.set(affiliateId, campaignId);
  }

  get accountId(): string {
    return this.#merchant.id;
  }

  api() {
    return createCaller({
      services: this.service.services,
      requestId: 'invariants',
      principal: { kind: 'system', account_id: this.accountId },
      surface: 'v1',
      reply: {},
    });
  }

  async refer({ affiliateId, campaignId }: Pick<Referrer, 'affiliateId' | 'campaignId'>): Promise<string> {
    return (await this.api().referrals.create({ affiliate_id: affiliateId, campaign_id: campaignId })).id;
  }

  async mayEarn(affiliateId: string): Promise<boolean> {
    return ['active', 'suspicious'].includes((await this.api().affiliates.get({ id: affiliateId })).state);
  }

  /** Returns the reason why a commission that the affiliate earns now is flagged, or null. */
  async reviewReasonNow(affiliateId: string): Promise<'suspicious_affiliate' | null> {
    return (await this.api().affiliates.get({ id: affiliateId })).state === 'suspicious' ? 'suspicious_affiliate' : null;
  }

  /** Returns the current time of the test's clock in seconds. */
  now(): number {
    return Math.floor(this.service.clock.now().getTime() / 1_000);
  }

  wait(): void {
    this.service.clock.advance(2, 'seconds');
  }

  /** Delivers an event of the payment provider with a fresh signature. */
  async tell(event: WireEvent): Promise<void> {
    const url = `${this.service.url}/psp/webhooks/${this.accountId}`;
    const told = { ...event, livemode: this.live };
    const response = await sendEvent(url, told, { secret: this.#merchant.webhookSecret, timestamp: this.now() });
    equal(response.status, 200);
  }

  /** Delivers events in random order. */
  async tellInAnyOrder(events: WireEvent[]): Promise<void> {
    const rest = [...events];
    while (rest.length > 0) await this.tell(rest.splice(this.random.int(0, rest.length - 1), 1)[0]!);
  }

  async rows<Row>(query: string, ...values: unknown[]): Promise<Row[]> {
    return (await this.database.query(query, [this.accountId, ...values])).rows as Row[];
  }

  /** Returns the commission of a charge, or null if the charge earned nothing. */
  async commissionOf(chargeId: string) {
    const [row] = await this.rows<{
      id: string;
      sale_id: string;
      affiliate_id: string;
      currency: string;
      review_reason: string | null;
    }>(
      `select commission.id, sale_id, commission.affiliate_id, commission.currency, review_reason
      from commission join sale on sale.id = sale_id
      where commission.account_id = $1 and names[1] = 'charge:' || $2 and kind = 'sale' and state <> 'voided'`,
      chargeId,
    );
    return row ?? null;
  }

  /** Expects the given affiliate, or nobody, to have earned from a charge of the provider. Enters the sale into the ledger. */
  async enter(
    earner: Referrer | null,
    { paid, bill = null, tax = 0 }: Pick<ToldSale, 'paid'> & { bill?: ToldSale['bill']; tax?: number },
  ) {
    const commission = await this.commissionOf(paid.id);
    equal(commission?.affiliate_id ?? null, earner?.affiliateId ?? null, 'who earns');
    if (!commission || !earner) return null;
    const { id: commissionId, sale_id: id, currency } = commission;
    const { affiliateId, terms } = earner;
    this.told.set(id, { paid, bill, refunds: [], notes: [], dispute: null });
    this.ledger.enter({ id, affiliateId, livemode: this.live, commissionId, currency, terms, charge: paid.amount, tax });
    return commission;
  }

  async recentCommission(): Promise<Commission | undefined> {
    const { data } = await this.api().commissions.list({ limit: RECENT });
    return this.random.pick(data);
  }

  recentSale(): LedgerSale | undefined {
    return this.random.pick([...this.ledger.sales.values()].slice(-RECENT));
  }

  /**
   * Enters a voided commission in the ledger. If it is the commission of a sale, the sale earns nothing. If it is an adjustment, its amount is
   * reverted.
   */
  noteVoided({ id, kind, sale_id, adjusts_commission_id, amount_cents }: Commission): void {
    if (sale_id === null) {
      // Voiding a manual commission also cancels its adjustments. Voiding one of its adjustments cancels only that adjustment.
      const manual = this.ledger.manual.get(adjusts_commission_id ?? id)!;
      manual.cents = kind === 'manual' ? 0 : manual.cents - amount_cents;
      return;
    }
    const sale = this.ledger.sales.get(sale_id)!;
    if (kind === 'adjustment') sale.waived -= amount_cents;
    else Object.assign(sale, { voided: true, waived: 0 });
  }
}
