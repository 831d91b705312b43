import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Adds the number of visitors whose referrals were purged, per link and day of the visit. */
export class VisitorCounts extends OnlineMigration {
  readonly statements = [
    `create table visitor_count (
      account_id text collate "C" not null references account on delete cascade,
      affiliate_id text collate "C" not null references affiliate,
      link_id text collate "C" references link,
      day date not null,
      visitors bigint not null,
      constraint visitor_count_key unique nulls not distinct (affiliate_id, link_id, day)
    )`,
    'create index visitor_count_link on visitor_count (link_id) where link_id is not null',
    'create index visitor_count_day on visitor_count (account_id, day)',
  ];
}

/** Adds indexes for purges. Purges look up expired records, and the sales that reference a referral. */
export class PurgeIndexes extends IndexMigration {
  readonly indexes = {
    referral_purge: `on referral (expires_at) where conversion_state = 'visitor' and customer_id is null`,
    sale_named_referral: 'on sale (named_referral_id) where named_referral_id is not null',
    psp_payment_purge: 'on psp_payment (updated_at) where sale_id is null',
    psp_operation_purge: 'on psp_operation (updated_at)',
  };
}
