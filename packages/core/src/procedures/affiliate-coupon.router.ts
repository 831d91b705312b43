import { rememberResponse } from '../provider/operations/remembered-response.ts';
import { operate, read, rest, router } from '../platform/trpc/trpc.ts';
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

const PROVIDER_ERRORS = ['PSP_NOT_CONNECTED', 'PSP_ERROR', 'OPERATION_PENDING', 'RECONCILIATION_REQUIRED'] as const;
const PATH = '/affiliates/{affiliate_id}/coupon';

export const affiliateCouponsRouter = router({
  get: read('affiliate_coupons')
    .meta(rest('GET', PATH, { summary: 'Get an affiliate’s coupon' }))
    .input(AffiliateCouponId)
    .output(AffiliateCouponRecord)
    .query(({ ctx, input }) => getAffiliateCoupon(ctx, input.affiliate_id)),

  create: operate('affiliate_coupons')
    .meta(
      rest('POST', PATH, {
        summary: 'Create an affiliate’s coupon',
        description:
          'Makes a code at the payment provider, of the campaign’s `psp_coupon_id`. After an uncertain answer (`OPERATION_PENDING`), send the same request again.',
        status: 201,
        errors: PROVIDER_ERRORS,
      }),
    )
    .input(CreateAffiliateCoupon)
    .output(AffiliateCouponRecord)
    .mutation(({ ctx, input }) =>
      rememberResponse(ctx, 'affiliateCoupons.create', input, () => createAffiliateCoupon(ctx, input)),
    ),

  update: operate('affiliate_coupons')
    .meta(
      rest('PATCH', PATH, {
        summary: 'Change an affiliate’s coupon',
        description: 'Exchanges its code for a new one, or switches it on or off at the payment provider.',
        errors: PROVIDER_ERRORS,
      }),
    )
    .input(UpdateAffiliateCoupon)
    .output(AffiliateCouponRecord)
    .mutation(({ ctx, input }) =>
      rememberResponse(ctx, 'affiliateCoupons.update', input, () => updateAffiliateCoupon(ctx, input)),
    ),

  delete: operate('affiliate_coupons')
    .meta(
      rest('DELETE', PATH, {
        summary: 'Delete an affiliate’s coupon',
        description: 'Switches the code off at the payment provider and stops tracking it. What it has attributed stays.',
        status: 204,
        errors: ['PSP_ERROR'],
      }),
    )
    .input(AffiliateCouponId)
    .output(AffiliateCouponRecord)
    .mutation(({ ctx, input }) =>
      rememberResponse(ctx, 'affiliateCoupons.delete', input, () => deleteAffiliateCoupon(ctx, input.affiliate_id)),
    ),

  sync: operate('affiliate_coupons')
    .meta(
      rest('POST', `${PATH}/sync`, {
        summary: 'Sync an affiliate’s coupon',
        description:
          'Takes over what the payment provider says of the code. With `force`, makes the code again when the provider does not have it any more.',
        errors: PROVIDER_ERRORS,
      }),
    )
    .input(SyncAffiliateCoupon)
    .output(AffiliateCouponRecord)
    .mutation(({ ctx, input }) => rememberResponse(ctx, 'affiliateCoupons.sync', input, () => syncAffiliateCoupon(ctx, input))),
});
