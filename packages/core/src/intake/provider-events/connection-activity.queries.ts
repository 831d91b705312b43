import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import type { ConnectionActivity } from '../../sources/connections/connection.schema.ts';
import { IS_KEPT } from './kept-events.ts';

const NO_ACTIVITY: ConnectionActivity = { last_event_at: null, ignored_events: 0, waiting_events: 0 };

/** Adds the outcomes of their events to connections. */
export async function withActivity<Connection extends { id: string }>(
  { db, accountId }: Pick<Ctx, 'db' | 'accountId'>,
  connections: readonly Connection[],
): Promise<(Connection & ConnectionActivity)[]> {
  const ids = connections.map(({ id }) => id);
  if (ids.length === 0) return [];
  const { rows } = await sql<ConnectionActivity & { connection_id: string }>`
    select connection_id, max(received_at) as last_event_at, count(*) filter (where ${IS_KEPT}) as ignored_events,
      count(*) filter (where state = 'pending') as waiting_events
    from psp_event where account_id = ${accountId} and connection_id = any (${ids}::text[]) group by connection_id`.execute(db);
  const known = new Map(rows.map(({ connection_id, ...activity }) => [connection_id, activity]));
  return connections.map((connection) => ({ ...connection, ...(known.get(connection.id) ?? NO_ACTIVITY) }));
}
