import { IndexMigration, OnlineMigration } from './online-migration.ts';

/**
 * Lets lists by state and `updated_since` count commissions with an index-only scan. Replaces the former index on `updated_at`, so
 * that bulk work need not maintain both indexes.
 */
export class CountOfCommissions extends IndexMigration {
  readonly indexes = { commission_updated_state: 'on commission (account_id, updated_at) include (state)' };
}

export class DropCommissionUpdated extends OnlineMigration {
  readonly statements = ['drop index commission_updated'];
}
