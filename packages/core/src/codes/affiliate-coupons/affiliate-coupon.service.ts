import type { Ctx, WriteCtx } from '../../platform/call/context.ts';
import type { Locked } from '../../platform/call/locks.ts';
import { foundOrThrow, lock, remove, save } from '../../platform/call/records.ts';
import { inTransaction } from '../../platform/call/transaction.ts';
import { DomainError, invalid, validationError } from '../../platform/errors/errors.ts';
import { findOpenOperation } from '../../platform/operations/operation-ledger.ts';
import { openWith } from '../../sources/connections/open-connection.ts';
import type { ProviderPromotionCode } from '../../sources/port/capabilities.ts';
import { assignableAffiliate, type CodesConnection } from '../promo-codes/assignable-affiliate.ts';
import { deactivateAtProvider, findAtProvider, refuse } from '../promo-codes/code-at-provider.ts';
import { couponCodes } from '../promo-codes/own-code.ts';
import { PromoCode, stoppedTracking, withAbsence, withObservation } from '../promo-codes/promo-code.entity.ts';
import { CODE_REASONS } from '../reasons.ts';
import type {
  AffiliateCouponRecord,
  CreateAffiliateCoupon,
  SyncAffiliateCoupon,
  UpdateAffiliateCoupon,
} from './affiliate-coupon.schema.ts';
import { AffiliateCoupon, getAffiliateCoupon } from './affiliate-coupon.ts';
import { couponAffiliate, couponSubject, findCouponOf, type KeepRecord, replaceCouponCode } from './replace-code.ts';

/**
 * Creates an affiliate's coupon: a code for the campaign's `psp_coupon_id` (docs/rules/codes.md#affiliate-coupons).
 *
 * @throws CONFLICT when the affiliate already has a coupon, or when the provider already has an active code with this text; also the errors
 * of `replaceCouponCode`
 */
export async function createAffiliateCoupon(
  ctx: Ctx,
  input: CreateAffiliateCoupon,
  keep: KeepRecord,
): Promise<AffiliateCouponRecord> {
  const { affiliate, pspCouponId } = await couponAffiliate(ctx, input.affiliate_id);
  if (await findCouponOf(ctx, input.affiliate_id)) throw new DomainError('CONFLICT', CODE_REASONS.affiliate_has_coupon);
  const code = input.code ?? (await freeCode(ctx, affiliate.connection, input.affiliate_id));
  return replaceCouponCode(ctx, { affiliate, pspCouponId, code }, keep);
}

/**
 * Replaces the coupon's code, or activates or deactivates it, at the provider and here.
 *
 * @throws NOT_FOUND, VALIDATION_ERROR; CONFLICT for a code that is taken; also the errors of `replaceCouponCode`
 */
export async function updateAffiliateCoupon(
  ctx: Ctx,
  input: UpdateAffiliateCoupon,
  keep: KeepRecord,
): Promise<AffiliateCouponRecord> {
  const { affiliate_id: affiliateId, code, active } = input;
  const coupon = await getAffiliateCoupon(ctx, affiliateId);
  const { affiliate, pspCouponId } = await couponAffiliate(ctx, affiliateId);
  if (code === undefined && active === undefined)
    throw validationError([{ path: 'code', code: 'required', message: CODE_REASONS.code_or_active }]);
  const replaces = code !== undefined && code !== coupon.code;
  // The provider creates codes as active, so a second step is needed only for `active: false`. The last step stores the response.
  const isLast = active !== false;
  const current = replaces ? await replaceCouponCode(ctx, { affiliate, pspCouponId, code }, isLast ? keep : keepNothing) : coupon;
  if (active === undefined || active === current.active) return current;
  if (current.livemode !== affiliate.connection.livemode)
    throw invalid('active', CODE_REASONS.coupon_of_other_mode, 'other_mode');
  if (ctx.preview) return { ...current, active };
  const { codes } = affiliate.connection;
  return observe(ctx, affiliateId, await codes.setPromotionCodeActive(current.psp_promotion_code_id, active).catch(refuse), keep);
}

