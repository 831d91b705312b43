import { Client } from 'pg';
import type { TestService } from '../support/service.ts';

/**
 * Tables that change beside a call: the log of calls, when a credential was last used, and the outbox, which empties by itself (a
 * test of its own holds previews to sending no mail).
 */
const OF_EVERY_CALL = ['audit_log', 'connector', 'api_key', 'outgoing_mail'];

/** Every row of every table of the service, as text: equal before and after means that nothing has changed. */
export function allRows(service: TestService): Promise<Record<string, string[]>> {
  return onDatabase(service, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all ($1) order by name`,
      [OF_EVERY_CALL],
    );
    const dump: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from "${name}" t order by row`);
      dump[name] = rows.map(({ row }) => row);
    }
    return dump;
  });
}

/** Events of an account, in the order in which they were emitted. */
export function eventsOf(service: TestService, accountId: string): Promise<{ type: string; data: unknown }[]> {
  return onDatabase(service, async (client) => {
    const { rows } = await client.query<{ type: string; data: unknown }>(
      `select type, body::json -> 'data' as data from event where account_id = $1 order by id`,
      [accountId],
    );
    return rows;
  });
}

async function onDatabase<T>({ databaseUrl }: TestService, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
