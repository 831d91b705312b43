import { DomainError, invalid } from '../../platform/errors/errors.ts';
import { newId } from '../../platform/wire/ids.ts';
import { newRecordColumns, foundOrThrow, loadForUpdate } from '../../platform/call/records.ts';
import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { type AssignableAffiliate, assignableAffiliate } from '../promo-codes/assignable-affiliate.ts';
import { createAssignment } from '../promo-codes/promo-code.record.ts';
import { PromoCode } from '../promo-codes/promo-code.entity.ts';
import { assertCreatable, createOnce } from '../promo-codes/provider-promotion-code.ts';
import { refusal, runOperation } from '../promo-codes/run-operation.ts';
import { finishOperation } from '../../provider/operations/operation-ledger.ts';
import type { ProviderPromotionCode } from '../../provider/port/port.ts';
import { PspError } from '../../provider/port/psp-error.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import { AffiliateCoupon } from './affiliate-coupon.entity.ts';
import { getAffiliateCoupon } from './affiliate-coupon.queries.ts';
import type { AffiliateCouponRecord } from './affiliate-coupon.schema.ts';

/** A code, and the affiliate who gets it. */
export interface CouponToMake {
  affiliate: AssignableAffiliate;
  pspCouponId: string;
  code: string;
}

/** Subject of operations on an affiliate's coupon: only one of them runs at a time. */
export function couponSubject(affiliateId: string): string {
  return `coupon:${affiliateId}`;
}

/**
 * Checks that an affiliate can have a coupon. Returns it with the provider's coupon of its campaign. Throws as `assignableAffiliate`, and
 * VALIDATION_ERROR.
 */
export async function couponHolder(
  ctx: Ctx,
  affiliateId: string,
): Promise<{ affiliate: AssignableAffiliate; pspCouponId: string }> {
  const affiliate = await assignableAffiliate(ctx, affiliateId);
  const campaign = foundOrThrow(
    await ctx.db.selectFrom('campaign').select('psp_coupon_id').where('id', '=', affiliate.campaignId).executeTakeFirst(),
    'campaign',
  );
  if (campaign.psp_coupon_id === null) {
    throw invalid(
      'campaign.psp_coupon_id',
      'The affiliate’s campaign has no coupon of the payment provider. Set its psp_coupon_id first.',
      'required',
    );
  }
  return { affiliate, pspCouponId: campaign.psp_coupon_id };
}

/**
 * Creates a promotion code at the provider and makes it the affiliate's coupon, in place of a former code. Deactivates the former code at
 * the provider first, so that no code is redeemed that attributes nothing. After an interruption the same call finishes the work.
 *
 * @throws OPERATION_PENDING, RECONCILIATION_REQUIRED, CONFLICT, VALIDATION_ERROR, PSP_ERROR
 */
export async function exchangeCode(ctx: Ctx, { affiliate, pspCouponId, code }: CouponToMake): Promise<AffiliateCouponRecord> {
  const { affiliateId, connection } = affiliate;
  if (ctx.preview) return previewExchange(ctx, { affiliate, pspCouponId, code });
  const request = {
    kind: 'affiliate_coupon' as const,
    livemode: connection.livemode,
    subject: couponSubject(affiliateId),
    idempotencyKey: null,
    fingerprint: code,
  };
  return runOperation(ctx, request, async (operation) => {
    const made = await createOnce(ctx, connection, operation, { code, couponId: pspCouponId, affiliateId });
    await switchOffFormer(ctx, affiliate, made);
    return finishOperation(ctx, operation, async (tx) => {
      await assign(tx, affiliate, made);
      await tx.em.flush();
      return { status: ctx.reply.status ?? 200, body: await getAffiliateCoupon(tx, affiliateId) };
    });
  });
}

/** The preview: only reads from the provider, and rolls the change back here. */
async function previewExchange(ctx: Ctx, { affiliate, pspCouponId, code }: CouponToMake): Promise<AffiliateCouponRecord> {
  const { affiliateId, connection } = affiliate;
  await assertCreatable(connection, { code, couponId: pspCouponId, affiliateId }).catch((error: unknown) => {
    throw error instanceof PspError ? refusal(error) : error;
  });
  const wouldBe: ProviderPromotionCode = {
    id: 'promo_preview',
    code,
    active: true,
    livemode: connection.livemode,
    couponId: pspCouponId,
    customerId: null,
    createdAt: ctx.clock.now(),
    expiresAt: null,
    maxRedemptions: null,
    timesRedeemed: 0,
    firstTimeTransaction: false,
    minimumAmount: null,
    minimumAmountCurrency: null,
    metadata: {},
  };
  return inTransaction(ctx, async (tx) => {
    await assign(tx, affiliate, wouldBe);
    await tx.em.flush();
    return getAffiliateCoupon(tx, affiliateId);
  });
}

async function switchOffFormer(
  ctx: Ctx,
  { affiliateId, connection }: AssignableAffiliate,
  made: ProviderPromotionCode,
): Promise<void> {
  const former = await ctx.db
    .selectFrom('affiliate_coupon')
    .innerJoin('promo_code', 'promo_code.id', 'affiliate_coupon.promo_code_id')
    .select(['promo_code.psp_promotion_code_id', 'promo_code.livemode'])
    .where('affiliate_coupon.account_id', '=', ctx.accountId)
    .where('affiliate_coupon.affiliate_id', '=', affiliateId)
    .executeTakeFirst();
  if (!former || former.livemode !== connection.livemode || former.psp_promotion_code_id === made.id) return;
  await connection.provider.setPromotionCodeActive(former.psp_promotion_code_id, false).catch((error: unknown) => {
    if (!(error instanceof PspError && error.reason === 'not_found')) throw error;
  });
}

async function assign(tx: WriteCtx, affiliate: AssignableAffiliate, made: ProviderPromotionCode): Promise<void> {
  const { affiliateId } = affiliate;
  const known = await tx.em.findOne(PromoCode, {
    account_id: tx.accountId,
    livemode: made.livemode,
    psp_promotion_code_id: made.id,
  });
  if (known) throw new DomainError('CONFLICT', 'The new promotion code was just assigned elsewhere.');
  const code = createAssignment(tx, affiliate, 'affiliate_coupon', made);
  await tx.em.flush();
  const coupon = await tx.em.findOne(AffiliateCoupon, { account_id: tx.accountId, affiliate_id: affiliateId });
  if (!coupon) {
    tx.em.create(AffiliateCoupon, {
      ...newRecordColumns(tx, newId('affiliate_coupon', tx.clock.now())),
      affiliate_id: affiliateId,
      promo_code_id: code.id,
    });
    return;
  }
  (await loadForUpdate(tx, PromoCode, coupon.promo_code_id)).stop(tx.now);
  coupon.exchange(code, tx.now);
}
