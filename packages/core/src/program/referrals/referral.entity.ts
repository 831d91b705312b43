import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { Affiliate } from '../affiliates/affiliate.entity.ts';
import { Campaign } from '../campaigns/campaign.entity.ts';
import { Customer } from '../customers/customer.entity.ts';
import { instant, recordColumns } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { Link } from '../links/link.entity.ts';

export const CONVERSION_STATES = ['visitor', 'lead', 'conversion'] as const;
export type ConversionState = (typeof CONVERSION_STATES)[number];

export const ReferralSchema = defineEntity({
  name: 'Referral',
  tableName: 'referral',
  properties: {
    ...recordColumns,
    affiliate_id: () => p.manyToOne(Affiliate).mapToPk().fieldName('affiliate_id'),
    campaign_id: () => p.manyToOne(Campaign).mapToPk().fieldName('campaign_id'),
    link_id: () => p.manyToOne(Link).mapToPk().fieldName('link_id').strictNullable(),
    customer_id: () => p.manyToOne(Customer).mapToPk().fieldName('customer_id').strictNullable(),
    conversion_state: p.string().$type<ConversionState>(),
    converted_at: instant().strictNullable(),
    expires_at: instant().strictNullable(),
    deactivated_at: instant().strictNullable(),
  },
});

/** A visitor sent by an affiliate, who may become a customer. */
export class Referral extends ReferralSchema.class {
  /**
   * True if the referral has not converted before its deadline, and the deadline has passed. A referral that has converted in time does not
   * expire; later sales of the customer earn under the campaign's limits.
   */
  hasExpired(at: Instant): boolean {
    if (this.expires_at === null || at < this.expires_at) return false;
    return this.converted_at === null || this.converted_at >= this.expires_at;
  }

  /** True if the referral is live: neither deactivated nor expired. */
  isLive(at: Instant): boolean {
    return this.deactivated_at === null && !this.hasExpired(at);
  }
}
ReferralSchema.setClass(Referral);

/** SQL condition: `isLive` for the referral with this table alias. */
export function isLiveReferral(alias: string, at: RawBuilder<unknown>): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql`(${column('deactivated_at')} is null and (${column('expires_at')} is null or ${at} < ${column('expires_at')}
    or coalesce(${column('converted_at')} < ${column('expires_at')}, false)))`;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    referral: InferKyselyTable<typeof ReferralSchema>;
  }
}
