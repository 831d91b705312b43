import { IndexMigration } from './online-migration.ts';

/** Notes about digests are purged by age. */
export class NoticesByAge extends IndexMigration {
  readonly indexes = {
    affiliate_notice_digest_age: `on affiliate_notice (created_at) where mail = 'commission_digest'`,
  };
}
