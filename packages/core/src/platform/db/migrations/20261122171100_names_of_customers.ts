import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Adds columns for additional email addresses and provider ids of a customer. */
export class NamesOfCustomers extends OnlineMigration {
  readonly statements = [
    `alter table customer
      add column other_emails jsonb not null default '[]',
      add column other_psp_customer_ids jsonb not null default '[]'`,
  ];
}

export class FindCustomersByName extends IndexMigration {
  readonly indexes = {
    customer_other_emails: `on customer using gin (other_emails jsonb_path_ops) where other_emails <> '[]'`,
    customer_other_psp: `on customer using gin (other_psp_customer_ids jsonb_path_ops) where other_psp_customer_ids <> '[]'`,
  };
}
