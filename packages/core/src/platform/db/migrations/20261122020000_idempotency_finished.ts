import { OnlineMigration } from './online-migration.ts';

/** Tells a key whose response is stored from one whose work in several steps has only begun. A row of the version before counts as finished. */
export class IdempotencyFinished extends OnlineMigration {
  readonly statements = ['alter table idempotency_key add column finished boolean not null default true'];
}