/**
 * Refreshes the coupon from the provider. With `force`, creates the code again if the provider no longer has it.
 *
 * @throws NOT_FOUND, PSP_NOT_CONNECTED, VALIDATION_ERROR, PSP_ERROR; also the errors of `replaceCouponCode`
 */
export async function syncAffiliateCoupon(
  ctx: Ctx,
  input: SyncAffiliateCoupon,
  keep: KeepRecord,
): Promise<AffiliateCouponRecord> {
  const { affiliate_id: affiliateId, force } = input;
  const coupon = await getAffiliateCoupon(ctx, affiliateId);
  const { connection } = await assignableAffiliate(ctx, affiliateId);
  const observed = await findAtProvider(connection, coupon.psp_promotion_code_id).catch(refuse);
  if (observed !== null || !force) return observe(ctx, affiliateId, observed, keep);
  return replaceCouponCode(ctx, { ...(await couponAffiliate(ctx, affiliateId)), code: coupon.code }, keep);
}

/**
 * Deactivates the code at the provider, stops its tracking and deletes the coupon. Sales that the code attributed keep their commissions.
 * Throws NOT_FOUND, PSP_ERROR.
 */
export async function deleteAffiliateCoupon(ctx: Ctx, affiliateId: string, keep: KeepRecord): Promise<AffiliateCouponRecord> {
  const coupon = await getAffiliateCoupon(ctx, affiliateId);
  const connection = await openWith(ctx.services, ctx.db, ctx.accountId, 'codes');
  if (connection?.livemode === coupon.livemode && !ctx.preview)
    await deactivateAtProvider(connection, coupon.psp_promotion_code_id).catch(refuse);
  const deleted = { ...coupon, active: false };
  await inTransaction(ctx, async (tx) => {
    const [kept, code] = await load(tx, affiliateId);
    save(tx, PromoCode, code, stoppedTracking(code, tx.now));
    remove(tx, AffiliateCoupon, kept);
    await keep(tx, deleted);
  });
  return deleted;
}

async function observe(
  ctx: Ctx,
  affiliateId: string,
  observed: ProviderPromotionCode | null,
  keep: KeepRecord,
): Promise<AffiliateCouponRecord> {
  return inTransaction(ctx, async (tx) => {
    const [, code] = await load(tx, affiliateId);
    save(tx, PromoCode, code, observed ? withObservation(code, observed, tx.now) : withAbsence(code, tx.now));
    const record = await getAffiliateCoupon(tx, affiliateId);
    await keep(tx, record);
    return record;
  });
}

async function load(tx: WriteCtx, affiliateId: string): Promise<[AffiliateCoupon, Locked<PromoCode>]> {
  const coupon = foundOrThrow(await findCouponOf(tx, affiliateId), 'affiliate coupon');
  return [coupon, await lock(tx, PromoCode, coupon.promo_code_id)];
}

/** Stores no response. Used for a step that is not the last one. */
const keepNothing: KeepRecord = () => Promise.resolve();

/**
 * Generates codes from the affiliate's name, and returns the first one that is not the text of an active code at the provider. If an
 * earlier attempt was interrupted, returns the code of that attempt.
 */
async function freeCode(ctx: Ctx, connection: CodesConnection, affiliateId: string): Promise<string> {
  const open = await findOpenOperation(ctx, { subject: couponSubject(connection, affiliateId) });
  if (open) return open.fingerprint;
  const affiliate = await ctx.db
    .selectFrom('affiliate')
    .select(['first_name', 'last_name', 'email'])
    .where('id', '=', affiliateId)
    .executeTakeFirstOrThrow();
  for (const code of couponCodes(affiliate)) {
    const taken = await connection.codes.promotionCodesByCode(code).catch(refuse);
    if (!taken.some((existing) => existing.active)) return code;
  }
  throw new Error('Unreachable: there is always another number.');
}
