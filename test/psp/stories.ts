import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
/**
 * Runs stories of a customer and two affiliates in any order (docs/rules/attribution.md#order-of-facts), as the provider's events and the merchant's
 * reports. Each run of a story has its own customer, so that thousands of runs fit into one account.
 */
import { receivePspEvent, toEnvelope } from '@affiliate/core';
import { settleDueDecisionsOf } from '../../packages/core/src/attribution/settle-decisions.ts';
import { sweepDueOf } from '../../packages/core/src/ledger/earning/sweep-due.ts';
import { customer, newId, signedDelivery, wireEvent, type WireEvent } from '../support/psp-server/index.ts';
import type { Merchant, PspTestService } from './service.ts';
import { type Cast, Casts } from './story-cast.ts';
import { at, type Buyer, instantOf, namesOf, tellFact, type ToldPayment } from './story-events.ts';
import { type Fact, hasSecondId, isAbout, isSplit, randomFrom, type Setting, type Who } from './story-facts.ts';
import { answerOf, perform } from './story-moments.ts';
import { snapshotsOf } from './story-orders.ts';
import { CHARGE_OF_SALE, type Outcome, Outcomes } from './story-outcome.ts';
import { ToyShop } from './toy_source/toy-shop.ts';

/** An event of a story, with the second in which it happened. */
interface StoryEvent {
  second: number;
  /** True if it is known at once, so that it comes before everything that happens later. */
  isMoment: boolean;
  /** The index of the fact whose payment the event states, and that of the fact whose payment must be known before. */
  pays: number | null;
  needs: number | null;
  send: () => Promise<void>;
}

/** One run of a story. */
interface Telling {
  buyer: Buyer;
  events: StoryEvent[];
  /** For each sale, the index of its fact in the story. Keyed by the charge id or by the merchant's sale id. */
  placeOf: Map<string, number>;
  visits: Map<string, string>;
  /** The answers to what persons did, by the index of the fact. */
  answers: Map<number, string>;
}

/** Accounts that receive the events of stories: one per mode and rule for codes. */
export class Stage {
  readonly casts: Casts;
  readonly #service: PspTestService;
  readonly #outcomes: Outcomes;
  readonly #toyShops = new Map<string, Promise<ToyShop>>();
  /** Number of orders told and events sent so far, and of payouts that were paid or returned in between. */
  orders = 0;
  events = 0;
  payouts = 0;
  /** Number of runs in which a payment contradicts a later fact. `unmentioned` counts those with a sale of an unknown customer. */
  contested = 0;
  unmentioned = 0;

  /** @param merchant see `Casts` */
  constructor(service: PspTestService, merchant: Merchant) {
    this.#service = service;
    this.casts = new Casts(service, merchant);
    this.#outcomes = new Outcomes(service.services.database.kysely);
  }

