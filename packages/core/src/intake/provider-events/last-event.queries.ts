import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import type { LastEvents } from './last-event.schema.ts';

/** Returns the time at which the payment provider's last event of each mode was received. Reads two rows of an index. */
export async function getLastEvents({ db, accountId }: Ctx): Promise<LastEvents> {
  const last = (livemode: boolean) => sql`(
    select received_at from psp_event where account_id = ${accountId} and livemode = ${livemode} order by received_at desc limit 1)`;
  const { rows } = await sql<LastEvents>`select ${last(true)} as live, ${last(false)} as test`.execute(db);
  return rows[0]!;
}
