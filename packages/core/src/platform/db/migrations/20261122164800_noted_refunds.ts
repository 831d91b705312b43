import { OnlineMigration } from './online-migration.ts';

/** Adds the refunded amount of a sale for which credit notes state the tax, and that tax. */
export class NotedRefunds extends OnlineMigration {
  readonly statements = [
    `alter table sale
      add column noted_refund_cents bigint not null default 0,
      add column noted_tax_cents bigint not null default 0`,
  ];
}
