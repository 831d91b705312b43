import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/call/context.ts';
import { currencyCode, signedCents } from '../../platform/wire/scalars.ts';

export const GetFallingDue = z.strictObject({});

export const FallingDue = z
  .object({
    months: z
      .array(
        z.object({
          month: z.string().meta({ example: '2026-12' }),
          currency: currencyCode(),
          count: z.int(),
          amount_cents: signedCents(),
        }),
      )
      .describe('Pending live commissions by the month (UTC) in which they become due, e.g. `2026-12`.'),
  })
  .meta({ id: 'FallingDue', description: 'Pending commissions by the month in which they become due.' });
export type FallingDue = z.infer<typeof FallingDue>;

/** Returns the amounts of pending commissions by the month in which they become due. */
export async function getFallingDue({ db, accountId }: Ctx): Promise<FallingDue> {
  const { rows } = await sql<FallingDue['months'][number]>`
    select to_char(due_at at time zone 'utc', 'YYYY-MM') as month, currency, count(*) as count, sum(amount_cents)::bigint as amount_cents
    from commission where account_id = ${accountId} and state = 'pending' and livemode group by 1, 2 order by 1, 2`.execute(db);
  return { months: rows };
}
