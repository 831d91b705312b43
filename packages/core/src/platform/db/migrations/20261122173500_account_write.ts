import { OnlineMigration } from './online-migration.ts';

/**
 * Adds the position in the write-ahead log after each account's latest change (platform/db/replica.ts). The table is unlogged, so writing it
 * needs no flush. A crash or failover empties it. That is intended, because earlier positions may not apply afterwards.
 */
export class AccountWrite extends OnlineMigration {
  override readonly statements = [
    `create unlogged table account_write (
      account_id text collate "C" primary key references account,
      position pg_lsn not null
    ) with (fillfactor = 50)`,
  ];
}
