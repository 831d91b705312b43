import { OnlineMigration } from './online-migration.ts';

/**
 * Position in the write-ahead log after each account's latest change (platform/db/replica.ts). Unlogged: it costs no flush, and after a crash or
 * a failover, whose log has other positions, it is empty.
 */
export class AccountWrite extends OnlineMigration {
  override readonly statements = [
    `create unlogged table account_write (
      account_id text collate "C" primary key references account,
      position pg_lsn not null
    ) with (fillfactor = 50)`,
  ];
}
