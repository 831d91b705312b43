import { z } from 'zod';
import { currencyCode, id, instant, signedCents } from '../../platform/wire/scalars.ts';

export const DISCREPANCY_CODES = [
  'run_stuck',
  'missing_claim',
  'orphaned_claim',
  'amount_mismatch',
  'item_mismatch',
  'unpaid_commissions',
] as const;
export type DiscrepancyCode = (typeof DISCREPANCY_CODES)[number];

/** Discrepancies of one code in one answer. */
export const MAX_DISCREPANCIES = 1_000;
/** Commissions that one discrepancy names. */
export const MAX_COMMISSIONS_NAMED = 100;
export const STUCK_AFTER_MINUTES = 15;

const Discrepancy = z.object({
  code: z
    .enum(DISCREPANCY_CODES)
    .describe(
      `\`run_stuck\`: there is work left, and none was done for ${STUCK_AFTER_MINUTES} minutes; \`missing_claim\`: the payout is processing, but no export or run holds it; \`orphaned_claim\`: it is held by something that is over, or held although it is open; \`amount_mismatch\`: its amount is not the sum of its commissions; \`item_mismatch\`: the export or run says otherwise about it; \`unpaid_commissions\`: it is paid, some of its commissions are not.`,
    ),
  message: z.string(),
  payout_run_id: id('payout_run').nullable(),
  payout_export_id: id('payout_export').nullable(),
  payout_id: id('payout').nullable(),
  currency: currencyCode().nullable(),
  expected_cents: signedCents().nullable(),
  actual_cents: signedCents().nullable(),
  commission_ids: z.array(id('commission')).describe(`At most ${MAX_COMMISSIONS_NAMED}.`),
});
export type Discrepancy = z.infer<typeof Discrepancy>;

const PaidTotal = z.object({
  currency: currencyCode(),
  payouts_count: z.int(),
  paid_cents: signedCents(),
  paid_by_run_cents: signedCents(),
  paid_by_export_cents: signedCents(),
  paid_by_hand_cents: signedCents(),
});

export const ReconcilePayouts = z.strictObject({
  lookback_days: z.int().min(1).max(3650).default(30).describe('How many days back paid payouts and runs are looked at.'),
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
      .describe('Runs created in the window, by state.'),
    totals: z.array(PaidTotal).describe('Payouts that were paid in the window, per currency.'),
    discrepancies: z
      .array(Discrepancy)
      .describe(
        `Empty on a healthy account. Payouts that are not paid, and runs with work left, are looked at whatever their age. At most ${MAX_DISCREPANCIES} of each code.`,
      ),
  })
  .meta({ id: 'PayoutReconciliation', description: 'Whether payouts, commissions, exports and runs agree.' });
export type Reconciliation = z.infer<typeof Reconciliation>;
