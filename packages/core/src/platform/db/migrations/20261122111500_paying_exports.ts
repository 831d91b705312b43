import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Exports that are paid in steps: how far they are, and which of them have work left. */
export class PayingExports extends OnlineMigration {
  readonly statements = [
    'alter table payout_export add column paid_count integer not null default 0, add column paid_through text collate "C"',
    'alter table payout_export drop constraint payout_export_state_check',
    `alter table payout_export add constraint payout_export_state_check
      check (state in ('processing', 'paying', 'paid', 'released')) not valid`,
  ];
}

export class FindPayingExports extends IndexMigration {
  readonly indexes = { payout_export_paying: `on payout_export (id) where state = 'paying'` };
}
