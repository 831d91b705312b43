import { type Database, systemClock } from '@affiliate/core';

/**
 * Stops the payments of accounts for which a service pays. The database does not know what was sent since the backup: what it would prepare again has
 * another key, and the service that pays may have forgotten the key of what was prepared then.
 *
 * @returns the number of accounts
 */
export async function stopPayments({ kysely }: Database): Promise<number> {
  const { numUpdatedRows } = await kysely
    .updateTable('account')
    .set((account) => ({
      payouts_stopped_at: account.fn.coalesce('payouts_stopped_at', account.val(systemClock.now().toISOString())),
    }))
    .where('id', 'in', (rails) => rails.selectFrom('payout_rail').select('account_id').where('state', '=', 'connected'))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
