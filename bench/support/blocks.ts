import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';

/**
 * Returns the number of blocks read so far by this connection and by connections that have ended. PostgreSQL adds the blocks of a connection
 * when it ends.
 */
export async function blocksSoFar(client: Client): Promise<number> {
  for (;;) {
    const { rows } = await client.query<{ others: number }>(
      `select count(*)::int as others from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    if (rows[0]!.others === 0) break;
    await setTimeout(50);
  }
  await client.query('select pg_stat_force_next_flush()');
  const { rows } = await client.query<{ blocks: string }>(
    `select blks_hit + blks_read as blocks from pg_stat_database where datname = current_database()`,
  );
  return Number(rows[0]!.blocks);
}
