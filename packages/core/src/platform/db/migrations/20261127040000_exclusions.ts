import { OnlineMigration } from './online-migration.ts';

/** Adds the merchant's wish, in metadata of the payment provider, that nobody earns from a sale or a customer. */
export class Exclusions extends OnlineMigration {
  readonly statements = [
    'alter table psp_payment add column excluded boolean not null default false',
    'alter table sale add column excluded boolean not null default false',
    `alter table customer add column exclusions jsonb not null default '[]'`,
  ];
}
