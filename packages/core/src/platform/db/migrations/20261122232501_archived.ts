import { IndexMigration } from './online-migration.ts';

/** Adds indexes for lists of archived records. The indexes contain no other records. */
export class ArchivedRecords extends IndexMigration {
  readonly indexes = {
    affiliate_archived: 'on affiliate (account_id, id) where archived_at is not null',
    link_archived: 'on link (account_id, id) where archived_at is not null',
  };
}
