import { OnlineMigration } from './online-migration.ts';

/** The time in the id of each account's latest event, and the lock that puts its transactions in order when they write events. */
export class EventOrder extends OnlineMigration {
  override readonly statements = [
    `create table event_order (
      account_id text collate "C" primary key references account,
      last_at timestamptz(3) not null
    ) with (fillfactor = 50)`,
  ];
}
