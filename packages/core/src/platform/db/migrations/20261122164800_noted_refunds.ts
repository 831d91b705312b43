import { OnlineMigration } from './online-migration.ts';

/**
 * Adds two amounts to sales: the part of the refunds that is covered by credit notes, and the tax that these credit
 * notes state.
 */
export class NotedRefunds extends OnlineMigration {
  readonly statements = [
    `alter table sale
      add column noted_refund_cents bigint not null default 0,
      add column noted_tax_cents bigint not null default 0`,
  ];
}
