import { OnlineMigration } from './online-migration.ts';

/**
 * Adds what the merchant reported about a sale, so that a later report with the same id can be compared with it, whether a dispute of the sale
 * is open, and whether a person voided a commission.
 */
export class SaleFacts extends OnlineMigration {
  readonly statements = [
    'alter table sale add column report jsonb, add column disputed boolean not null default false',
    'alter table commission add column voided_by_hand boolean not null default false',
  ];
}
