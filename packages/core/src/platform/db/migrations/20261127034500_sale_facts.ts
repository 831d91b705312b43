import { IndexMigration, OnlineMigration } from './online-migration.ts';

/**
 * Adds what the merchant reported about a sale, so that a later report with the same id can be compared with it, whether a dispute of the sale
 * is open, whether a tax of another currency was ignored, and whether a person voided a commission.
 */
export class SaleFacts extends OnlineMigration {
  readonly statements = [
    `alter table sale add column report jsonb, add column disputed boolean not null default false,
      add column tax_ignored boolean not null default false`,
    'alter table psp_payment add column tax_currency text',
    'alter table commission add column voided_by_hand boolean not null default false',
  ];
}

/** Adds indexes for finding archived affiliates by their address, and open payouts that are debts. */
export class DebtIndexes extends IndexMigration {
  readonly indexes = {
    affiliate_archived_email: 'on affiliate (account_id, lower(email)) where archived_at is not null',
    payout_debt: `on payout (affiliate_id) where status in ('open', 'open_test') and amount_cents < 0`,
  };
}
