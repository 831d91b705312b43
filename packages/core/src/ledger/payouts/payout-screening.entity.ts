import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { instant, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';
import { methodVersions } from '../../program/payout-methods/payout-addresses.ts';

export const SCREENING_RESULTS = ['clear', 'hit', 'unavailable'] as const;
export type ScreeningResult = (typeof SCREENING_RESULTS)[number];

/** A list with which an affiliate was compared, in its version of a day. */
export interface ScreenedList {
  list: string;
  list_date: string;
}

/** An entry of a list whose name is like one of the affiliate. */
export interface ScreeningMatch {
  list: string;
  /** The list's own reference of the person or company. */
  entry: string;
  /** The name as the list has it. */
  name: string;
  /** Days or years of birth as the list has them. */
  born: string | null;
}

export const PayoutScreening = defineEntity({
  name: 'PayoutScreening',
  tableName: 'payout_screening',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    affiliate_id: p.string(),
    /** With what the affiliate was compared (`account.payout_screening`), and its state then. */
    kind: p.string(),
    version: p.string(),
    /** The names that were compared, as sealed JSON: that of the affiliate, and those of the holders of accounts. Null once they are erased. */
    sealed_names: p.string().strictNullable(),
    /** Name and versions of the payout methods of the affiliate at that time. The screening holds for these only. */
    first_name: p.string().strictNullable(),
    last_name: p.string().strictNullable(),
    method_versions: p.json<[string, number][]>().strictNullable(),
    result: p.string().$type<ScreeningResult>(),
    /** True while the affiliate is not paid because of the result: a hit that no person has released, or no answer. */
    held: p.boolean(),
    /** True if there is a newer screening of the affiliate with another outcome. */
    superseded: p.boolean().default(false),
    lists: p.json<ScreenedList[]>(),
    matches: p.json<ScreeningMatch[]>(),
    /** Time of the last comparison with this outcome. */
    screened_at: instant(),
    released_at: instant().strictNullable(),
    /** The person who released the hit. */
    released_by: p.string().strictNullable(),
    release_reason: p.string().strictNullable(),
  },
});

/** The result of comparing an affiliate with lists of people and companies that nobody may pay (docs/rules/payouts.md#screening). */
export type PayoutScreening = Row<typeof PayoutScreening>;

/** SQL condition: the account, a row of `account`, compares affiliates, and the last comparison of the affiliate, a row of `affiliate`, has not cleared it. */
export const IS_HELD: RawBuilder<boolean> = sql<boolean>`(account.payout_screening is not null and not exists (
  select from payout_screening screening where screening.affiliate_id = affiliate.id and not screening.superseded and not screening.held))`;

/**
 * SQL condition: the account, a row of `account`, compares affiliates before it pays them, and the affiliate, a row of `affiliate`, has not been cleared with
 * the current name and payout methods against the current lists. What pays asks this, because the next comparison may still be ahead.
 */
export const IS_UNCLEARED: RawBuilder<boolean> = sql<boolean>`(account.screening_version is not null and not exists (
  select from payout_screening screening
  where screening.affiliate_id = affiliate.id and not screening.superseded and not screening.held and screening.version = account.screening_version
    and ${isOfNow('screening')}))`;

/** SQL condition: a screening was made with the name and the payout methods that the row of `affiliate` has now. */
export function isOfNow(alias: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${alias}.first_name`)}, ${sql.ref(`${alias}.last_name`)}, ${sql.ref(`${alias}.method_versions`)})
    is not distinct from (affiliate.first_name, affiliate.last_name, ${sql.raw(methodVersions('affiliate.id'))})`;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_screening: InferKyselyTable<typeof PayoutScreening>;
  }
}
