import { findReferred } from '../../attribution/claims/referred.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import { recordSale } from '../sales/record-sale.ts';
import { REPORTED } from '../sales/report.ts';
import type { RecordTestSale } from './site.schema.ts';

const AMOUNT_CENTS = 10_000;

/**
 * Records the sale of a test visit like a sale in the payment provider's test mode, once for each visit.
 *
 * @throws NOT_FOUND for an unknown referral
 */
export async function recordTestSale(ctx: WriteCtx, { mark, referral_id }: RecordTestSale): Promise<{ sale_id: string }> {
  const known = await ctx.db
    .selectFrom('sale')
    .select('id')
    .where('account_id', '=', ctx.accountId)
    .where('external_id', '=', mark)
    .executeTakeFirst();
  if (known) return { sale_id: known.id };
  const { referral, referredId } = foundOrThrow(await findReferred(ctx, referral_id), 'referral');
  const { currency } = await ctx.db
    .selectFrom('account')
    .select('currency')
    .where('id', '=', ctx.accountId)
    .executeTakeFirstOrThrow();
  const payment = {
    ...REPORTED,
    mode: 'test' as const,
    charged: { amount: { amount: AMOUNT_CENTS, currency }, tax: null, shipping: null, at: ctx.now },
  };
  const report = { external_id: mark, metadata: undefined, isNow: true };
  const { saleId } = await recordSale(ctx, payment, { referral, referredId, report }, null);
  return { sale_id: saleId };
}
