import { OnlineMigration } from './online-migration.ts';

/** Adds a payout state for transfers that were returned, and a table of the commissions in such payouts. */
export class ReturnedPayouts extends OnlineMigration {
  readonly statements = [
    'alter table payout add column returned_at timestamptz(3), add column return_reason text',
    'alter table payout drop constraint payout_status_check, drop constraint payout_check',
    `alter table payout
      add constraint payout_status_check check (status in ('open', 'open_test', 'processing', 'paid', 'returned')) not valid,
      add constraint payout_paid_at check ((status in ('paid', 'returned')) = (paid_at is not null)) not valid,
      add constraint payout_returned_at check ((status = 'returned') = (returned_at is not null)) not valid`,
    `create table returned_payout_item (
      payout_id text collate "C" not null references payout,
      commission_id text collate "C" not null references commission,
      amount_cents bigint not null,
      primary key (payout_id, commission_id)
    )`,
    'create index returned_payout_item_commission on returned_payout_item (commission_id)',
    'alter table payout_export add column returned_count integer not null default 0',
    'alter table payout_run_item drop constraint payout_run_item_state_check',
    `alter table payout_run_item add constraint payout_run_item_state_check
      check (state in ('candidate', 'planned', 'paid', 'returned', 'failed', 'excluded', 'canceled')) not valid`,
  ];
}

/**
 * Validates the constraints for existing rows, which scans the tables without blocking writes. New rows are already
 * checked.
 */
export class ValidReturnedPayouts extends OnlineMigration {
  readonly statements = [
    'alter table payout validate constraint payout_status_check',
    'alter table payout validate constraint payout_paid_at',
    'alter table payout validate constraint payout_returned_at',
    'alter table payout_run_item validate constraint payout_run_item_state_check',
  ];
}
