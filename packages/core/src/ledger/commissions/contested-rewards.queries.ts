import { sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { type Commission, type ContestedReward, isContested } from './commission.entity.ts';

/** Returns what each paid reward would be by the facts that are known now, for expansions. Null for a commission that cannot be reconsidered. */
export async function findContestsOfCommissions(
  { db, accountId }: Ctx,
  commissions: readonly { id: string }[],
): Promise<(ContestedReward | null)[]> {
  const ids = commissions.map(({ id }) => id);
  const { rows } = await sql<Pick<Commission, 'id' | 'state' | 'contested'>>`
    select id, state, contested from commission where account_id = ${accountId} and id = any (${ids})`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row && isContested(row) ? row.contested : null;
  });
}
