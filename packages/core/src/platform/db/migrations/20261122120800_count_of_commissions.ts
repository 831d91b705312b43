import { IndexMigration, OnlineMigration } from './online-migration.ts';

/**
 * Adds an index on `updated_at` that includes the state, so that commissions filtered by state and `updated_since` can be counted in an
 * index-only scan. Replaces the former index, which was on `updated_at` alone, so that bulk work need not maintain both indexes.
 */
export class CountOfCommissions extends IndexMigration {
  readonly indexes = { commission_updated_state: 'on commission (account_id, updated_at) include (state)' };
}

export class DropCommissionUpdated extends OnlineMigration {
  readonly statements = ['drop index commission_updated'];
}
