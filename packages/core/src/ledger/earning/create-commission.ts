import { callerId } from '../../platform/call/caller.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { referenced } from '../../platform/call/records.ts';
import { newMerchantColumns } from '../../platform/call/save-merchant-data.ts';
import { Affiliate } from '../../program/affiliates/affiliate.entity.ts';
import { lockAffiliate } from '../affiliate-lock.ts';
import type { CommissionRecord } from '../commissions/commission.expansions.ts';
import { getCommission } from '../commissions/commission.queries.ts';
import type { CreateCommission } from '../commissions/commission.schema.ts';
import { bookCommission } from './book-commission.ts';

/**
 * Creates a manual commission: a bonus or, if the amount is negative, a correction (docs/rules/ledger.md#manual-commissions). The
 * commission is live and has the affiliate's campaign.
 *
 * @throws VALIDATION_ERROR for an unknown affiliate
 */
export async function createManualCommission(ctx: WriteCtx, input: CreateCommission): Promise<CommissionRecord> {
  const { affiliate_id, amount_cents, currency, note, due_at = ctx.now } = input;
  const { campaign_id } = await referenced(ctx, Affiliate, affiliate_id, 'affiliate_id');
  const held = await lockAffiliate(ctx, affiliate_id);
  const commission = await bookCommission(ctx, held, {
    kind: 'manual',
    campaign_id,
    affiliate_id,
    referral_id: null,
    sale_id: null,
    adjusts_commission_id: null,
    amount_cents,
    currency,
    livemode: true,
    basis_points: null,
    due_at,
    review_status: null,
    review_reason: null,
    ...newMerchantColumns(input),
    note,
    created_by: callerId(ctx.principal),
  });
  return getCommission(ctx, commission.id);
}
