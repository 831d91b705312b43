import type { Ctx } from '../platform/call/context.ts';
import { rememberResponse } from '../provider/operations/remembered-response.ts';
import { operate, read, rest, router } from '../platform/trpc/trpc.ts';
import { assignPromoCode } from '../codes/promo-codes/assign-promo-code.ts';
import { refreshPromoCode, stopPromoCode } from '../codes/promo-codes/change-promo-code.ts';
import { listPromoCodes } from '../codes/promo-codes/promo-code.queries.ts';
import {
  AssignPromoCode,
  ChangePromoCode,
  ListPromoCodes,
  PromoCodeOutcome,
  PromoCodePage,
} from '../codes/promo-codes/promo-code.schema.ts';

const NEEDS = 'Needs a connected payment provider, and an active affiliate in an active campaign.';
const PROVIDER_ERRORS = ['PSP_NOT_CONNECTED', 'PSP_ERROR', 'OPERATION_PENDING', 'RECONCILIATION_REQUIRED'] as const;

export const promoCodesRouter = router({
  list: read('affiliate_coupons')
    .meta(
      rest('GET', '/affiliates/{affiliate_id}/promo_codes', {
        summary: 'List an affiliate’s promo codes',
        errors: PROVIDER_ERRORS,
        description: `Newest first. ${NEEDS} With \`q\`, also the provider’s codes of exactly that name, with their owner; with \`discounts\`, the provider’s valid coupons.`,
      }),
    )
    .input(ListPromoCodes)
    .output(PromoCodePage)
    .query(({ ctx, input }) => listPromoCodes(ctx, input)),

  assign: operate('affiliate_coupons')
    .meta(
      rest('POST', '/affiliates/{affiliate_id}/promo_codes', {
        summary: 'Import or create a promo code',
        description: `Imports the code \`psp_promotion_code_id\`, or with \`mode\` create makes a new one. Previews (200) unless \`dry_run\` is false, which needs an \`Idempotency-Key\`: after an uncertain answer, send the same request with the same key again. ${NEEDS}`,
        status: 201,
        otherStatuses: { 200: 'A preview, or an import of a code that the affiliate already has: nothing was changed.' },
        errors: PROVIDER_ERRORS,
      }),
    )
    .input(AssignPromoCode)
    .output(PromoCodeOutcome)
    .mutation(({ ctx, input }) => assignPromoCode(ctx, input)),

  refresh: operate('affiliate_coupons')
    .meta(
      rest('PATCH', '/affiliates/{affiliate_id}/promo_codes/{id}', {
        summary: 'Refresh a promo code',
        errors: PROVIDER_ERRORS,
        description: `Asks the provider about the code; keeps the answer unless this is a dry run. ${NEEDS}`,
      }),
    )
    .input(ChangePromoCode)
    .output(PromoCodeOutcome)
    .mutation(({ ctx, input }) =>
      rememberResponse(keyOf(ctx, input), 'promoCodes.refresh', input, () => refreshPromoCode(ctx, input)),
    ),

  stop: operate('affiliate_coupons')
    .meta(
      rest('DELETE', '/affiliates/{affiliate_id}/promo_codes/{id}', {
        summary: 'Stop tracking a promo code',
        description:
          'Stops here and for good, unless this is a dry run. The provider goes on redeeming the code, and what it has attributed stays.',
      }),
    )
    .input(ChangePromoCode)
    .output(PromoCodeOutcome)
    .mutation(({ ctx, input }) => rememberResponse(keyOf(ctx, input), 'promoCodes.stop', input, () => stopPromoCode(ctx, input))),
});

/** A key is for what acts: the answer of a dry run is nothing to remember. */
function keyOf(ctx: Ctx, { dry_run }: { dry_run: boolean }): Ctx {
  return dry_run ? { ...ctx, idempotencyKey: undefined } : ctx;
}
