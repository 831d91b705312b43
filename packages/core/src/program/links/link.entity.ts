import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant, merchantData, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';
import type { Instant } from '../../platform/time/instant.ts';

export const Link = defineEntity({
  name: 'Link',
  tableName: 'link',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    ...merchantData,
    affiliate_id: p.string(),
    campaign_id: p.string(),
    url: p.string(),
    token: p.string(),
    /** Token before the affiliate replaced it. It leads to the link for good. */
    former_token: p.string().strictNullable(),
    /** Time at which the token was last replaced. Without an account, a token leads to the link that has had it longest. */
    token_replaced_at: instant().strictNullable(),
    /** Name that the affiliate has given the link, for the affiliate only. */
    label: p.string().strictNullable(),
    archived_at: instant().strictNullable(),
  },
});

/** An affiliate's tracked link. */
export type Link = Row<typeof Link>;

/** The changes that archive the link. None if it is archived already. */
export function archivedLink({ archived_at }: Link, at: Instant): Partial<Link> {
  return archived_at === null ? { archived_at: at, updated_at: at } : {};
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    link: InferKyselyTable<typeof Link>;
    link_clicks: { link_id: string; day: string; account_id: string; clicks: number };
  }
}
