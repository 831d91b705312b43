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
          'From your server, for sales that the payment provider does not report. Names the referral, the customer or the promo code. Idempotent by `external_id`: the same one again answers 200 with the same body.',
        status: 201,
        otherStatuses: { 200: 'A sale with this `external_id` was reported before; nothing was changed.' },
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
          'From your server. An unpaid commission follows the sale, down to being voided; one that is claimed or paid stands, and a negative adjustment is netted from the affiliate’s next payout. Idempotent by `refund_id`.',
        status: 201,
        otherStatuses: { 200: 'A refund with this `refund_id` was reported before; nothing was changed.' },
      }),
    )
    .output(RecordedSale)
    .mutation(({ ctx, input }) => trackRefund(ctx, input)),
});
