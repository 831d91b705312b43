import { OnlineMigration } from './online-migration.ts';

/** Tells a stored response from work in several steps that has only begun. A row written by the previous version counts as finished. */
export class IdempotencyFinished extends OnlineMigration {
  readonly statements = ['alter table idempotency_key add column finished boolean not null default true'];
}
