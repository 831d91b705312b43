import { OnlineMigration } from './online-migration.ts';

/**
 * Adds what the merchant reported about a sale, so that a later report with the same id can be compared with it, and whether a dispute of the
 * sale is open.
 */
export class SaleFacts extends OnlineMigration {
  readonly statements = ['alter table sale add column report jsonb, add column disputed boolean not null default false'];
}
