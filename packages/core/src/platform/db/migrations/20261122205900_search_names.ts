import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Lets searches find affiliates that have only a first or only a last name. */
export class SearchNames extends IndexMigration {
  readonly indexes = {
    affiliate_search_names: `on affiliate (account_id, lower(coalesce(first_name, '') || ' ' || coalesce(last_name, '')) text_pattern_ops)`,
  };
}

export class DropSearchName extends OnlineMigration {
  readonly statements = ['drop index affiliate_search_name'];
}
