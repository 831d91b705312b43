import { IndexMigration, OnlineMigration } from './online-migration.ts';

/** Adds the progress of exports that are being paid in steps. */
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
