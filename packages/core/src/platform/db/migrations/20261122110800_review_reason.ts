import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Adds two columns: why the service flagged a commission, and the id of the provider's payment for a reported sale. */
export class ReviewReason extends OnlineMigration {
  readonly statements = [
    'alter table commission add column review_reason text',
    'alter table sale add column psp_payment_intent_id text',
  ];
}

/** Allows at most one sale per provider payment, and adds an index for finding sales by invoice. */
export class SaleOfPayment extends IndexMigration {
  readonly indexes = {
    sale_psp_payment_intent: 'unique on sale (account_id, psp_payment_intent_id) where psp_payment_intent_id is not null',
    sale_psp_invoice: 'on sale (account_id, psp_invoice_id) where psp_invoice_id is not null',
  };
}
