import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
/**
 * Runs stories of a customer and two affiliates in any order (docs/rules/attribution.md#order-of-facts), as the provider's events and the merchant's
 * reports. Each run of a story has its own customer, so that thousands of runs fit into one account.
 */
import { receivePspEvent, toEnvelope } from '@affiliate/core';
import {
  type charge,
  coupon,
  customer,
  newId,
  promotionCode,
  signedDelivery,
  wireEvent,
  type WireEvent,
} from '../support/psp-server/index.ts';
import { createAffiliate, createProgram, type Program } from './fixtures.ts';
import type { Merchant, PspTestService } from './service.ts';
import { at, type Buyer, instantOf, namesOf, tellFact } from './story-events.ts';
import { type Fact, hasSecondId, isSplit, randomFrom, type Setting, type Who } from './story-facts.ts';

const ORDINARY: Setting = { maxCommissions: null };

interface Cast {
  merchant: Merchant;
  program: Program;
  affiliates: Record<Who, string>;
  codes: Record<Who, { id: string; code: string }>;
}

/** One run of a story. `events` has one function per event, which sends the event. */
interface Telling {
  buyer: Buyer;
  events: (() => Promise<void>)[];
  /** For each sale, the index of its fact in the story. Keyed by the charge id or by the merchant's sale id. */
  placeOf: Map<string, number>;
}

/** Accounts that receive the events of stories: one per mode and rule for codes. */
export class Stage {
  readonly #service: PspTestService;
  readonly #first: Merchant;
  readonly #merchants = new Map<string, Promise<Merchant>>();
  readonly #casts = new Map<string, Promise<Cast>>();
  /** Number of events sent so far, and of payouts that were paid or returned in between. */
  events = 0;
  payouts = 0;
  /** Number of runs in which a payment contradicts a later fact. `unmentioned` counts those with a sale of an unknown customer. */
  contested = 0;
  unmentioned = 0;

  /** @param merchant for stories in test mode whose account does not prefer codes to links; for other stories, this class creates merchants */
  constructor(service: PspTestService, merchant: Merchant) {
    this.#service = service;
    this.#first = merchant;
  }

  /** Returns two affiliates of one campaign with these terms, each with a code. Creates them on the first call with these terms. */
  cast(setting: Setting = ORDINARY): Promise<Cast> {
    const { maxCommissions, lastClick = false, codeBeforeLink = false, live = false } = setting;
    const key = JSON.stringify([maxCommissions, lastClick, codeBeforeLink, live]);
    const known = this.#casts.get(key) ?? this.#engage({ maxCommissions, lastClick, codeBeforeLink, live });
    this.#casts.set(key, known);
    return known;
  }

