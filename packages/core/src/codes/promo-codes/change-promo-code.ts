import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { foundOrThrow, lock, save } from '../../platform/call/records.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { CODE_REASONS } from '../reasons.ts';
import { assignableAffiliate } from './assignable-affiliate.ts';
import { findAtProvider, refuse } from './code-at-provider.ts';
import { promoCodeAssignment, warningsAbout } from './promo-code-record.ts';
import { PromoCode, stoppedTracking, withAbsence, withObservation } from './promo-code.entity.ts';
import type { ChangePromoCode, PromoCodeOutcome, PromoCodeWarning } from './promo-code.schema.ts';

const GONE: PromoCodeWarning = { code: 'gone', message: String(CODE_REASONS.code_gone) };

/**
 * Reads the code from the provider. Stores the state that the provider reports, unless the call is a preview.
 *
 * @throws NOT_FOUND, PSP_NOT_CONNECTED, VALIDATION_ERROR, PSP_ERROR
 */
export async function refreshPromoCode(ctx: Ctx, input: ChangePromoCode): Promise<PromoCodeOutcome> {
  const { connection } = await assignableAffiliate(ctx, input.affiliate_id);
  const row = foundOrThrow(await assignmentOf(ctx, input), 'promo code');
  if (row.origin === 'own') throw invalid('id', CODE_REASONS.own_code_unknown_to_provider, 'own_code');
  if (row.livemode !== connection.livemode) throw invalid('id', CODE_REASONS.code_of_other_mode, 'other_mode');
  const observed = await findAtProvider(connection, row.psp_promotion_code_id).catch(refuse);
  return change(ctx, input, 'refresh', observed ? warningsAbout(observed) : [GONE], (code) =>
    observed ? withObservation(code, observed, ctx.now) : withAbsence(code, ctx.now),
  );
}

/**
 * Stops tracking the code permanently. In a preview, changes nothing, and returns the record as the change would leave it. The
 * provider continues to redeem the code, and sales that the code attributed keep their commissions. Works without a connection to the
 * provider.
 *
 * @throws NOT_FOUND
 */
export function stopPromoCode(ctx: Ctx, input: ChangePromoCode): Promise<PromoCodeOutcome> {
  return change(ctx, input, 'stop', [], (code) => stoppedTracking(code, ctx.now));
}

/**
 * Moves an affiliate's codes from one campaign to another, including the code of the affiliate's coupon. Codes whose tracking was stopped
 * are not moved.
 */
export async function movePromoCodes(
  ctx: WriteCtx,
  affiliateId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const moved = await ctx.db
    .updateTable('promo_code')
    .set({ campaign_id: to, updated_at: ctx.now })
    .where('account_id', '=', ctx.accountId)
    .where('affiliate_id', '=', affiliateId)
    .where('campaign_id', '=', from)
    .where('stopped_at', 'is', null)
    .returning('id')
    .execute();
  for (const { id } of moved) ctx.records.noteChanged('promo_code', id, { campaign_id: from });
}

/** Changes the assignment in a transaction, which is rolled back for a preview. */
function change(
  ctx: Ctx,
  input: ChangePromoCode,
  type: 'refresh' | 'stop',
  warnings: PromoCodeWarning[],
  changes: (code: PromoCode) => Partial<PromoCode>,
): Promise<PromoCodeOutcome> {
  const dryRun = ctx.preview !== undefined;
  return inTransaction(ctx, async (tx) => {
    const code = await loadAssignment(tx, input);
    save(tx, PromoCode, code, changes(code));
    return {
      dry_run: dryRun,
      operation: { id: null, type, state: dryRun ? 'previewed' : 'succeeded' },
      assignment: promoCodeAssignment(code),
      warnings,
    };
  });
}

async function loadAssignment(tx: WriteCtx, { affiliate_id, id }: ChangePromoCode): Promise<Locked<PromoCode>> {
  const code = await lock(tx, PromoCode, id);
  return foundOrThrow(code.affiliate_id === affiliate_id && code.origin !== 'affiliate_coupon' ? code : null, 'promo code');
}

function assignmentOf(ctx: Ctx, { affiliate_id, id }: ChangePromoCode) {
  return ctx.db
    .selectFrom('promo_code')
    .select(['livemode', 'origin', 'psp_promotion_code_id'])
    .where('account_id', '=', ctx.accountId)
    .where('affiliate_id', '=', affiliate_id)
    .where('origin', '!=', 'affiliate_coupon')
    .where('id', '=', id)
    .executeTakeFirst();
}
