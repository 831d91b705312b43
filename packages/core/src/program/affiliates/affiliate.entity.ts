import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant, merchantData, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { AffiliateState, Digest } from '../../platform/wire/states.ts';

export const Affiliate = defineEntity({
  name: 'Affiliate',
  tableName: 'affiliate',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    ...merchantData,
    campaign_id: p.string(),
    /** The affiliate's user, or null as long as the affiliate has none. */
    user_id: p.string().strictNullable(),
    email: p.string(),
    first_name: p.string().strictNullable(),
    last_name: p.string().strictNullable(),
    state: p.string().$type<AffiliateState>(),
    psp_customer_id: p.string().strictNullable(),
    /** Until this time no payout is eligible, because the affiliate has changed the payout details. */
    payouts_held_until: instant().strictNullable(),
    /** Frequency of the emails that list the commissions earned. */
    digest: p.string().$type<Digest>().default('weekly'),
    /** Time at which the affiliate ended the emails of the program; null if the affiliate gets them. */
    emails_ended_at: instant().strictNullable(),
    /** Name, address and tax number of the affiliate, as statements show them. */
    billing_details: p.text().strictNullable(),
    archived_at: instant().strictNullable(),
    /** Time at which the personal data were erased. */
    erased_at: instant().strictNullable(),
    /** Time of the last change of the state or of archival; null if there was none. Earlier standings are rows of `affiliate_state_version`. */
    state_changed_at: instant().strictNullable(),
  },
});

/** A partner who promotes a campaign. */
export type Affiliate = Row<typeof Affiliate>;

/** The changes that archive the affiliate. None if it is archived already. */
export function archivedAffiliate({ archived_at }: Affiliate, at: Instant): Partial<Affiliate> {
  return archived_at === null ? { archived_at: at, updated_at: at } : {};
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    affiliate: InferKyselyTable<typeof Affiliate>;
  }
}
