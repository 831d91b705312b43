/** The outcome of a run of a story: money, flags, refusals, states of referrals, and whether events announced exactly that. */
import { deepEqual } from 'node:assert/strict';
import type { Services } from '@affiliate/core';
import { sql } from 'kysely';
import type { Cast } from './story-cast.ts';
import { type Buyer, dayOf } from './story-events.ts';
import type { Who } from './story-facts.ts';

/** A run of a story whose outcome is read. */
export interface Told {
  buyer: Buyer;
  /** For each sale, the index of its fact in the story. Keyed by the charge id or by the merchant's sale id. */
  placeOf: ReadonlyMap<string, number>;
  /** The referrals of visits, by a name that is the same in each run. */
  visits: ReadonlyMap<string, string>;
  /** The answers to what persons did, by the index of the fact. */
  answers: ReadonlyMap<number, string>;
}

/** The outcome of a run, which is the same in every order of the events. */
export interface Outcome {
  /**
   * The earnings of each affiliate from each fact, adjustments included: `index affiliate mode cents`, with `bonus` before the cents for what rules pay
   * on top, and `lead` or `milestone` with the name of a visit or the index of a rule in place of the index of a fact.
   */
  earnings: string[];
  /** The days on which unpaid earnings fall due: `index affiliate mode day`. */
  due: string[];
  /** The part of it that is kept out of payouts: `index affiliate reason cents`. */
  flags: string[];
  /** The affiliates of the sales, and the reasons why sales earn nothing: `index affiliate reason`. */
  sales: string[];
  referrals: string[];
  /** The answers to what persons did: `index answer`. */
  answers: string[];
  /** The view of the affiliates of this run, if no other run has them: `affiliate` with numbers of the statistics, and the periods of the tier. */
  statistics: string[];
}

type Db = Services['database']['kysely'];

/** Reads the outcomes of runs in a database. */
export class Outcomes {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async read(cast: Cast, told: Told): Promise<Outcome> {
    const [commissions, sales, referrals, statistics] = [
      await this.#commissions(cast, told),
      await this.#sales(cast, told),
      await this.#referrals(cast, told),
      await this.#statistics(cast),
    ];
    const unpaid = commissions.filter(({ state }) => state === 'pending' || state === 'due');
    const flagged = unpaid.filter(({ review_status }) => review_status === 'suspicious');
    const earnings = sums(commissions.map(({ name, amount_cents }) => [name, amount_cents]));
    // An adjustment that gives money back is due no earlier than now, so its commission's due date counts.
    const falling = unpaid.filter(
      ({ name, amount_cents }) => amount_cents > 0 && earnings.some((earned) => earned.startsWith(`${name} `)),
    );
    return {
      earnings,
      due: [
        ...new Set(falling.map(({ name, due_at, due_before }) => `${name} on day ${dayOf(due_before ?? due_at)}`)),
      ].toSorted(),
      flags: sums(flagged.map(({ name, review_reason, amount_cents }) => [`${name} ${review_reason}`, amount_cents])),
      sales: sales.map(({ place, who, earns }) => `${place} ${who} ${earns}`).toSorted(),
      referrals,
      answers: [...told.answers].map(([place, answer]) => `${place} ${answer.startsWith('done') ? 'done' : answer}`).toSorted(),
      statistics,
    };
  }

  /** Returns the id of the commission or the bonus that an affiliate has for a sale now, or null. */
  async commissionOf(
    { affiliates }: Cast,
    told: Told,
    { place, who, kind }: { place: number; who: Who; kind: 'sale' | 'bonus' },
  ): Promise<string | null> {
    const found = await this.#db
      .selectFrom('commission')
      .innerJoin('sale', 'sale.id', 'commission.sale_id')
      .select('commission.id')
      .where((is) => is.or([is(CHARGE_OF_SALE, 'in', namesOf(told, place)), is('sale.external_id', 'in', namesOf(told, place))]))
      .where('commission.affiliate_id', '=', affiliates[who])
      .where('kind', '=', kind)
      .where('superseded', '=', false)
      .where('state', '!=', 'voided')
      .executeTakeFirst();
    return found?.id ?? null;
  }

