import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { Campaign } from '../campaigns/campaign.entity.ts';
import { instant, recordColumns } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';
import type { AffiliateState, Digest } from './affiliate.states.ts';

export const AffiliateSchema = defineEntity({
  name: 'Affiliate',
  tableName: 'affiliate',
  properties: {
    ...recordColumns,
    campaign_id: () => p.manyToOne(Campaign).mapToPk().fieldName('campaign_id'),
    /** The affiliate's user, or null as long as the affiliate has none. */
    user_id: p.string().strictNullable(),
    email: p.string(),
    first_name: p.string().strictNullable(),
    last_name: p.string().strictNullable(),
    state: p.string().$type<AffiliateState>(),
    walleta_email: p.string().strictNullable(),
    walletb_email: p.string().strictNullable(),
    /** The merchant's own id for the affiliate. */
    external_id: p.string().strictNullable(),
    psp_customer_id: p.string().strictNullable(),
    /** Until this time no payout is eligible, because the affiliate has changed the payout details. */
    payouts_held_until: instant().strictNullable(),
    /** Frequency of the emails that list the commissions earned. */
    digest: p.string().$type<Digest>().default('weekly'),
    archived_at: instant().strictNullable(),
  },
});

/** A partner who promotes a campaign. */
export class Affiliate extends AffiliateSchema.class {
  /** True if the affiliate can track visits and earn, because it is active and not archived. */
  isEarning(): boolean {
    return this.state === 'active' && this.archived_at === null;
  }

  /**
   * Moves the affiliate to a state. Any state may follow any other (docs/domain-rules.md#affiliates). Returns true if the affiliate was not
   * active before and is now.
   */
  moveTo(state: AffiliateState, at: Instant): boolean {
    const approved = state === 'active' && this.state !== 'active';
    if (state !== this.state) this.updated_at = at;
    this.state = state;
    return approved;
  }

  /** Archives the affiliate. Has no effect if it is archived already. */
  archive(at: Instant): void {
    if (this.archived_at !== null) return;
    this.archived_at = at;
    this.updated_at = at;
  }

  /** Restores the archived affiliate. Does not change its state. */
  restore(at: Instant): void {
    this.archived_at = null;
    this.updated_at = at;
  }
}
AffiliateSchema.setClass(Affiliate);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    affiliate: InferKyselyTable<typeof AffiliateSchema>;
  }
}
