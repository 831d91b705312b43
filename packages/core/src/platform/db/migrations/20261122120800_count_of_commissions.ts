import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Lists by state and `updated_since` count their records in the index alone. Bulk work keeps one index of `updated_at`, as before. */
export class CountOfCommissions extends IndexMigration {
  readonly indexes = { commission_updated_state: 'on commission (account_id, updated_at) include (state)' };
}

export class DropCommissionUpdated extends OnlineMigration {
  readonly statements = ['drop index commission_updated'];
}