  /** Returns the id of the sale of a fact, or null. */
  async saleOf({ merchant }: Cast, told: Told, place: number): Promise<string | null> {
    const found = await this.#db
      .selectFrom('sale')
      .select('id')
      .where('account_id', '=', merchant.id)
      .where((is) => is.or([is(CHARGE_OF_SALE, 'in', namesOf(told, place)), is('external_id', 'in', namesOf(told, place))]))
      .where('repeats_sale_id', 'is', null)
      .executeTakeFirst();
    return found?.id ?? null;
  }

  /** Returns the names of the ids that the customer with an address has, in an order that is the same in each run. */
  async idsOf({ merchant }: Cast, { buyer }: Told, email: string): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('customer_identity')
      .innerJoin('customer_identity as address', 'address.customer_id', 'customer_identity.customer_id')
      .select('customer_identity.value')
      .where('address.account_id', '=', merchant.id)
      .where('address.kind', '=', 'email')
      .where('address.value', '=', email.toLowerCase())
      .where('customer_identity.kind', '!=', 'email')
      .execute();
    const names = new Map([
      [buyer.id, 'id'],
      [buyer.secondId, 'second id'],
      [buyer.ownId, 'own id'],
    ]);
    return rows.map(({ value }) => names.get(value) ?? 'another id').toSorted();
  }

  /** Returns what each affiliate earned from each fact, as `Outcome.earnings`. */
  async earnings(cast: Cast, told: Told): Promise<string[]> {
    return (await this.read(cast, told)).earnings;
  }

  /** Reads the commissions and adjustments of a run, without those that were voided before they were claimed or paid. */
  async #commissions(cast: Cast, { placeOf, visits }: Told) {
    const { affiliates, merchant, rules, isOwn } = cast;
    // Leads are rewarded without a sale, too.
    const names = [...placeOf.keys(), ''];
    const rows = await this.#db
      .selectFrom('commission')
      .leftJoin('sale', 'sale.id', 'commission.sale_id')
      .leftJoin('payout_item', 'payout_item.commission_id', 'commission.id')
      .leftJoin('commission as adjusted', 'adjusted.id', 'commission.adjusts_commission_id')
      .select(CHARGE_OF_SALE.as('psp_charge_id'))
      .select(['sale.external_id', 'commission.affiliate_id', 'commission.livemode', 'commission.state'])
      .select(['commission.amount_cents', 'commission.kind', 'commission.review_status', 'commission.review_reason'])
      .select([
        'commission.due_at',
        'commission.referral_id',
        'commission.rule_id',
        'adjusted.kind as of',
        'adjusted.due_at as due_before',
      ])
      .where('commission.account_id', '=', merchant.id)
      .where((is) =>
        is.or([
          is(CHARGE_OF_SALE, 'in', names),
          is('sale.external_id', 'in', names),
          ...(isOwn ? [is('commission.affiliate_id', 'in', Object.values(affiliates))] : []),
        ]),
      )
      .where((is) =>
        is.or([
          is('commission.state', '!=', 'voided'),
          is('commission.paid_at', 'is not', null),
          is('payout_item.payout_id', 'is not', null),
        ]),
      )
      .execute();
    const nameOfVisit = await this.#visitsOf(merchant.id, visits);
    return rows.map((row) => {
      const who = nameOf(affiliates, row.affiliate_id);
      const mode = row.livemode ? 'live' : 'test';
      const kind = row.of ?? row.kind;
      const earner = `${who} ${mode}`;
      const named = {
        lead: `lead ${nameOfVisit.get(row.referral_id ?? '') ?? 'of another referral'}`,
        milestone: `milestone ${rules.indexOf(row.rule_id ?? '')}`,
      };
      const name =
        kind === 'lead' || kind === 'milestone'
          ? `${named[kind]} ${earner}`
          : `${placeIn(placeOf, row)} ${earner}${kind === 'bonus' ? ' bonus' : ''}`;
      return { ...row, who, mode, name };
    });
  }

  async #statistics({ affiliates, isOwn, merchant }: Cast): Promise<string[]> {
    if (!isOwn) return [];
    const read = Object.entries(affiliates).map(async ([who, id]) => {
      const { commission_stats } = await merchant.call().affiliates.get({ id, expand: ['commission_stats'] });
      const { leads, conversions, currencies } = commission_stats!;
      const money = currencies.map(({ currency, gross_sales_cents, pending_cents, due_cents, paid_cents, under_review_cents }) =>
        [currency, gross_sales_cents, pending_cents + due_cents, paid_cents, under_review_cents].join(' '),
      );
      return `${who} ${leads} leads, ${conversions} conversions, ${money.filter((text) => /[1-9]/u.test(text)).join()}`;
    });
    const tiers = await this.#db
      .selectFrom('affiliate_tier')
      .select(['affiliate_id', 'since', 'until'])
      .where('affiliate_id', 'in', Object.values(affiliates))
      .execute();
    const periods = tiers.map(
      ({ affiliate_id, since, until }) => `${nameOf(affiliates, affiliate_id)} has the tier from ${since} to ${until ?? 'now'}`,
    );
    return [...(await Promise.all(read)), ...periods.toSorted()];
  }

  async #sales(cast: Cast, { placeOf }: Told) {
    const { affiliates, merchant } = cast;
    const names = [...placeOf.keys()];
    if (names.length === 0) return [];
    const rows = await this.#db
      .selectFrom('sale')
      .select(CHARGE_OF_SALE.as('psp_charge_id'))
      .select(['id', 'external_id', 'affiliate_id', 'no_commission_reason'])
      .where('account_id', '=', merchant.id)
      .where('repeats_sale_id', 'is', null)
      .where((is) => is.or([is(CHARGE_OF_SALE, 'in', names), is('external_id', 'in', names)]))
      .execute();
    return rows.map((row) => ({
      ...row,
      place: placeIn(placeOf, row),
      who: nameOf(affiliates, row.affiliate_id),
      earns: row.no_commission_reason ?? 'earns',
    }));
  }

  /** Returns the names of the visits by the ids of their referrals, and of those that continue them for another customer. */
  async #visitsOf(accountId: string, visits: Told['visits']): Promise<Map<string, string>> {
    const continued = await this.#db
      .selectFrom('attribution_claim')
      .select(['referral_id', 'source'])
      .where('account_id', '=', accountId)
      .where('source', 'like', 'continues %')
      .where(sql`split_part(source, ' ', 2)`, 'in', [...visits.values(), ''])
      .execute();
    const visitOf = new Map([...visits].map(([name, id]) => [id, name]));
    for (const { referral_id, source } of continued) visitOf.set(referral_id!, visitOf.get(source.split(' ')[1]!)!);
    return visitOf;
  }

  /**
   * Reads the referrals of the visits, with those that continue them for another customer, and those that were started for codes. Of the latter, only
   * those that converted count: a late fact may have taken everything from the others. Of a visit, the state that came last counts, because it is no rule
   * which of two customers gets the referral itself. That the customer has a referral which expired without converting means nothing, and depends on the
   * time of the facts.
   */
  async #referrals({ affiliates, merchant }: Cast, { buyer, visits }: Told): Promise<string[]> {
    const visitOf = await this.#visitsOf(merchant.id, visits);
    const values = [buyer.email, buyer.shopEmail, buyer.id, buyer.secondId, buyer.ownId];
    const customers = this.#db
      .selectFrom('customer_identity')
      .select('customer_id')
      .where('account_id', '=', merchant.id)
      .where('kind', 'in', ['email', 'psp_customer_id', 'external_customer_id'])
      .where('value', 'in', values);
    const rows = await this.#db
      .selectFrom('referral')
      .select(['id', 'affiliate_id', 'customer_id', 'conversion_state', 'converted_at'])
      .where((is) =>
        is.or([is('customer_id', 'in', customers), ...(visitOf.size === 0 ? [] : [is('id', 'in', [...visitOf.keys()])])]),
      )
      .execute();
    const states = rows.flatMap(({ id, affiliate_id, customer_id, conversion_state, converted_at }) => {
      const visit = visitOf.get(id);
      if (conversion_state !== 'conversion') return visit === undefined ? [] : [{ name: visit, state: conversion_state }];
      const state = `converted at ${converted_at}${customer_id === null ? '' : ', and has the customer'}`;
      return [{ name: visit ?? `code of ${nameOf(affiliates, affiliate_id)}`, state }];
    });
    const isPassed = (state: string, of: readonly { state: string }[]) =>
      STATES.indexOf(state) >= 0 && of.some((other) => STATES.indexOf(other.state) < STATES.indexOf(state));
    return [...Map.groupBy(states, ({ name }) => name)]
      .flatMap(([name, of]) => [...new Set(of.flatMap(({ state }) => (isPassed(state, of) ? [] : [`${name} ${state}`])))])
      .toSorted();
  }

  /**
   * Checks that a program that only reads events knows the same: the last event of each record shows it as it is, every commission was created once,
   * and nothing was voided, converted or undone twice in a row.
   */
  async checkAnnounced(cast: Cast, told: Told, sinceSequence: number): Promise<void> {
    const events = await this.#db
      .selectFrom('event')
      .select(['type', 'subject_id', 'body'])
      .where('account_id', '=', cast.merchant.id)
      .where('is_test', '=', false)
      .where('sequence', '>', sinceSequence)
      .orderBy('sequence')
      .execute();
    const known = new Map<string, Record<string, unknown>>();
    const [converted, voided] = [new Set<string>(), new Set<string>()];
    for (const { type, subject_id: id, body } of events) {
      if (!Object.keys(ANNOUNCED).some((table) => type.startsWith(`${table}.`))) continue;
      const former = known.get(id);
      const { data } = JSON.parse(body) as { data: Record<string, unknown> };
      const isRepeated =
        (type === 'commission.created' && former !== undefined) ||
        (type === 'commission.voided' && voided.has(id)) ||
        (type === 'referral.converted' && converted.has(id));
      if (isRepeated) throw new Error(`${type} of ${id} was announced twice.`);
      known.set(id, data);
      if (type === 'commission.voided') voided.add(id);
      if (type === 'referral.converted') converted.add(id);
      else if (data['conversion_state'] !== 'conversion') converted.delete(id);
    }
    const silent = (await this.#sales(cast, told)).filter(({ id }) => !known.has(id));
    deepEqual(silent, [], 'No event told of a sale.');
    const ids = [...known.keys()];
    if (ids.length === 0) return;
    const shown = (data: Record<string, unknown>, fields: readonly string[]) => fields.map((field) => data[field]);
    for (const [table, fields] of Object.entries(ANNOUNCED)) {
      const rows = await this.#db
        .selectFrom(table as keyof typeof ANNOUNCED)
        .selectAll()
        .where('id', 'in', ids)
        .execute();
      for (const row of rows as Record<string, unknown>[])
        deepEqual(shown(known.get(row['id'] as string)!, fields), shown(row, fields), `The last event of a ${table} differs.`);
    }
  }
}

