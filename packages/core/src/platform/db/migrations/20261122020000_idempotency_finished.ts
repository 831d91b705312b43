import { OnlineMigration } from './online-migration.ts';

/** Distinguishes finished requests from multi-step requests that have only begun. Rows of the previous version count as finished. */
export class IdempotencyFinished extends OnlineMigration {
  readonly statements = ['alter table idempotency_key add column finished boolean not null default true'];
}
