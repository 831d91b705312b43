import { replaceReceiver } from '../../ledger/payouts/payout.transitions.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Receiver } from '../port/method.ts';

/** Returns the affiliate as the receiver of all prepared payments. */
export async function findReceivers({ db, services }: WriteCtx, affiliateId: string): Promise<Receiver[]> {
  const rows = await attemptsOf(db, affiliateId).select('sealed_receiver').execute();
  return rows.map(({ sealed_receiver }) => JSON.parse(services.secrets.open(sealed_receiver!)) as Receiver);
}

/** Erases the affiliate as the receiver of prepared payments. Files that were made of them show `address` in place of every
 * part of an address, so that no bank takes them. */
export async function eraseReceivers(
  { db, accountId, services: { secrets } }: WriteCtx,
  affiliateId: string,
  address: string,
): Promise<void> {
  for (const { id, sealed_receiver } of await attemptsOf(db, affiliateId).select(['id', 'sealed_receiver']).execute()) {
    const former = JSON.parse(secrets.open(sealed_receiver!)) as Receiver;
    const addresses = Object.fromEntries(
      Object.entries(former.addresses).map(([kind, fields]) => [
        kind,
        Object.fromEntries(Object.keys(fields).map((field) => [field, address])),
      ]),
    );
    const erased: Receiver = { ...former, email: address, first_name: null, last_name: null, addresses };
    await replaceReceiver(db, { accountId, id, sealed_receiver: secrets.seal(JSON.stringify(erased)) });
  }
}

/** Starts a query of the affiliate's attempts with a receiver. */
function attemptsOf(db: Db, affiliateId: string) {
  return db.selectFrom('payout_attempt').where('affiliate_id', '=', affiliateId).where('sealed_receiver', 'is not', null);
}