/** The states of a referral before its conversion, the last one first. */
const STATES = ['lead', 'visitor'];

/** The charge or the external id of the sale of a fact, by which `placeOf` knows it. */
function namesOf({ placeOf }: Told, place: number): string[] {
  return [...placeOf].flatMap(([name, of]) => (of === place ? [name] : []));
}

function placeIn(
  placeOf: ReadonlyMap<string, number>,
  { psp_charge_id, external_id }: { psp_charge_id: string | null; external_id: string | null },
): number {
  return (placeOf.get(psp_charge_id ?? '') ?? placeOf.get(external_id ?? ''))!;
}

function nameOf(affiliates: Record<Who, string>, id: string | null): Who | '-' {
  return (['A', 'B'] as const).find((who) => affiliates[who] === id) ?? '-';
}

/** Adds up the amounts by their names. Leaves out sums of 0. */
function sums(amounts: readonly (readonly [name: string, cents: number])[]): string[] {
  const cents = new Map<string, number>();
  for (const [name, amount] of amounts) cents.set(name, (cents.get(name) ?? 0) + amount);
  return [...cents].flatMap(([name, sum]) => (sum === 0 ? [] : [`${name} ${sum}`])).toSorted();
}

/** The fields of records that decide about money and attribution, by table. */
const ANNOUNCED = {
  commission: ['state', 'amount_cents', 'currency', 'affiliate_id', 'referral_id', 'review_status', 'review_reason', 'due_at'],
  referral: ['conversion_state', 'converted_at', 'customer_id'],
  sale: ['charge_amount_cents', 'refund_amount_cents', 'tax_amount_cents', 'currency', 'charged_at'],
} as const;

/** SQL: the charge id of a row of `sale`, or null. */
export const CHARGE_OF_SALE = sql<string | null>`substring(sale.names[1] from '^(?:charge|order):(.*)$')`;
