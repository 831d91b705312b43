import { trackRefund, trackSale } from '../intake/payments/tracking.service.ts';
import { RecordedSale } from '../intake/sales/tracking.schema.ts';
import { trackLead } from '../intake/visits/leads.ts';
import {
  FollowLink,
  FollowProgramLink,
  Landing,
  TrackLead,
  TrackVisit,
  TrackedLead,
  TrackedVisit,
} from '../intake/visits/visit.schema.ts';
import { followLink, followProgramLink, trackVisit } from '../intake/visits/visits.ts';
import { RecordRefund, RecordSale } from '../ledger/sales/sale.schema.ts';
import { bulkInput, bulkOutput, onceForEach } from '../platform/trpc/bulk.ts';
import { created, rest } from '../platform/trpc/rest-route.ts';
import { anyone, operate, router, write } from '../platform/trpc/trpc.ts';
import { PSP } from '../platform/wire/psp-name.ts';

/** Server reports need an API key. Links and browser reports are public and cannot create commissions (docs/rules/intake.md#tracking). */
export const trackingRouter = router({
  recordSale: rest(write('sales', RecordSale, { facts: true }), 'POST /track/sales', {
    summary: 'Report a sale',
    description: `Call this from your server for sales that ${PSP} does not report. Identify the referral, the customer, or the promo code. Idempotent by \`external_id\`: reporting the same sale again returns 200 with the same body. With another amount, tax, currency, or customer, it returns 409 with the stored sale in \`details.sale\`: correct the sale with a refund, a manual commission, or \`PATCH /referrals/{id}\`.`,
    status: 201,
    otherStatuses: { 200: 'A sale with this `external_id` was already reported. Nothing changed.' },
  })
    .output(RecordedSale)
    .mutation(({ ctx, input }) => trackSale(ctx, input).then((outcome) => created(ctx, outcome))),

  recordSales: rest(operate('sales', bulkInput(RecordSale), { facts: true }), 'POST /track/sales/bulk', {
    summary: 'Report up to 100 sales',
    description:
      'Each item has a transaction of its own, and a result. An item that fails changes nothing for the others. With an `Idempotency-Key`, a repeated call returns the same results, and continues after an interruption. A sale that was reported before is `unchanged`.',
  })
    .output(bulkOutput(RecordedSale, 'SalesBulk'))
    .mutation(({ ctx, input }) => onceForEach(ctx, { procedure: 'tracking.recordSale', items: input.items }, trackSale)),

  recordRefund: rest(write('sales', RecordRefund, { facts: true }), 'POST /track/refunds', {
    summary: 'Report a refund',
    description: `Call this from your server for refunds that ${PSP} does not report. Reduces an unpaid commission, or voids it on a full refund. A commission in a claimed or paid payout does not change; a negative adjustment reduces the affiliate’s next payout. Idempotent by \`refund_id\`; with another amount, it returns 409 with the stored refund in \`details.refund\`.`,
    status: 201,
    otherStatuses: { 200: 'A refund with this `refund_id` was already reported. Nothing changed.' },
  })
    .output(RecordedSale)
    .mutation(({ ctx, input }) => trackRefund(ctx, input).then((outcome) => created(ctx, outcome))),

  followLink: rest(anyone(), 'GET /t/{token}', {
    summary: 'Follow a tracked link',
    description:
      'Records the visit, finds or creates the referral, sets the referral cookie, and redirects to the link’s destination with `via` and `referral`. If the link is archived or its affiliate or campaign is inactive, redirects to the campaign URL and records nothing.',
    status: 302,
    fromBrowser: ['known_referrals', 'record'],
    cookie: 'Referral cookie, if a visit was recorded.',
  })
    .input(FollowLink)
    .output(Landing)
    .mutation(({ ctx, input }) => followLink(ctx, input)),

  followProgramLink: rest(anyone(), 'GET /t/{program}/{token}', {
    summary: 'Follow a tracked link of a program',
    description: 'Follows the `tracking_url` of a link. The address names the program by its slug. Former slugs keep working.',
    status: 302,
    fromBrowser: ['known_referrals', 'record'],
    cookie: 'Referral cookie, if a visit was recorded.',
  })
    .input(FollowProgramLink)
    .output(Landing)
    .mutation(({ ctx, input }) => followProgramLink(ctx, input)),

  recordVisit: rest(anyone(), 'POST /track/visits', {
    summary: 'Report a visit',
    description:
      'Called by the tracking script; CORS is enabled. Records a visit in the same way as a tracked link, but without a redirect.',
    anyOrigin: true,
  })
    .input(TrackVisit)
    .output(TrackedVisit)
    .mutation(({ ctx, input }) => trackVisit(ctx, input)),

  recordLead: rest(anyone(), 'POST /track/leads', {
    summary: 'Report a lead',
    description:
      'Assigns a customer to a referral, which becomes a lead. Has no effect on a customer who has paid or already has a referral.',
    anyOrigin: true,
  })
    .input(TrackLead)
    .output(TrackedLead)
    .mutation(({ ctx, input }) => trackLead(ctx, input)),
});
