import { OnlineMigration } from './online-migration.ts';

/** Accounts that the service filled with an example. Those of earlier versions stay ordinary: they may have become somebody's program. */
export class ExampleAccounts extends OnlineMigration {
  readonly statements = [`alter table account add column is_example boolean not null default false`];
}
