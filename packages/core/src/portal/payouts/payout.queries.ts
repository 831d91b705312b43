import { foundOrThrow } from '../../platform/call/records.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, type PageInput, paginate } from '../../platform/wire/pagination.ts';
import { fieldNames } from '../../platform/wire/wire-record.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import { ownPayouts } from './own-payouts.ts';
import { PortalPayout } from './payout.schema.ts';

const COLUMNS = fieldNames(PortalPayout).map((name) => `payout.${name}` as const);

/** Lists the affiliate's payouts, newest first. */
export async function listOwnPayouts(ctx: AffiliateCtx, page: PageInput): Promise<Page<PortalPayout>> {
  return paginate(ownPayouts(ctx), page, {
    order: listOrder('-created_at', { table: 'payout' }),
    select: (all) => all.select(COLUMNS),
  });
}

/** Returns one payout. Throws NOT_FOUND when the payout does not exist or belongs to another affiliate. */
export async function getOwnPayout(ctx: AffiliateCtx, id: string): Promise<PortalPayout> {
  return foundOrThrow(await ownPayouts(ctx).select(COLUMNS).where('payout.id', '=', id).executeTakeFirst(), 'payout');
}
