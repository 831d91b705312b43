import { DomainError } from '../../platform/errors/errors.ts';
import type { Db } from '../../platform/db/database.ts';
import type { TableRow } from '../../platform/db/tables.ts';

/** Who holds a promotion code of the provider: decided by its exact id, the account and the mode, and by nothing else. */
export async function findOwner(
  db: Db,
  { accountId, livemode, pspPromotionCodeId }: { accountId: string; livemode: boolean; pspPromotionCodeId: string },
): Promise<TableRow<'promo_code'> | undefined> {
  return db
    .selectFrom('promo_code')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where('psp_promotion_code_id', '=', pspPromotionCodeId)
    .executeTakeFirst();
}

/** Codes are neither transferable nor reactivated (docs/domain-rules.md#promo-codes). Throws CONFLICT. */
export function assertMayHold(owner: TableRow<'promo_code'>, affiliateId: string): void {
  if (owner.affiliate_id !== affiliateId) {
    throw new DomainError('CONFLICT', 'This promotion code belongs to another affiliate. Codes cannot be transferred.');
  }
  if (owner.status === 'stopped') {
    throw new DomainError('CONFLICT', 'Tracking of this promotion code was stopped. A code cannot be reactivated.');
  }
  if (owner.origin === 'affiliate_coupon') {
    throw new DomainError('CONFLICT', 'This promotion code is already the affiliate’s coupon.');
  }
}
