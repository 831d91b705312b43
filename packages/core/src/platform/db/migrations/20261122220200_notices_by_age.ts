import { IndexMigration } from './online-migration.ts';

/** Adds the index by which records of sent digests are purged. */
export class NoticesByAge extends IndexMigration {
  readonly indexes = {
    affiliate_notice_digest_age: `on affiliate_notice (created_at) where mail = 'commission_digest'`,
  };
}
