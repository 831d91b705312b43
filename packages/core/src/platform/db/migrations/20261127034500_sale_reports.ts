import { OnlineMigration } from './online-migration.ts';

/** Adds what the merchant reported about a sale, so that a later report with the same id can be compared with it. */
export class SaleReports extends OnlineMigration {
  readonly statements = ['alter table sale add column report jsonb'];
}
