import type { Db } from '../../platform/db/database.ts';
import type { PayoutTerms } from './payout-terms.ts';

/** Finds the terms of an account for a method. Undefined: no fee and no minimum. */
export async function findPayoutTerms(
  { db, accountId }: { db: Pick<Db, 'selectFrom'>; accountId: string },
  method: string,
): Promise<PayoutTerms | undefined> {
  const account = db.selectFrom('account').select('payout_terms').where('id', '=', accountId);
  return (await account.executeTakeFirst())?.payout_terms.find((terms) => terms.method === method);
}
