import { OnlineMigration } from './online-migration.ts';

/** Refunds of which a credit note tells the tax. */
export class NotedRefunds extends OnlineMigration {
  readonly statements = [
    `alter table sale
      add column noted_refund_cents bigint not null default 0,
      add column noted_tax_cents bigint not null default 0`,
  ];
}
