import { sql } from 'kysely';
import { lockAffiliate } from '../../program/affiliates/affiliate.service.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { loadForUpdate } from '../../platform/call/records.ts';
import type { WriteCtx } from '../../platform/call/context.ts';
import { Payout } from '../../earnings/payout-records/payout.entity.ts';
import { emitPayoutsPaid } from './payout.events.ts';
import { getPayout } from './payout.queries.ts';
import type { PayoutRecord } from './payout.expansions.ts';
import type { PayPayout } from './payout.schema.ts';

/**
 * Marks an open payout paid by hand, with its commissions; emits `payout.paid`. Paying one that is not eligible yet is the
 * merchant's choice; but nobody can be paid nothing, or less: that would only make the claim on the next payout vanish.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR when it is claimed or paid already, or not above zero
 */
export async function payPayout(ctx: WriteCtx, { id, payment_reference }: PayPayout): Promise<PayoutRecord> {
  const { affiliate_id } = await getPayout(ctx, { id });
  await lockAffiliate(ctx, affiliate_id);
  const payout = await loadForUpdate(ctx, Payout, id);
  if (payout.status === 'paid') throw invalid('id', 'This payout is paid already', 'invalid_state');
  if (payout.status === 'processing') throw invalid('id', 'This payout is claimed by an export or a run', 'invalid_state');
  if (payout.amount_cents <= 0) {
    throw invalid(
      'id',
      'Nothing is to be paid: what is negative is netted from what comes next. An adjustment that was settled otherwise can be marked paid or voided.',
      'not_positive',
    );
  }
  payout.markPaid(payment_reference ?? null, ctx.now);
  await ctx.em.flush();
  await markCommissionsPaid(ctx, [id]);
  await emitPayoutsPaid(ctx, [id]);
  return getPayout(ctx, { id });
}

/** Marks the commissions of payouts paid that were just marked so; voided ones stay voided. The caller holds the affiliates' locks. */
export async function markCommissionsPaid(ctx: WriteCtx, payoutIds: readonly string[]): Promise<void> {
  await sql`
    update commission set state = 'paid', paid_at = ${ctx.now}, updated_at = ${ctx.now}
    from payout_item item
    where item.payout_id = any (${payoutIds}) and commission.id = item.commission_id and commission.state <> 'voided'`.execute(
    ctx.db,
  );
}