  /** Delivers an event with the provider's signature, but without HTTP. */
  async #deliver({ id: accountId, webhookSecret: secret }: Merchant, event: WireEvent): Promise<void> {
    const timestamp = Math.floor(this.#service.clock.now().getTime() / 1_000);
    const { body, headers } = signedDelivery(event, { secret, timestamp });
    const outcome = await receivePspEvent(this.#service.services, {
      to: { accountId },
      readBody: () => Promise.resolve(new TextEncoder().encode(body)),
      header: (name) => headers[name as keyof typeof headers],
      requestId: 'story',
    });
    // The outcome may be that the event is ignored, e.g. an invoice of 0.00.
    notEqual(outcome, 'duplicate');
  }

  /** Prepares a run of a story with a new customer. */
  async #tell(cast: Cast, story: readonly Fact[], { live = false, apart = false }: Setting): Promise<Telling> {
    const email = `${newId('x')}@buyer.example`;
    const buyer = { id: newId('cus'), secondId: newId('cus'), email, ownId: newId('own'), shopEmail: `shop.${email}` };
    const telling: Telling = { buyer, events: [], placeOf: new Map(), visits: new Map(), answers: new Map() };
    const payments = new Map<number, ToldPayment>();
    const tellIn = (livemode: boolean, place: number | null) => (event: WireEvent) =>
      void telling.events.push({
        second: event.created,
        isMoment: false,
        pays: event.type === 'charge.succeeded' || event.type === 'invoice.paid' ? place : null,
        needs: null,
        send: () => this.#deliver(cast.merchant, { ...event, livemode }),
      });
    const tell = tellIn(live, null);
    for (const [place, fact] of story.entries()) {
      const day = fact.visit ?? fact.day - 1;
      const visit = `${fact.link} ${day}${fact.off === undefined ? '' : ` off ${fact.off.join('-')}`}`;
      if (fact.link && !telling.visits.has(visit))
        telling.visits.set(visit, await this.casts.visited(cast, { who: fact.link, day, off: fact.off }));
      const referral = telling.visits.get(visit) ?? null;
      if (fact.kind === 'report') {
        this.#tellReport(telling, { cast, buyer, fact, place, referral, known: payments.get(fact.same ?? -1) });
        continue;
      }
      if (fact.kind === 'order') {
        await this.#tellOrder(telling, { cast, buyer, fact, place, referral });
        continue;
      }
      if (fact.kind === 'lead') {
        const { tracking } = this.casts.at(cast.merchant, fact.day);
        const send = async () => void (await tracking.recordLead({ referral_id: referral!, email }));
        telling.events.push({ second: at(fact.day), isMoment: true, pays: null, needs: null, send });
        continue;
      }
      if (fact.kind === 'moment') {
        const scene = { casts: this.casts, outcomes: this.#outcomes, cast, told: telling, referral };
        const send = async () => void telling.answers.set(place, await perform(fact, scene));
        telling.events.push({ second: at(fact.day), isMoment: true, pays: null, needs: isAbout(fact) ? fact.of : null, send });
        continue;
      }
      const { records } = cast.merchant.psp;
      const tellHere = tellIn(fact.kind === 'stray' ? !live : live, place);
      const paid = tellFact({ ...cast, buyer, fact, place, referral, records, tell: tellHere });
      if (paid === null) continue;
      payments.set(place, paid);
      telling.placeOf.set(paid.paid.id, place);
    }
    if (apart) return telling;
    if (isSplit(story)) {
      const metadata = { customer_id: buyer.ownId };
      const complete = customer({ id: buyer.id, email: buyer.email, name: 'Ann Buyer', metadata });
      tell(wireEvent('customer.updated', complete, { created: at(1), previous: { email: null } }));
    }
    if (hasSecondId(story))
      tell(wireEvent('customer.created', customer({ id: buyer.secondId, email: buyer.email }), { created: at(1) }));
    return telling;
  }

  /** Adds what the toy shop tells of an order. */
  async #tellOrder(
    { events, placeOf }: Telling,
    {
      cast,
      buyer,
      fact,
      place,
      referral,
    }: { cast: Cast; buyer: Buyer; fact: Extract<Fact, { kind: 'order' }>; place: number; referral: string | null },
  ): Promise<void> {
    const { id } = cast.merchant;
    const shop = this.#toyShops.get(id) ?? ToyShop.connect(this.#service, id);
    this.#toyShops.set(id, shop);
    const connected = await shop;
    // Makes ids sort in the order of the story's facts, so that charges in the same second have the same order in each run.
    const number = `${String(place).padStart(3, '0')}${newId('x')}`;
    placeOf.set(number, place);
    const code = fact.code ? cast.codes[fact.code].code : null;
    for (const { second, order } of snapshotsOf(fact, { number, buyer, referral, code }))
      events.push({ second, isMoment: false, pays: place, needs: null, send: () => connected.receive(order) });
  }

  /** Adds the merchant's reports of a sale and of its refund. A refund that comes before its sale is refused, and is sent again later. */
  #tellReport(
    { events, placeOf, answers }: Telling,
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
      known: ToldPayment | undefined;
    },
  ): void {
    const { tracking } = cast.merchant.call();
    // Makes ids sort in the order of the story's facts, so that charges in the same second have the same order in each run.
    const external_id = `r${String(place).padStart(3, '0')}${newId('x')}`;
    const { email, id, ownId } = namesOf(fact.known, buyer);
    const code = fact.code ? cast.codes[fact.code].code : null;
    // A report without email address, customer id, referral or code cannot be connected with the customer. It is sent with the provider's customer
    // id.
    const isNameless = !email && !id && !ownId && !referral && !code;
    placeOf.set(external_id, known ? fact.same! : place);
    const report = () =>
      tracking.recordSale({
        external_id,
        amount_cents: fact.amount,
        tax_amount_cents: fact.tax ?? 0,
        shipping_amount_cents: fact.shipping ?? 0,
        currency: 'USD',
        charged_at: instantOf(fact.day),
        referral_id: referral,
        customer_email: email,
        psp_customer_id: isNameless ? buyer.id : id,
        external_customer_id: ownId,
        promo_code: code,
        lines: fact.lines?.map(({ product, cents }) => ({ product, amount_cents: cents })) ?? null,
        ...(known && namedBy(known, fact.by)),
      });
    const send = async () => void answers.set(place, await answerOf(report()));
    const told = { isMoment: false, pays: place, needs: null };
    events.push({ ...told, second: at(fact.day), send });
    const { refunded, refundedProduct: product } = fact;
    if (!refunded || known) return;
    const sendRefund = async () => {
      await tracking.recordRefund({
        external_id,
        refund_id: `${external_id}-back`,
        // Refunds are reported without the shipping.
        amount_cents: Math.min(refunded, fact.amount - (fact.shipping ?? 0)),
        lines: product === undefined ? null : [{ product, amount_cents: refunded }],
      });
    };
    events.push({ ...told, pays: null, second: at(fact.day + 1), send: sendRefund });
  }

  /** Returns the sales whose payment contradicts the facts: the index of the fact, who was paid, and whether the commission is still paid. */
  async #contested(
    { affiliates, merchant }: Cast,
    { placeOf }: Telling,
  ): Promise<{ place: number; who: Who; isPaid: boolean }[]> {
    const names = [...placeOf.keys()];
    if (names.length === 0) return [];
    const rows = await this.#service.services.database.kysely
      .selectFrom('commission')
      .innerJoin('sale', 'sale.id', 'commission.sale_id')
      .select(CHARGE_OF_SALE.as('psp_charge_id'))
      .select(['sale.external_id', 'commission.affiliate_id', 'commission.livemode', 'sale.livemode as mode'])
      .select(['state', 'superseded', 'sale.contested'])
      .where('sale.account_id', '=', merchant.id)
      .where((is) => is.or([is(CHARGE_OF_SALE, 'in', names), is('sale.external_id', 'in', names)]))
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

  /** True if facts contradict a paid bonus, reward for a lead or milestone of the run (docs/rules/rewards.md#paid-rewards). */
  async #hasContestedRewards({ affiliates, isOwn }: Cast): Promise<boolean> {
    if (!isOwn) return false;
    const rows = await this.#service.services.database.kysely
      .selectFrom('commission')
      .select('id')
      .where('affiliate_id', 'in', Object.values(affiliates))
      .where('contested', 'is not', null)
      .execute();
    return rows.length > 0;
  }

  /**
   * Checks a run with payments against the run without payments (docs/rules/attribution.md#paid-commissions): if no payment contradicts the facts, the
   * earnings are the same. Otherwise those who were paid keep the whole amount, and the earnings are the same after all payouts are returned and the
   * customer is mentioned again.
   */
  async #checkPayments(cast: Cast, telling: Telling, { expected, live }: { expected: string[]; live: boolean }): Promise<void> {
    const contested = await this.#contested(cast, telling);
    const earnings = await this.#outcomes.earnings(cast, telling);
    // A paid reward for a lead stays with its referral if the affiliate would have it by another one.
    const byAffiliate = (lines: string[]) =>
      lines.map((line) => line.replace(/^lead .*(?=[AB] \w+ -?\d+$)/u, 'lead ')).toSorted();
    if (contested.length === 0 && !(await this.#hasContestedRewards(cast)))
      return deepEqual(byAffiliate(earnings), byAffiliate(expected));
    this.contested += 1;
    const ofSales = (lines: string[]) => lines.filter((line) => /^\d+ [AB] \w+ -?\d+$/u.test(line));
    if (contested.length === 0) deepEqual(ofSales(earnings), ofSales(expected));
    for (const { place, who } of contested) {
      const ofPlace = (lines: string[]) => lines.filter((line) => line.startsWith(`${place} `)).map((line) => line.split(' '));
      const [first, ...others] = ofPlace(earnings);
      const [byFacts] = ofPlace(expected);
      for (const [, earner, , kind] of others) deepEqual([earner, kind], [who, 'bonus']);
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
    await this.#decide(cast);
    // A sale of an unknown customer is not decided again, because nothing mentioned that customer.
    if ((await this.#contested(cast, telling)).length === 0) deepEqual(await this.#outcomes.earnings(cast, telling), expected);
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
   * Runs a story once for each order of events that `ordersOf` returns. Returns the outcome. Throws if two orders have different outcomes, or if the
   * events of a run do not announce its outcome. If there are payouts during the story, first runs it without them, and throws if the payouts change
   * more than they may (`#checkPayments`).
   */
  async inOrders(setting: Setting, story: readonly Fact[], ordersOf: (events: number) => readonly number[][]): Promise<Outcome> {
    const { payouts: probability = 0, live = false, sweeps = 0, apart = false } = setting;
    const hasMoments = story.some(({ kind }) => kind === 'moment' || kind === 'lead');
    // The worker ends the months of a campaign once, and what persons do comes before their end.
    const isChanged =
      story.some((fact) => fact.kind === 'moment' && ('rule' in fact || 'terms' in fact)) ||
      (setting.tier !== undefined && hasMoments);
    /** The outcomes by what persons could not do (`undone`), because each of them is another story. */
    const outcomes = new Map<string, Outcome>();
    let first: Outcome | null = null;
    for (let [round, rounds] = [0, [] as (readonly number[])[]]; round === 0 || round < rounds.length; round += 1) {
      const cast = await this.casts.of({ ...setting, isChanged });
      const telling = await this.#tell(cast, story, setting);
      if (round === 0) {
        const orders = ordersOf(telling.events.length);
        rounds = probability === 0 ? [...orders] : [orders[0]!, ...orders];
      }
      const order = rounds[round]!;
      equal(telling.events.length, order.length, 'the number of events');
      try {
        const since = await this.#lastSequence(cast);
        const between = {
          random: randomFrom(round),
          payouts: first === null ? 0 : probability,
          sweeps: round % 2 === 1 ? sweeps : 0,
        };
        await this.#perform(cast, telling, order, between);
        const acted = undone(story, telling.answers, apart).join();
        const expected = outcomes.get(acted);
        if (between.payouts > 0) {
          if (expected !== undefined) await this.#checkPayments(cast, telling, { expected: expected.earnings, live });
          continue;
        }
        await this.#outcomes.checkAnnounced(cast, telling, since);
        const outcome = await this.#outcomes.read(cast, telling);
        first ??= outcome;
        if (expected === undefined) outcomes.set(acted, outcome);
        else if (!isDeepStrictEqual(outcome, expected)) throw new Error(JSON.stringify(differences(expected, outcome), null, 1));
      } catch (error) {
        throw new Error(failure(story, { setting, order, error: String(error) }), { cause: error });
      }
    }
    return first!;
  }

  /** Sends the events of a run in an order. Pays or returns payouts in between, with this probability after each event. */
  async #perform(
    cast: Cast,
    telling: Telling,
    order: readonly number[],
    { random, payouts, sweeps }: { random: () => number; payouts: number; sweeps: number },
  ): Promise<void> {
    this.orders += 1;
    const queue = possibleOrder(order.map((i) => telling.events[i]!));
    for (let tries = 0; queue.length > 0; tries += 1) {
      const next = queue.shift()!;
      if (await isTooEarly(next.send())) queue.push(next);
      else this.events += 1;
      if (tries > 50) throw new Error('A refund was refused although its sale had been reported.');
      if (payouts > 0 && random() < payouts) await this.#settle(cast, random);
      // What persons do happens at its own time. The worker's clock is later, and a month that it has ended does not end again.
      const isMonthOpen = cast.tierId !== null && queue.some(({ isMoment }) => isMoment);
      if (sweeps > 0 && random() < sweeps && !isMonthOpen) await this.#decide(cast);
    }
    await this.#decide(cast);
  }

  /** Does what the worker does. */
  async #decide({ merchant, isOwn }: Cast): Promise<void> {
    if (!isOwn) return;
    await settleDueDecisionsOf(this.#service.services, merchant.id);
    // Ends the hold of leads that are due.
    await sweepDueOf(this.#service.services, merchant.id);
  }

  async #lastSequence({ merchant }: Cast): Promise<number> {
    const { last } = await this.#service.services.database.kysely
      .selectFrom('event')
      .select((all) => all.fn.max('sequence').as('last'))
      .where('account_id', '=', merchant.id)
      .where('is_test', '=', false)
      .executeTakeFirstOrThrow();
    return last ?? 0;
  }
}

/**
 * Returns what persons did otherwise than in other orders: an act that came before its commission was known, and an address that was refused because the
 * customer or the referral was known to be another's by then (docs/rules/attribution.md#order-of-facts). If nothing but the address shows that the customer
 * of the referral has it, it also matters whether that customer was known by then.
 */
function undone(story: readonly Fact[], answers: ReadonlyMap<number, string>, apart: boolean): string[] {
  const isAddress = (fact: Fact) => fact.kind === 'moment' && 'address' in fact;
  const left = [...answers].filter(([place, answer]) => {
    if (!isAddress(story[place]!)) return answer === 'missed';
    return apart ? answer !== 'done' : !answer.startsWith('done');
  });
  return left.map(([place, answer]) => `${place} ${answer}`).toSorted();
}

/** Returns the id by which the merchant's report names a payment. */
function namedBy({ paid, invoiceId }: ToldPayment, by: 'intent' | 'invoice' | undefined) {
  if (by === 'invoice') return { psp_invoice_id: invoiceId };
  return by === 'intent' ? { psp_payment_intent_id: paid.payment_intent as string } : { psp_charge_id: paid.id };
}

/**
 * Moves each moment before the events that happened after it, because these cannot be known before it, and behind those without which it could not
 * happen.
 */
function possibleOrder(events: readonly StoryEvent[]): StoryEvent[] {
  const moments = events.filter(({ isMoment }) => isMoment).toSorted((a, b) => b.second - a.second);
  return moments.reduce((order, moment) => {
    const others = order.filter((each) => each !== moment);
    const limit = others.findIndex(({ second }) => second > moment.second);
    const place = order.indexOf(moment);
    const placed = limit === -1 || place <= limit ? order : others.toSpliced(limit, 0, moment);
    if (moment.needs === null) return placed;
    const [before, after] = [placed.slice(0, placed.indexOf(moment)), placed.slice(placed.indexOf(moment) + 1)];
    const needed = after.filter(({ pays }) => pays === moment.needs);
    return [...before, ...needed, moment, ...after.filter((each) => !needed.includes(each))];
  }, events.slice());
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

/** Returns of each part of two outcomes that differs what only the first and only the second has. */
function differences(one: Outcome, other: Outcome) {
  const parts = (Object.keys(one) as (keyof Outcome)[]).filter((part) => !isDeepStrictEqual(one[part], other[part]));
  return Object.fromEntries(
    parts.map((part) => [
      part,
      {
        first: one[part].filter((line) => !other[part].includes(line)),
        now: other[part].filter((line) => !one[part].includes(line)),
      },
    ]),
  );
}

function failure(story: readonly Fact[], end: object): string {
  return ['The order changes the outcome.', ...[...story, end].map((part) => JSON.stringify(part))].join('\n');
}
