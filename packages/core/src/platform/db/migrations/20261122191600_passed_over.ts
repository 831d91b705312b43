import { OnlineMigration } from './online-migration.ts';

/** Claims that could not earn while a sale earned its commission for another. */
export class PassedOver extends OnlineMigration {
  readonly statements = [`alter table sale add column passed_over jsonb not null default '[]'`];
}
