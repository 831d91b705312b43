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
import { getAffiliateCoupon } from '../codes/affiliate-coupons/affiliate-coupon.ts';
import { assignPromoCode, resumeAssignment } from '../codes/promo-codes/assign-promo-code.ts';
import { refreshPromoCode, stopPromoCode } from '../codes/promo-codes/change-promo-code.ts';
import { createOwnCode } from '../codes/promo-codes/own-code.ts';
import {
  getPromoCode,
  listAllPromoCodes,
  listPendingPromoCodes,
  listPromoCodes,
} from '../codes/promo-codes/promo-code.queries.ts';
import {
  AssignPromoCode,
  ChangePromoCode,
  CreatePromoCode,
  GetPromoCode,
  ListAllPromoCodes,
  ListPendingPromoCodes,
  ListPromoCodes,
  PendingPromoCodes,
  PromoCodeAssignment,
  PromoCodeAssignments,
  PromoCodeOutcome,
  PromoCodePage,
  ResumePromoCode,
} from '../codes/promo-codes/promo-code.schema.ts';
import { onceResumable } from '../platform/idempotency/idempotency.ts';
import { unlessDry } from '../platform/previews/confirm-effect.ts';
import { bulkInput, bulkOutput, onceForEach } from '../platform/trpc/bulk.ts';
import { created, rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router, write } from '../platform/trpc/trpc.ts';
import { PSP } from '../platform/wire/psp-name.ts';

const NEEDS = `Requires a ${PSP} connection and an active affiliate in an active campaign.`;
const PROVIDER_ERRORS = ['PSP_NOT_CONNECTED', 'PSP_ERROR', 'OPERATION_PENDING', 'RECONCILIATION_REQUIRED'] as const;

export const promoCodesRouter = router({
  list: rest(read('affiliate_coupons'), 'GET /affiliates/{affiliate_id}/promo_codes', {
    summary: 'List an affiliate’s promo codes',
    errors: PROVIDER_ERRORS,
    description: `Returns assignments, newest first. With \`q\`, also returns the ${PSP} promotion codes with exactly that code and their owners; with \`discounts\`, also returns the valid ${PSP} coupons. ${NEEDS}`,
  })
    .input(ListPromoCodes)
    .output(PromoCodePage)
    .query(({ ctx, input }) => listPromoCodes(ctx, input)),

  assign: rest(operate('affiliate_coupons', AssignPromoCode), 'POST /affiliates/{affiliate_id}/promo_codes', {
    summary: 'Import or create a promo code',
    description: `Imports the ${PSP} promotion code \`psp_promotion_code_id\`, or creates a new one with \`mode=create\`. Returns a preview (200) unless \`dry_run\` is \`false\`, which requires an \`Idempotency-Key\`. If the response is \`OPERATION_PENDING\`, repeat the request with the same key. ${NEEDS}`,
    status: 201,
    otherStatuses: { 200: 'A preview, or an import of a code already assigned to the affiliate. Nothing changed.' },
    errors: PROVIDER_ERRORS,
  })
    .output(PromoCodeOutcome)
    .mutation(({ ctx, input }) =>
      assignPromoCode(ctx, input, ({ created, outcome }) => ({ status: created ? 201 : 200, body: outcome })),
    ),

  listAll: rest(read('affiliate_coupons'), 'GET /promo_codes', {
    summary: 'List all promo codes',
    description: `Returns the assignments of all affiliates, stopped ones included, newest first. Does not ask ${PSP}.`,
  })
    .input(ListAllPromoCodes)
    .output(PromoCodeAssignments)
    .query(({ ctx, input }) => listAllPromoCodes(ctx, input)),

  create: rest(write('affiliate_coupons', CreatePromoCode), 'POST /promo_codes', {
    summary: 'Assign a code of your own shop',
    description:
      'Assigns a code that your own shop redeems to an affiliate. Needs no payment provider. Report sales with the code as `promo_code`. A code of another affiliate, and a code whose tracking was stopped, are refused (409).',
    status: 201,
    otherStatuses: { 200: 'The affiliate already has the code.' },
    errors: ['CONFLICT'],
  })
    .output(PromoCodeAssignment)
    .mutation(async ({ ctx, input }) => created(ctx, await createOwnCode(ctx, input))),

  createMany: rest(operate('affiliate_coupons', bulkInput(CreatePromoCode)), 'POST /promo_codes/bulk', {
    summary: 'Assign up to 100 codes of your own shop',
    description:
      'Each item has a transaction of its own, and a result. An item that fails changes nothing for the others. With an `Idempotency-Key`, a repeated call returns the same results, and continues after an interruption.',
  })
    .output(bulkOutput(PromoCodeAssignment, 'PromoCodesBulk'))
    .mutation(({ ctx, input }) =>
      onceForEach(ctx, { procedure: 'promoCodes.create', items: input.items }, (tx, item) => createOwnCode(tx, item)),
    ),

  get: rest(read('affiliate_coupons'), 'GET /promo_codes/{id}', {
    summary: 'Retrieve a promo code',
    description: 'Also returns stopped assignments.',
  })
    .input(GetPromoCode)
    .output(PromoCodeAssignment)
    .query(({ ctx, input }) => getPromoCode(ctx, input)),

  pending: rest(read('affiliate_coupons'), 'GET /promo_codes/operations', {
    summary: 'List pending operations on promo codes',
    description: `Returns imports and creations whose outcome at ${PSP} is unknown, oldest first. Repeat the request with the same \`Idempotency-Key\`, or resume the operation.`,
  })
    .input(ListPendingPromoCodes)
    .output(PendingPromoCodes)
    .query(({ ctx, input }) => listPendingPromoCodes(ctx, input)),

  resume: rest(operate('affiliate_coupons', ResumePromoCode), 'POST /promo_codes/operations/{operation_id}/resume', {
    summary: 'Resume a pending operation on a promo code',
    description: `Finishes an import or a creation that somebody has begun: asks ${PSP} for its outcome, and repeats it if necessary. ${NEEDS}`,
    status: 201,
    otherStatuses: { 200: 'The affiliate already had the code.' },
    errors: PROVIDER_ERRORS,
  })
    .output(PromoCodeOutcome)
    .mutation(({ ctx, input }) =>
      resumeAssignment(ctx, input, ({ created, outcome }) => ({ status: created ? 201 : 200, body: outcome })),
    ),

  refresh: rest(operate('affiliate_coupons', ChangePromoCode), 'PATCH /affiliates/{affiliate_id}/promo_codes/{id}', {
    summary: 'Refresh a promo code',
    errors: PROVIDER_ERRORS,
    description: `Fetches the current state of the code from ${PSP} and, unless \`dry_run\` is \`true\`, stores it. ${NEEDS}`,
  })
    .output(PromoCodeOutcome)
    .mutation(({ ctx, input }) => {
      const scope = unlessDry(ctx, input.dry_run);
      return onceResumable(scope, ctx.request, () => refreshPromoCode(scope, input));
    }),

  stop: rest(operate('affiliate_coupons', ChangePromoCode), 'DELETE /affiliates/{affiliate_id}/promo_codes/{id}', {
    summary: 'Stop tracking a promo code',
    description: `Permanently stops tracking the code, unless \`dry_run\` is \`true\`. ${PSP} still redeems the code, and sales already attributed to it are not affected.`,
  })
    .output(PromoCodeOutcome)
    .mutation(({ ctx, input }) => {
      const scope = unlessDry(ctx, input.dry_run);
      return onceResumable(scope, ctx.request, () => stopPromoCode(scope, input));
    }),
});

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
