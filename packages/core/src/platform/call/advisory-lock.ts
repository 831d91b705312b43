import { sql } from 'kysely';
import type { Ctx } from './context.ts';

/** Makes transactions of this account that do the named thing take turns, until they end. For choices that depend on what is not there yet. */
export async function takeTurns(ctx: Ctx, what: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${ctx.accountId} ${what}`}, 0))`.execute(ctx.db);
}
