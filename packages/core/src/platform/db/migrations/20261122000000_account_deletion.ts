import { OnlineMigration } from './online-migration.ts';

/** When an account goes, with all that is in it. */
export class AccountDeletion extends OnlineMigration {
  readonly statements = ['alter table account add column deletion_scheduled_at timestamptz(3)'];
}
