import { OnlineMigration } from './online-migration.ts';

/** The time at which an account is deleted with all its records. */
export class AccountDeletion extends OnlineMigration {
  readonly statements = ['alter table account add column deletion_scheduled_at timestamptz(3)'];
}