  #merchant({ codeBeforeLink, live }: Setting): Promise<Merchant> {
    const key = JSON.stringify([codeBeforeLink, live]);
    const known = this.#merchants.get(key) ?? this.#found({ codeBeforeLink, live, maxCommissions: null });
    this.#merchants.set(key, known);
    return known;
  }

  async #found({ codeBeforeLink, live }: Setting): Promise<Merchant> {
    if (!codeBeforeLink && !live) return this.#first;
    const merchant = await this.#service.createMerchant(live ? 'live' : 'test');
    await merchant.connect();
    await this.#service.services.database.kysely
      .updateTable('account')
      .set({ code_before_link: codeBeforeLink === true })
      .where('id', '=', merchant.id)
      .execute();
    return merchant;
  }

  async #engage(setting: Setting): Promise<Cast> {
    const merchant = await this.#merchant(setting);
    const { psp, api } = merchant;
    const program = await createProgram(merchant);
    await merchant.call().campaigns.update({
      id: program.campaignId,
      max_commissions: setting.maxCommissions,
      attribution: setting.lastClick ? 'last_click' : 'first_click',
    });
    // The story happens in the past, under these terms.
    const { kysely } = this.#service.services.database;
    await kysely.deleteFrom('campaign_terms').where('campaign_id', '=', program.campaignId).execute();
    await kysely.updateTable('campaign').set({ terms_changed_at: null }).where('id', '=', program.campaignId).execute();
    const affiliates = { A: program.affiliateId, B: await createAffiliate(merchant, program.campaignId) };
    const livemode = setting.live === true;
    if (psp.records.coupons.length === 0) psp.records.coupons.push(coupon({ id: 'SPRING', livemode }));
    const codes = { A: { id: '', code: '' }, B: { id: '', code: '' } };
    for (const who of ['A', 'B'] as const) {
      const made = promotionCode({ code: newId(who).toUpperCase(), promotion: { type: 'coupon', coupon: 'SPRING' }, livemode });
      psp.records.promotionCodes.push(made);
      const { status } = await api.post(
        `/affiliates/${affiliates[who]}/promo_codes`,
        { psp_promotion_code_id: made.id, dry_run: false },
        { 'Idempotency-Key': made.id },
      );
      equal(status, 201);
      codes[who] = { id: made.id, code: made.code };
    }
    return { merchant, program, affiliates, codes };
  }

  /** Creates the referral of a visit on a past day. */
  async visited({ merchant, affiliates, program }: Cast, who: Who, day: number): Promise<string> {
    // Visits in the same second are ordered by id, so the id begins with the affiliate: the order is then the same in each run.
    const id = `ref_${who.toLowerCase()}${crypto.randomUUID().replaceAll('-', '').slice(0, 25)}`;
    await this.#service.services.database.kysely
      .insertInto('referral')
      .values({
        id,
        account_id: merchant.id,
        affiliate_id: affiliates[who],
        campaign_id: program.campaignId,
        conversion_state: 'visitor',
        metadata: {},
        expires_at: instantOf(day + 60),
        created_at: instantOf(day),
        updated_at: instantOf(day),
      })
      .execute();
    return id;
  }

  /** Delivers an event with the provider's signature, but without HTTP. */
  async #deliver({ id: accountId, webhookSecret: secret }: Merchant, event: WireEvent): Promise<void> {
    const timestamp = Math.floor(this.#service.clock.now().getTime() / 1_000);
    const { body, headers } = signedDelivery(event, { secret, timestamp });
    const outcome = await receivePspEvent(this.#service.services, {
      accountId,
      readBody: () => Promise.resolve(new TextEncoder().encode(body)),
      signatureHeader: headers['stripe-signature'],
      requestId: 'story',
    });
    // The outcome may be that the event is ignored, e.g. an invoice of 0.00.
    notEqual(outcome, 'duplicate');
  }

  /** Prepares a run of a story with a new customer. */
  async #tell(cast: Cast, story: readonly Fact[], live: boolean): Promise<Telling> {
    const buyer = { id: newId('cus'), secondId: newId('cus'), email: `${newId('x')}@buyer.example` };
    const telling: Telling = { buyer, events: [], placeOf: new Map() };
    const visits = new Map<string, string>();
    const charges = new Map<number, ReturnType<typeof charge>>();
    const tell = (event: WireEvent) => void telling.events.push(() => this.#deliver(cast.merchant, { ...event, livemode: live }));
    for (const [place, fact] of story.entries()) {
      const day = fact.visit ?? fact.day - 1;
      const visit = `${fact.link}${day}`;
      if (fact.link && !visits.has(visit)) visits.set(visit, await this.visited(cast, fact.link, day));
      const referral = visits.get(visit) ?? null;
      if (fact.kind === 'report') {
        this.#tellReport(telling, { cast, buyer, fact, place, referral, known: charges.get(fact.same ?? -1) });
        continue;
      }
      const paid = tellFact({ codes: cast.codes, buyer, fact, place, referral, tell });
      if (paid === null) continue;
      charges.set(place, paid);
      telling.placeOf.set(paid.id, place);
    }
    if (isSplit(story)) {
      const complete = customer({ id: buyer.id, email: buyer.email, name: 'Ann Buyer' });
      tell(wireEvent('customer.updated', complete, { created: at(1), previous: { email: null } }));
    }
    if (hasSecondId(story))
      tell(wireEvent('customer.created', customer({ id: buyer.secondId, email: buyer.email }), { created: at(1) }));
    return telling;
  }

  /** Adds the merchant's reports of a sale and of its refund. A refund that comes before its sale is refused, and is sent again later. */
  #tellReport(
    { events, placeOf }: Telling,
    {
      cast,
      buyer,
      fact,
      place,
      referral,
      known,
    }: {
      cast: Cast;
      buyer: Buyer;
      fact: Extract<Fact, { kind: 'report' }>;
      place: number;
      referral: string | null;
      known: ReturnType<typeof charge> | undefined;
    },
  ): void {
    const { tracking } = cast.merchant.call();
    // Makes ids sort in the order of the story's facts, so that charges in the same second have the same order in each run.
    const external_id = `r${String(place).padStart(3, '0')}${newId('x')}`;
    const { email, id } = namesOf(fact.known, buyer);
    const code = fact.code ? cast.codes[fact.code].code : null;
    // A report without email address, customer id, referral or code cannot be connected with the customer. It is sent with the provider's customer
    // id.
    const isNameless = !email && !id && !referral && !code;
    if (!known) placeOf.set(external_id, place);
    events.push(async () => {
      await tracking.recordSale({
        external_id,
        amount_cents: fact.amount,
        tax_amount_cents: fact.tax ?? 0,
        currency: 'USD',
        charged_at: instantOf(fact.day),
        referral_id: referral,
        customer_email: email,
        psp_customer_id: isNameless ? buyer.id : id,
        promo_code: code,
        psp_charge_id: known?.id ?? null,
      });
    });
    const { refunded } = fact;
    if (!refunded || known) return;
    events.push(async () => {
      await tracking.recordRefund({ external_id, refund_id: `${external_id}-back`, amount_cents: refunded });
    });
  }

  /** Returns what each affiliate earned from each fact, adjustments included, as `index affiliate mode cents`. */
  async #earnings({ affiliates }: Cast, { placeOf }: Telling): Promise<string[]> {
    if (placeOf.size === 0) return [];
    const names = [...placeOf.keys()];
    const rows = await this.#service.services.database.kysely
      .selectFrom('commission')
      .innerJoin('sale', 'sale.id', 'commission.sale_id')
      .leftJoin('payout_item', 'payout_item.commission_id', 'commission.id')
      .select(['psp_charge_id', 'sale.external_id', 'commission.affiliate_id', 'commission.livemode', 'state', 'amount_cents'])
      .where((is) => is.or([is('psp_charge_id', 'in', names), is('sale.external_id', 'in', names)]))
      .where((is) => is.or([is('state', '!=', 'voided'), is('paid_at', 'is not', null), is('payout_id', 'is not', null)]))
      .execute();
    const cents = new Map<string, number>();
    for (const row of rows) {
      const place = placeOf.get(row.psp_charge_id ?? '') ?? placeOf.get(row.external_id ?? '');
      const key = `${place} ${row.affiliate_id === affiliates.A ? 'A' : 'B'} ${row.livemode ? 'live' : 'test'}`;
      cents.set(key, (cents.get(key) ?? 0) + row.amount_cents);
    }
    return [...cents].flatMap(([key, sum]) => (sum === 0 ? [] : [`${key} ${sum}`])).toSorted();
  }

  /** Returns the sales whose payment contradicts the facts: the index of the fact, who was paid, and whether the commission is still paid. */
  async #contested({ affiliates }: Cast, { placeOf }: Telling): Promise<{ place: number; who: Who; isPaid: boolean }[]> {
    const names = [...placeOf.keys()];
    if (names.length === 0) return [];
    const rows = await this.#service.services.database.kysely
      .selectFrom('commission')
      .innerJoin('sale', 'sale.id', 'commission.sale_id')
      .select(['psp_charge_id', 'sale.external_id', 'commission.affiliate_id', 'commission.livemode', 'sale.livemode as mode'])
      .select(['state', 'superseded', 'contested'])
      .where((is) => is.or([is('psp_charge_id', 'in', names), is('sale.external_id', 'in', names)]))
      .where('kind', '=', 'sale')
      .execute();
    const isTaken = rows.some(
      ({ state, superseded, livemode, mode }) => state === 'paid' && superseded && livemode === (mode ?? true),
    );
    if (isTaken) throw new Error('A fact took a paid commission back.');
    return rows
      .filter(({ contested, superseded, state }) => contested !== null && !superseded && state !== 'voided')
      .map(({ psp_charge_id, external_id, affiliate_id, state }) => ({
        place: (placeOf.get(psp_charge_id ?? '') ?? placeOf.get(external_id ?? ''))!,
        who: affiliate_id === affiliates.A ? 'A' : 'B',
        isPaid: state === 'paid',
      }));
  }

  /**
   * Checks a run with payments against the run without payments (docs/rules/attribution.md#paid-commissions): if no payment contradicts the facts, the
   * earnings are the same. Otherwise those who were paid keep the whole amount, and the earnings are the same after all payouts are returned and the
   * customer is mentioned again.
   */
  async #checkPayments(cast: Cast, telling: Telling, { expected, live }: { expected: string[]; live: boolean }): Promise<void> {
    const contested = await this.#contested(cast, telling);
    const earnings = await this.#earnings(cast, telling);
    if (contested.length === 0) return deepEqual(earnings, expected);
    this.contested += 1;
    for (const { place, who } of contested) {
      const ofPlace = (lines: string[]) => lines.filter((line) => line.startsWith(`${place} `)).map((line) => line.split(' '));
      const [first, ...others] = ofPlace(earnings);
      const [byFacts] = ofPlace(expected);
      deepEqual(others, []);
      if (first) equal(first[1], who);
      if (byFacts) equal(first?.[3], byFacts[3]);
    }
    const { payouts } = cast.merchant.call();
    for (const affiliate_id of Object.values(cast.affiliates)) {
      const { data } = await payouts.list({ affiliate_id, state: ['paid'], limit: 100 });
      for (const { id } of data) await payouts.return({ id, reason: 'Bounced' });
    }
    const { id, email } = telling.buyer;
    const mention = wireEvent('customer.updated', customer({ id, email }), { created: at(1) });
    await this.#deliver(cast.merchant, { ...mention, livemode: live });
    // A sale of an unknown customer is not decided again, because nothing mentioned that customer.
    if ((await this.#contested(cast, telling)).length === 0) deepEqual(await this.#earnings(cast, telling), expected);
    else this.unmentioned += 1;
  }

  /** Pays an affiliate's open payouts, or marks paid payouts as returned. */
  async #settle({ merchant, affiliates }: Cast, random: () => number): Promise<void> {
    const { payouts } = merchant.call();
    const affiliate_id = affiliates[random() < 0.5 ? 'A' : 'B'];
    const isPayment = random() < 0.7;
    const state = isPayment ? (['pending', 'due'] as const) : (['paid'] as const);
    const { data } = await payouts.list({ affiliate_id, state: [...state], limit: 2 });
    for (const { id, amount_cents } of data) {
      if (isPayment && amount_cents <= 0) continue;
      if (isPayment) await payouts.pay({ id });
      else await payouts.return({ id, reason: 'Bounced' });
      this.payouts += 1;
    }
  }

  /**
   * Runs a story once for each order of events that `ordersOf` returns. Returns the earnings. Throws if two orders yield different earnings. If there
   * are payouts during the story, first runs it without them, and throws if the payouts change more than they may (`#checkPayments`).
   */
  async inOrders(setting: Setting, story: readonly Fact[], ordersOf: (events: number) => readonly number[][]): Promise<string[]> {
    const cast = await this.cast(setting);
    const results: string[][] = [];
    const live = setting.live === true;
    const probability = setting.payouts ?? 0;
    const first = await this.#tell(cast, story, live);
    const orders = ordersOf(first.events.length);
    const rounds = probability === 0 ? orders : [orders[0]!, ...orders];
    for (const [round, order] of rounds.entries()) {
      const telling = round === 0 ? first : await this.#tell(cast, story, live);
      const isPaid = round > 0 && probability > 0;
      const random = randomFrom(round);
      const queue = order.map((i) => telling.events[i]!);
      for (let tries = 0; queue.length > 0; tries += 1) {
        const tellNext = queue.shift()!;
        if (await isTooEarly(tellNext())) queue.push(tellNext);
        else this.events += 1;
        if (tries > 50) throw new Error('A refund was refused although its sale had been reported.');
        if (isPaid && random() < probability) await this.#settle(cast, random);
      }
      if (isPaid) {
        try {
          await this.#checkPayments(cast, telling, { expected: results[0]!, live });
        } catch (error) {
          throw new Error(failure(story, { setting, order, round, error: String(error) }), { cause: error });
        }
        continue;
      }
      results.push(await this.#earnings(cast, telling));
      if (!isDeepStrictEqual(results[round], results[0]))
        throw new Error(failure(story, { setting, order, results: [results[0], results[round]] }));
    }
    return results[0]!;
  }
}

/** Returns true if the call was refused because a refund came before its sale. */
async function isTooEarly(told: Promise<void>): Promise<boolean> {
  try {
    await told;
    return false;
  } catch (error) {
    const { code, details } = toEnvelope(error).body;
    if (code === 'VALIDATION_ERROR' && JSON.stringify(details).includes('not_found')) return true;
    throw error;
  }
}

function failure(story: readonly Fact[], end: object): string {
  return ['The order changes the earnings.', ...[...story, end].map((part) => JSON.stringify(part))].join('\n');
}
