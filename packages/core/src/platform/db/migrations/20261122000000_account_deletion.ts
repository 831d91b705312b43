import { OnlineMigration } from './online-migration.ts';

/** Adds the time at which an account and all its records will be deleted. */
export class AccountDeletion extends OnlineMigration {
  readonly statements = ['alter table account add column deletion_scheduled_at timestamptz(3)'];
}
