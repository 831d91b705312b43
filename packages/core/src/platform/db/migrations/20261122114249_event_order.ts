import { OnlineMigration } from './online-migration.ts';

/**
 * Adds one row per account. It holds the time that is part of the id of the account's latest event. Transactions that write
 * events lock this row to put their events in order.
 */
export class EventOrder extends OnlineMigration {
  override readonly statements = [
    `create table event_order (
      account_id text collate "C" primary key references account,
      last_at timestamptz(3) not null
    ) with (fillfactor = 50)`,
  ];
}
