import { OnlineMigration } from './online-migration.ts';

/** Lets sites of a merchant embed the portal. */
export class Embedding extends OnlineMigration {
  readonly statements = [
    `alter table account add column embed_origins jsonb not null default '[]'`,
    'alter table portal_access drop constraint portal_access_kind_check',
    // Not validated: existing rows satisfy the constraint, because they have one of the kinds `link` and `view`.
    `alter table portal_access add constraint portal_access_kind_check check (kind in ('link', 'view', 'embed')) not valid`,
  ];
}
