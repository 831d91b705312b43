import { getAffiliateCoupon } from '../codes/affiliate-coupons/affiliate-coupon.queries.ts';
import {
  AffiliateCouponId,
  AffiliateCouponRecord,
  CreateAffiliateCoupon,
  SyncAffiliateCoupon,
  UpdateAffiliateCoupon,
} from '../codes/affiliate-coupons/affiliate-coupon.schema.ts';
import {
  createAffiliateCoupon,
  deleteAffiliateCoupon,
  syncAffiliateCoupon,
  updateAffiliateCoupon,
} from '../codes/affiliate-coupons/affiliate-coupon.service.ts';
import { onceResumable } from '../platform/idempotency/idempotency.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router } from '../platform/trpc/trpc.ts';
import { PSP } from '../platform/wire/psp-name.ts';

const PROVIDER_ERRORS = ['PSP_NOT_CONNECTED', 'PSP_ERROR', 'OPERATION_PENDING', 'RECONCILIATION_REQUIRED'] as const;
const PATH = '/affiliates/{affiliate_id}/coupon';
/** Promo codes replace the one coupon per affiliate. */
const deprecated = { since: '2026-11-27' };

export const affiliateCouponsRouter = router({
  get: rest(read('affiliate_coupons'), `GET ${PATH}`, { deprecated, summary: 'Retrieve an affiliate’s coupon' })
    .input(AffiliateCouponId)
    .output(AffiliateCouponRecord)
    .query(({ ctx, input }) => getAffiliateCoupon(ctx, input.affiliate_id)),

  create: rest(operate('affiliate_coupons', CreateAffiliateCoupon), `POST ${PATH}`, {
    deprecated,
    summary: 'Create an affiliate’s coupon',
    description: `Creates a promotion code in ${PSP} for the campaign’s \`psp_coupon_id\`. If the response is \`OPERATION_PENDING\`, repeat the same request.`,
    status: 201,
    errors: PROVIDER_ERRORS,
  })
    .output(AffiliateCouponRecord)
    .mutation(({ ctx, input }) => onceResumable(ctx, ctx.request, (keep) => createAffiliateCoupon(ctx, input, keep))),

  update: rest(operate('affiliate_coupons', UpdateAffiliateCoupon), `PATCH ${PATH}`, {
    deprecated,
    summary: 'Update an affiliate’s coupon',
    description: `Replaces the code, or activates or deactivates it in ${PSP}.`,
    errors: PROVIDER_ERRORS,
  })
    .output(AffiliateCouponRecord)
    .mutation(({ ctx, input }) => onceResumable(ctx, ctx.request, (keep) => updateAffiliateCoupon(ctx, input, keep))),

  delete: rest(operate('affiliate_coupons', AffiliateCouponId), `DELETE ${PATH}`, {
    deprecated,
    summary: 'Delete an affiliate’s coupon',
    description: `Deactivates the code in ${PSP} and stops tracking it. Sales already attributed to it are not affected.`,
    status: 204,
    errors: ['PSP_ERROR'],
  })
    .output(AffiliateCouponRecord)
    .mutation(({ ctx, input }) =>
      onceResumable(ctx, ctx.request, (keep) => deleteAffiliateCoupon(ctx, input.affiliate_id, keep)),
    ),

  sync: rest(operate('affiliate_coupons', SyncAffiliateCoupon), `POST ${PATH}/sync`, {
    deprecated,
    summary: 'Sync an affiliate’s coupon',
    description: `Refreshes the coupon from ${PSP}. With \`force\`, recreates the code if it no longer exists in ${PSP}.`,
    errors: PROVIDER_ERRORS,
  })
    .output(AffiliateCouponRecord)
    .mutation(({ ctx, input }) => onceResumable(ctx, ctx.request, (keep) => syncAffiliateCoupon(ctx, input, keep))),
});
