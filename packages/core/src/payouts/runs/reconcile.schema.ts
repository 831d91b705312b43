import { z } from 'zod';
import { currencyCode, id, instant, signedCents } from '../../platform/wire/scalars.ts';

const DISCREPANCY_CODES = [
  'run_stuck',
  'export_stuck',
  'missing_claim',
  'orphaned_claim',
  'amount_mismatch',
  'item_mismatch',
  'unpaid_commissions',
  'uncollected_commissions',
  'paid_commissions',
  'sale_mismatch',
  'paid_attribution',
  'paid_reward',
  'paid_lead',
  'paid_milestone',
  'uncounted_refund',
  'failed_event',
  'kept_event',
  'mode_mismatch',
  'terms_mismatch',
  'earner_mismatch',
  'limit_exceeded',
  'cap_exceeded',
  'bonus_mismatch',
  'credit_mismatch',
  'review_mismatch',
  'payout_mismatch',
  'paid_twice',
  'open_payment',
  'event_mismatch',
  'payment_mismatch',
  'refund_mismatch',
] as const;
export type DiscrepancyCode = (typeof DISCREPANCY_CODES)[number];

/** Maximum number of discrepancies per code in one response. */
export const MAX_DISCREPANCIES = 1_000;
/** Maximum number of commission ids per discrepancy. */
export const MAX_COMMISSIONS_NAMED = 100;
export const STUCK_AFTER_MINUTES = 15;

const Discrepancy = z.object({
  code: z
    .enum(DISCREPANCY_CODES)
    .describe(
      `\`run_stuck\`: the run has unfinished items and made no progress for ${STUCK_AFTER_MINUTES} minutes; \`export_stuck\`: the export is being paid and made no progress for ${STUCK_AFTER_MINUTES} minutes; \`missing_claim\`: the payout is processing, but no export or run holds it; \`orphaned_claim\`: a finished export or run still holds the payout, or an export or run holds an open payout; \`amount_mismatch\`: the amount differs from the sum of the commissions; \`item_mismatch\`: the amount or paid state of the payout differs from the one that its export or run records; \`unpaid_commissions\`: the payout is paid, but some of its commissions are not; \`uncollected_commissions\`: commissions are due, but are not in a payout; \`paid_commissions\`: the payout is not paid, but some of its commissions are; \`sale_mismatch\`: the commission of a sale and its adjustments do not add up to the amount that the sale earns; \`paid_attribution\`: the commission of a sale is paid, but facts that arrived later give the sale to \`affiliate_id\` or to nobody; \`paid_reward\`: the commission of a sale is paid, but by the tiers or the time of the charge that are known now it would have another amount, or a bonus is paid whose commission of the sale was voided or went to another affiliate; \`paid_lead\`: the reward for a lead is paid, but by the facts that are known now another affiliate (\`affiliate_id\`), nobody or another amount would be rewarded; \`paid_milestone\`: a milestone is paid that is reached less often now; \`uncounted_refund\`: refunds of another report of the same payment are not counted, because they may be the same refunds; \`failed_event\`: a Stripe event could not be applied and will not be retried; \`kept_event\`: Stripe events had no effect so far, because they could not be read or are in another mode (live or test) than the key; \`mode_mismatch\`: the payout, its commissions, and the export or run that holds it do not have the same \`livemode\`; \`terms_mismatch\`: a commission does not have the terms that its campaign had at the charge; \`earner_mismatch\`: a commission belongs to another affiliate, referral or mode than its sale, or its affiliate could not earn from the sale; \`limit_exceeded\`: a referral has more commissions than its campaign allowed; \`cap_exceeded\`: a line of a commission, or the unpaid commissions of a referral or an affiliate together, pay more than the cap of a rule; \`bonus_mismatch\`: a bonus stands although the commission of its sale does not, or is flagged or falls due otherwise; \`credit_mismatch\`: a commission without a sale and its adjustments do not add up; \`review_mismatch\`: a flagged commission is in a payout, or a dispute or a suspicion does not hold a commission, or holds it although it has ended; \`payout_mismatch\`: a payout holds commissions of another affiliate or currency, or commissions that are pending or voided; \`paid_twice\`: several exports or runs say that they paid the payout, or a payment that was given up has been made after all; \`open_payment\`: a person has to ask about a payment: it has no certain answer, the service that pays names another amount, or it has been under way for 14 days; \`event_mismatch\`: the events about a commission or a payout were not emitted exactly once; \`payment_mismatch\`: a sale contradicts its Stripe payment; \`refund_mismatch\`: the refunds of a sale are not those that were reported.`,
    ),
  message: z.string(),
  payout_run_id: id('payout_run').nullable(),
  payout_export_id: id('payout_export').nullable(),
  payout_id: id('payout').nullable(),
  sale_id: id('sale')
    .nullable()
    .describe(
      'Sale whose paid commission differs from the facts (`paid_attribution`, `paid_reward`), or whose refunds are in doubt (`uncounted_refund`).',
    ),
  affiliate_id: id('affiliate')
    .nullable()
    .describe('Affiliate who would earn from the sale by all known facts. `null` if nobody would, and for all other codes.'),
  psp_event_id: z.string().nullable().describe('Stripe event that could not be applied. The oldest one if there are several.'),
  currency: currencyCode().nullable(),
  expected_cents: signedCents().nullable(),
  actual_cents: signedCents().nullable(),
  commission_ids: z.array(id('commission')).describe(`Affected commissions, up to ${MAX_COMMISSIONS_NAMED}.`),
});
export type Discrepancy = z.infer<typeof Discrepancy>;

