import type { Db } from '../../platform/db/database.ts';
import type { TableRow } from '../../platform/db/tables.ts';
import { DomainError } from '../../platform/errors/errors.ts';

/** Finds the assignment of a promotion code in an account and mode, by the code's exact id at the provider. The code's text is not compared. */
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

/**
 * Throws CONFLICT unless the affiliate holds the code. Codes are neither transferred nor reactivated (docs/rules/codes.md#promo-codes).
 */
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
