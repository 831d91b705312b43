import { RecordRefund, RecordSale } from '../earnings/sales/sale.schema.ts';
import { rest, router, write } from '../platform/trpc/trpc.ts';
import { RecordedSale } from '../tracking/reported-sales/tracking.schema.ts';
import { trackRefund, trackSale } from '../tracking/reported-sales/tracking.service.ts';

export const trackingRouter = router({
  recordSale: write('sales', RecordSale)
    .meta(
      rest('POST', '/sales', {
        mount: '/track',
        summary: 'Report a sale',
        description:
          'For sales that Stripe does not report, sent from your server. Identify the referral, the customer, or the promo code. Idempotent by `external_id`: reporting the same sale again returns 200 with the same body.',
        status: 201,
        otherStatuses: { 200: 'A sale with this `external_id` was already reported. Nothing changed.' },
      }),
    )
    .output(RecordedSale)
    .mutation(({ ctx, input }) => trackSale(ctx, input)),

  recordRefund: write('sales', RecordRefund)
    .meta(
      rest('POST', '/refunds', {
        mount: '/track',
        summary: 'Report a refund',
        description:
          'For refunds that Stripe does not report, sent from your server. Reduces an unpaid commission, or voids it on a full refund. A commission in a claimed or paid payout does not change; a negative adjustment reduces the affiliate’s next payout. Idempotent by `refund_id`.',
        status: 201,
        otherStatuses: { 200: 'A refund with this `refund_id` was already reported. Nothing changed.' },
      }),
    )
    .output(RecordedSale)
    .mutation(({ ctx, input }) => trackRefund(ctx, input)),
});
