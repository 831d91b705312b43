import { OnlineMigration } from './online-migration.ts';

/** Adds to each sale the keys of claims that could not earn when another claim earned the sale's commission. */
export class PassedOver extends OnlineMigration {
  readonly statements = [`alter table sale add column passed_over jsonb not null default '[]'`];
}
