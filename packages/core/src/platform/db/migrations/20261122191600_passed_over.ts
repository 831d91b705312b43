import { OnlineMigration } from './online-migration.ts';

/** Adds to a sale the claims that could not earn because the sale already earned a commission for another affiliate. */
export class PassedOver extends OnlineMigration {
  readonly statements = [`alter table sale add column passed_over jsonb not null default '[]'`];
}