const PaidTotal = z.object({
  currency: currencyCode(),
  payouts_count: z.int(),
  paid_cents: signedCents(),
  paid_by_run_cents: signedCents(),
  paid_by_export_cents: signedCents(),
  paid_by_hand_cents: signedCents(),
  paid_by_service_cents: signedCents(),
  returned_cents: signedCents().describe(
    'Total of payouts returned in the window, whenever they were paid. Not included in `paid_cents`.',
  ),
});

export const ReconcilePayouts = z.strictObject({
  lookback_days: z.int().min(1).max(3650).default(30).describe('Number of days to check, counted back from now.'),
});
export type ReconcilePayouts = z.infer<typeof ReconcilePayouts>;

export const Reconciliation = z
  .object({
    lookback_days: z.int(),
    from: instant(),
    until: instant(),
    runs: z
      .object({
        planned: z.int(),
        executing: z.int(),
        completed: z.int(),
        partially_completed: z.int(),
        canceled: z.int(),
      })
      .describe('Number of runs created in the window, by state.'),
    waiting: z
      .object({
        events: z.int().describe('Stripe events that failed and will be retried.'),
        payments_without_amount: z
          .int()
          .describe('Stripe payments, changed in the window, that have a checkout or a refund but no charge yet.'),
        sales_without_referral: z.int().describe('Sales charged in the window that are not attributed to a referral.'),
      })
      .describe('Records that are incomplete until further events arrive. This is normal; they are not discrepancies.'),
    totals: z.array(PaidTotal).describe('Live payouts paid or returned in the window, per currency.'),
    fees: z
      .array(
        z.object({
          currency: currencyCode(),
          fee_cents: signedCents().describe('Sum of the fees.'),
          affiliate_fee_cents: signedCents().describe(
            'Fees that affiliates bear: parts of payments that have arrived, and that were not sent.',
          ),
        }),
      )
      .describe(
        'Fees that services which pay took for live payments sent in the window, per currency. Not included in `totals`.',
      ),
    discrepancies: z
      .array(Discrepancy)
      .describe(
        `Inconsistencies found; empty if there are none. Unpaid payouts, due commissions and unfinished runs are always checked, regardless of age. Up to ${MAX_DISCREPANCIES} per code.`,
      ),
  })
  .meta({ id: 'PayoutReconciliation', description: 'Consistency report of payouts, commissions, exports, and runs.' });
export type Reconciliation = z.infer<typeof Reconciliation>;
