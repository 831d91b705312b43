import { IndexMigration } from './online-migration.ts';

/** For lists of archived records. Other records are not in these indexes. */
export class ArchivedRecords extends IndexMigration {
  readonly indexes = {
    affiliate_archived: 'on affiliate (account_id, id) where archived_at is not null',
    link_archived: 'on link (account_id, id) where archived_at is not null',
  };
}
