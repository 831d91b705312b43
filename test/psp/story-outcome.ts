/** The outcome of a run of a story: money, flags, refusals, states of referrals, and whether events announced exactly that. */
import { deepEqual } from 'node:assert/strict';
import type { Services } from '@affiliate/core';
import { sql } from 'kysely';
import type { Cast } from './story-cast.ts';
import type { Buyer } from './story-events.ts';
import type { Who } from './story-facts.ts';

/** A run of a story whose outcome is read. */
export interface Told {
  buyer: Buyer;
  /** For each sale, the index of its fact in the story. Keyed by the charge id or by the merchant's sale id. */
  placeOf: ReadonlyMap<string, number>;
  /** The referrals of visits, by a name that is the same in each run. */
  visits: ReadonlyMap<string, string>;
}

/** The outcome of a run, which is the same in every order of the events. */
export interface Outcome {
  /** The earnings of each affiliate from each fact, adjustments included: `index affiliate mode cents`. */
  earnings: string[];
  /** The part of it that is kept out of payouts: `index affiliate reason cents`. */
  flags: string[];
  /** The affiliates of the sales, and the reasons why sales earn nothing: `index affiliate reason`. */
  sales: string[];
  referrals: string[];
}

type Db = Services['database']['kysely'];

/** Reads the outcomes of runs in a database. */
export class Outcomes {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async read(cast: Cast, told: Told): Promise<Outcome> {
    const [commissions, sales, referrals] = [
      await this.#commissions(cast, told),
      await this.#sales(cast, told),
      await this.#referrals(cast, told),
    ];
    const flagged = commissions.filter(({ state, review_status }) => isUnpaid(state) && review_status === 'suspicious');
    return {
      earnings: sums(commissions.map(({ place, who, mode, amount_cents }) => [`${place} ${who} ${mode}`, amount_cents])),
      flags: sums(
        flagged.map(({ place, who, review_reason, amount_cents }) => [`${place} ${who} ${review_reason}`, amount_cents]),
      ),
      sales: sales.map(({ place, who, no_commission_reason }) => `${place} ${who} ${no_commission_reason ?? 'earns'}`).toSorted(),
      referrals,
    };
  }

  /** Returns what each affiliate earned from each fact, as `Outcome.earnings`. */
  async earnings(cast: Cast, told: Told): Promise<string[]> {
    return (await this.read(cast, told)).earnings;
  }

  /** Reads the commissions and adjustments of a run, without those that were voided before they were claimed or paid. */
  async #commissions({ affiliates, merchant }: Cast, { placeOf }: Told) {
    const names = [...placeOf.keys()];
    if (names.length === 0) return [];
    const rows = await this.#db
      .selectFrom('commission')
      .innerJoin('sale', 'sale.id', 'commission.sale_id')
      .leftJoin('payout_item', 'payout_item.commission_id', 'commission.id')
      .select(CHARGE_OF_SALE.as('psp_charge_id'))
      .select(['sale.external_id', 'commission.affiliate_id', 'commission.livemode', 'state', 'amount_cents'])
      .select(['review_status', 'review_reason'])
      .where('sale.account_id', '=', merchant.id)
      .where((is) => is.or([is(CHARGE_OF_SALE, 'in', names), is('sale.external_id', 'in', names)]))
      .where((is) => is.or([is('state', '!=', 'voided'), is('paid_at', 'is not', null), is('payout_id', 'is not', null)]))
      .execute();
    return rows.map((row) => ({
      ...row,
      place: placeIn(placeOf, row),
      who: nameOf(affiliates, row.affiliate_id),
      mode: row.livemode ? 'live' : 'test',
    }));
  }

  async #sales({ affiliates, merchant }: Cast, { placeOf }: Told) {
    const names = [...placeOf.keys()];
    if (names.length === 0) return [];
    const rows = await this.#db
      .selectFrom('sale')
      .select(CHARGE_OF_SALE.as('psp_charge_id'))
      .select(['id', 'external_id', 'affiliate_id', 'no_commission_reason'])
      .where('account_id', '=', merchant.id)
      .where((is) => is.or([is(CHARGE_OF_SALE, 'in', names), is('external_id', 'in', names)]))
      .execute();
    return rows.map((row) => ({ ...row, place: placeIn(placeOf, row), who: nameOf(affiliates, row.affiliate_id) }));
  }

  /**
   * Reads the referrals of the visits, and those that were started for codes. Of the latter, only those that converted count: a late fact may have taken
   * everything from the others. That the customer has a referral which expired without converting means nothing, and depends on the time of the facts.
   */
  async #referrals({ affiliates, merchant }: Cast, { buyer, visits }: Told): Promise<string[]> {
    const nameOfVisit = new Map([...visits].map(([name, id]) => [id, name]));
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
        is.or([is('customer_id', 'in', customers), ...(visits.size === 0 ? [] : [is('id', 'in', [...nameOfVisit.keys()])])]),
      )
      .execute();
    return rows
      .flatMap(({ id, affiliate_id, customer_id, conversion_state, converted_at }) => {
        const visit = nameOfVisit.get(id);
        if (conversion_state !== 'conversion') return visit === undefined ? [] : [`${visit} ${conversion_state}`];
        const name = visit ?? `code of ${nameOf(affiliates, affiliate_id)}`;
        return [`${name} converted at ${converted_at}${customer_id === null ? '' : ', and has the customer'}`];
      })
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

function isUnpaid(state: string): boolean {
  return state === 'pending' || state === 'due';
}

function placeIn(
  placeOf: ReadonlyMap<string, number>,
  { psp_charge_id, external_id }: { psp_charge_id: string | null; external_id: string | null },
): number {
  return (placeOf.get(psp_charge_id ?? '') ?? placeOf.get(external_id ?? ''))!;
}

function nameOf(affiliates: Record<Who, string>, id: string | null): Who | '-' {
  return id === null ? '-' : id === affiliates.A ? 'A' : 'B';
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
export const CHARGE_OF_SALE = sql<string | null>`substring(sale.names[1] from '^charge:(.*)$')`;
