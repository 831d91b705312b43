import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { instant, merchantData, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { ADDRESS_PARAMETERS } from '../clicks/click-source.ts';

export const CONVERSION_STATES = ['visitor', 'lead', 'conversion'] as const;
export type ConversionState = (typeof CONVERSION_STATES)[number];

export const Referral = defineEntity({
  name: 'Referral',
  tableName: 'referral',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    ...merchantData,
    affiliate_id: p.string(),
    campaign_id: p.string(),
    link_id: p.string().strictNullable(),
    customer_id: p.string().strictNullable(),
    conversion_state: p.string().$type<ConversionState>(),
    converted_at: instant().strictNullable(),
    /** True if a person or another tool said that the referral has converted, so that it stays converted without a sale. */
    converted_by_hand: p.boolean().default(false),
    expires_at: instant().strictNullable(),
    deactivated_at: instant().strictNullable(),
    /** Time at which a deactivated referral was last activated again. Its former deactivations are rows of `referral_deactivation`. */
    reactivated_at: instant().strictNullable(),
    /** True if a test visit of the settings page started the referral. It is not counted (docs/rules/intake.md#checking-a-site). */
    is_test: p.boolean().default(false),
    /** True if a code or an assignment started the referral, and not a visit (docs/rules/reports.md#referrals-that-count). */
    is_derived: p.boolean().default(false),
  },
});

/** A visitor sent by an affiliate, who may become a customer. */
export type Referral = Row<typeof Referral>;

/** The columns that decide whether a referral is live. */
type Life = Pick<Referral, 'expires_at' | 'converted_at' | 'deactivated_at'>;

/**
 * True if the referral has not converted before its deadline, and the deadline has passed. A referral that has converted in time does not
 * expire; later sales of the customer earn under the campaign's limits.
 */
export function hasExpired({ expires_at, converted_at }: Omit<Life, 'deactivated_at'>, at: Instant): boolean {
  if (expires_at === null || at < expires_at) return false;
  return converted_at === null || converted_at >= expires_at;
}

/** True if the referral is live: neither deactivated nor expired. */
export function isLive(referral: Life, at: Instant): boolean {
  return referral.deactivated_at === null && !hasExpired(referral, at);
}

/** SQL condition: `isLive` for the referral with this table alias. */
export function isLiveReferral(alias: string, at: RawBuilder<unknown>): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql`(${column('deactivated_at')} is null and (${column('expires_at')} is null or ${at} < ${column('expires_at')}
    or coalesce(${column('converted_at')} < ${column('expires_at')}, false)))`;
}

/** Columns with facts about the click that started a referral. Reports group referrals by these columns. */
export const REFERRAL_SOURCE_COLUMNS = [
  'landing_path',
  'referrer_host',
  ...ADDRESS_PARAMETERS,
  'country',
  'device',
  'browser',
] as const;

/**
 * The origin of a referral: facts about the click that started it. Kept as long as the referral, even after the click was purged. A
 * referral that no click started has no row.
 */
export type ReferralSourceTable = Record<(typeof REFERRAL_SOURCE_COLUMNS)[number], string | null> & {
  referral_id: string;
  account_id: string;
};

declare module '../../platform/db/tables.ts' {
  interface Tables {
    referral: InferKyselyTable<typeof Referral>;
    referral_source: ReferralSourceTable;
    /** Number of visitors whose referrals were purged. Statistics add this number to the number of remaining referrals. */
    visitor_count: {
      account_id: string;
      affiliate_id: string;
      link_id: string | null;
      /** UTC day of the visit. */
      day: string;
      visitors: number;
    };
  }
}
