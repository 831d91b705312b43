import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import { foundOrThrow, insert, lock, newRecordColumns, save } from '../../platform/call/records.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import { DomainError, invalid } from '../../platform/errors/errors.ts';
import type { KeepResponse } from '../../platform/idempotency/idempotency.ts';
import { finishOperation } from '../../platform/operations/operation-ledger.ts';
import { newId } from '../../platform/wire/ids.ts';
import { subjectAt } from '../../sources/connections/open-connection.ts';
import type { ProviderPromotionCode } from '../../sources/port/capabilities.ts';
import { type AssignableAffiliate, assignableAffiliate, type CodesConnection } from '../promo-codes/assignable-affiliate.ts';
import { assertCreatable, createOnce, deactivateAtProvider, refuse, runOperation } from '../promo-codes/code-at-provider.ts';
import { UNLIMITED } from '../promo-codes/observation.ts';
import { createAssignment } from '../promo-codes/promo-code-record.ts';
import { PromoCode, stoppedTracking } from '../promo-codes/promo-code.entity.ts';
import { CODE_REASONS } from '../reasons.ts';
import type { AffiliateCouponRecord } from './affiliate-coupon.schema.ts';
import { AffiliateCoupon, getAffiliateCoupon } from './affiliate-coupon.ts';

declare module '../../platform/operations/operation.ts' {
  interface OperationKinds {
    affiliate_coupon: null;
  }
}

/** A code to create, the affiliate who gets the code, and the provider's coupon that the code applies. */
export interface NewCouponCode {
  affiliate: AssignableAffiliate;
  pspCouponId: string;
  code: string;
}

/** Function that stores the response under the caller's `Idempotency-Key`, in the transaction of the change. */
export type KeepRecord = KeepResponse<AffiliateCouponRecord>;

/** Returns the subject of operations on an affiliate's coupon. Only one operation on a subject can be open at a time. */
export function couponSubject(connection: CodesConnection, affiliateId: string): string {
  return subjectAt(connection, `coupon:${affiliateId}`);
}

/**
 * Checks that an affiliate can have a coupon. Returns the affiliate and the id of the campaign's coupon at the provider. Throws
 * VALIDATION_ERROR, and the errors of `assignableAffiliate`.
 */
export async function couponAffiliate(
  ctx: Ctx,
  affiliateId: string,
): Promise<{ affiliate: AssignableAffiliate; pspCouponId: string }> {
  const affiliate = await assignableAffiliate(ctx, affiliateId);
  const campaign = foundOrThrow(
    await ctx.db.selectFrom('campaign').select('psp_coupon_id').where('id', '=', affiliate.campaignId).executeTakeFirst(),
    'campaign',
  );
  if (campaign.psp_coupon_id === null) throw invalid('campaign.psp_coupon_id', CODE_REASONS.campaign_without_coupon, 'required');
  return { affiliate, pspCouponId: campaign.psp_coupon_id };
}

/**
 * Creates a promotion code at the provider and assigns it to the affiliate's coupon in place of the former code. Before the assignment, the
 * former code is deactivated at the provider, so that customers cannot redeem a code that attributes nothing. After an interruption, the
 * same call finishes the work.
 *
 * @throws OPERATION_PENDING, RECONCILIATION_REQUIRED, CONFLICT, VALIDATION_ERROR, PSP_ERROR
 */
export async function replaceCouponCode(
  ctx: Ctx,
  { affiliate, pspCouponId, code }: NewCouponCode,
  keep: KeepRecord,
): Promise<AffiliateCouponRecord> {
  const { affiliateId, connection } = affiliate;
  if (ctx.preview) return previewReplacement(ctx, { affiliate, pspCouponId, code });
  const request = {
    kind: 'affiliate_coupon' as const,
    subject: couponSubject(connection, affiliateId),
    idempotencyKey: null,
    fingerprint: code,
    input: null,
  };
  return runOperation(ctx, request, async (operation) => {
    const created = await createOnce(ctx, connection, operation, { code, couponId: pspCouponId, affiliateId });
    await deactivateFormerCode(ctx, affiliate, created);
    return finishOperation(ctx, operation, async (tx) => {
      await assignToCoupon(tx, affiliate, created);
      const body = await getAffiliateCoupon(tx, affiliateId);
      await keep(tx, body);
      return { status: null, body };
    });
  });
}

/** Previews `replaceCouponCode`: changes nothing at the provider, and rolls back the change in the database. */
async function previewReplacement(ctx: Ctx, { affiliate, pspCouponId, code }: NewCouponCode): Promise<AffiliateCouponRecord> {
  const { affiliateId, connection } = affiliate;
  await assertCreatable(connection, { code, couponId: pspCouponId, affiliateId }).catch(refuse);
  const preview: ProviderPromotionCode = {
    id: 'promo_preview',
    code,
    active: true,
    mode: connection.mode,
    couponId: pspCouponId,
    createdAt: ctx.clock.now(),
    ...UNLIMITED,
  };
  return inTransaction(ctx, async (tx) => {
    await assignToCoupon(tx, affiliate, preview);
    return getAffiliateCoupon(tx, affiliateId);
  });
}

async function deactivateFormerCode(
  ctx: Ctx,
  { affiliateId, connection }: AssignableAffiliate,
  created: ProviderPromotionCode,
): Promise<void> {
  const former = await ctx.db
    .selectFrom('affiliate_coupon')
    .innerJoin('promo_code', 'promo_code.id', 'affiliate_coupon.promo_code_id')
    .select(['promo_code.psp_promotion_code_id', 'promo_code.livemode'])
    .where('affiliate_coupon.account_id', '=', ctx.accountId)
    .where('affiliate_coupon.affiliate_id', '=', affiliateId)
    .executeTakeFirst();
  if (!former || former.livemode !== connection.livemode || former.psp_promotion_code_id === created.id) return;
  await deactivateAtProvider(connection, former.psp_promotion_code_id);
}

async function assignToCoupon(tx: WriteCtx, affiliate: AssignableAffiliate, created: ProviderPromotionCode): Promise<void> {
  const { affiliateId } = affiliate;
  const known = await tx.db
    .selectFrom('promo_code')
    .select('id')
    .where('account_id', '=', tx.accountId)
    .where('livemode', '=', affiliate.connection.livemode)
    .where('psp_promotion_code_id', '=', created.id)
    .executeTakeFirst();
  if (known) throw new DomainError('CONFLICT', CODE_REASONS.new_code_assigned_meanwhile);
  const code = createAssignment(tx, affiliate, 'affiliate_coupon', created);
  const coupon = await findCouponOf(tx, affiliateId);
  if (!coupon) {
    insert(tx, AffiliateCoupon, {
      ...newRecordColumns(tx, newId('affiliate_coupon', tx.clock.now())),
      affiliate_id: affiliateId,
      promo_code_id: code.id,
    });
    return;
  }
  const former = await lock(tx, PromoCode, coupon.promo_code_id);
  save(tx, PromoCode, former, stoppedTracking(former, tx.now));
  save(tx, AffiliateCoupon, coupon, { promo_code_id: code.id, updated_at: tx.now });
}

/** Finds the coupon of an affiliate, or null. */
export async function findCouponOf({ db, accountId }: Pick<Ctx, 'db' | 'accountId'>, affiliateId: string) {
  const coupon = await db
    .selectFrom('affiliate_coupon')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('affiliate_id', '=', affiliateId)
    .executeTakeFirst();
  return coupon ?? null;
}
