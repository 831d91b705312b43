import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Adds the merchant's own id of an affiliate. */
export class ExternalIds extends OnlineMigration {
  readonly statements = ['alter table affiliate add column external_id text'];
}

export class ExternalIdIndex extends IndexMigration {
  readonly indexes = {
    affiliate_external_id: 'unique on affiliate (account_id, external_id) where external_id is not null and archived_at is null',
  };
}
