import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { Affiliate } from '../affiliates/affiliate.entity.ts';
import { Campaign } from '../campaigns/campaign.entity.ts';
import { instant, recordColumns } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';

export const LinkSchema = defineEntity({
  name: 'Link',
  tableName: 'link',
  properties: {
    ...recordColumns,
    affiliate_id: () => p.manyToOne(Affiliate).mapToPk().fieldName('affiliate_id'),
    campaign_id: () => p.manyToOne(Campaign).mapToPk().fieldName('campaign_id'),
    url: p.string(),
    token: p.string(),
    archived_at: instant().strictNullable(),
  },
});

/** An affiliate's tracked link. */
export class Link extends LinkSchema.class {
  /** Archives the link. Has no effect if it is archived already. */
  archive(at: Instant): void {
    if (this.archived_at !== null) return;
    this.archived_at = at;
    this.updated_at = at;
  }
}
LinkSchema.setClass(Link);

declare module '../../platform/db/tables.ts' {
  interface Tables {
    link: InferKyselyTable<typeof LinkSchema>;
  }
}
