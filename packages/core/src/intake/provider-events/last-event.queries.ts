import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/call/context.ts';
import { instant } from '../../platform/wire/scalars.ts';

export const LastEvents = z.object({
  live: instant().nullable().describe('Time of the last live event; null if there was none in 90 days.'),
  test: instant().nullable().describe('Time of the last event of the test mode; null if there was none in 90 days.'),
});

/** Returns the time at which the payment provider's last event of each mode was received. Reads two rows of an index. */
export async function getLastEvents({ db, accountId }: Ctx): Promise<z.infer<typeof LastEvents>> {
  const last = (livemode: boolean) => sql`(
    select received_at from psp_event where account_id = ${accountId} and livemode = ${livemode} order by received_at desc limit 1)`;
  const { rows } = await sql<z.infer<typeof LastEvents>>`select ${last(true)} as live, ${last(false)} as test`.execute(db);
  return rows[0]!;
}
