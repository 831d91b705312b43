import { OnlineMigration } from './online-migration.ts';

/**
 * Marks accounts that the service created as an example. Examples of earlier versions are not marked, because they may be in real use.
 */
export class ExampleAccounts extends OnlineMigration {
  readonly statements = [`alter table account add column is_example boolean not null default false`];
}
