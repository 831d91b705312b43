import type { WriteCtx } from '../../platform/call/context.ts';
import type { Receiver } from '../method/method.ts';

/** Returns the affiliate as the receiver of all prepared payments. */
export async function findReceivers({ db, services }: WriteCtx, affiliateId: string): Promise<Receiver[]> {
  const rows = await db
    .selectFrom('payout_export_item')
    .select('sealed_receiver')
    .where('affiliate_id', '=', affiliateId)
    .execute();
  return rows.map(({ sealed_receiver }) => JSON.parse(services.secrets.open(sealed_receiver)) as Receiver);
}

/** Erases the affiliate as the receiver of prepared payments. Files that were made of them show `address` in place of every address. */
export async function eraseReceivers(
  { db, services: { secrets } }: WriteCtx,
  affiliateId: string,
  address: string,
): Promise<void> {
  const items = db.selectFrom('payout_export_item').where('affiliate_id', '=', affiliateId);
  for (const { export_id, payout_id, sealed_receiver } of await items
    .select(['export_id', 'payout_id', 'sealed_receiver'])
    .execute()) {
    const former = JSON.parse(secrets.open(sealed_receiver)) as Receiver;
    const addresses = Object.fromEntries(Object.keys(former.addresses).map((kind) => [kind, { email: address }]));
    const erased: Receiver = { ...former, email: address, first_name: null, last_name: null, addresses };
    await db
      .updateTable('payout_export_item')
      .set({ sealed_receiver: secrets.seal(JSON.stringify(erased)) })
      .where('export_id', '=', export_id)
      .where('payout_id', '=', payout_id)
      .execute();
  }
}
