import { z } from 'zod';
import { oneOrMore, updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { currencyCode, id, instant, livemode, signedCents, text } from '../../platform/wire/scalars.ts';
import { PAYOUT_RUN_ITEM_STATES, PAYOUT_RUN_STATES } from '../../platform/wire/states.ts';
import { affiliateIds, paymentReference, payoutIds } from '../batches/batch.schema.ts';
import { ISSUE_CODES, type IssueCode } from '../batches/payout-batch.entity.ts';

/** Maximum number of items in a run record. A run can have more items. */
export const MAX_ITEMS_SHOWN = 1_000;
const REMEDIATION_ACTIONS = ['retry', 'exclude', 'cancel'] as const;

export const ISSUE_MESSAGES: Record<IssueCode, string> = {
  amount_mismatch: 'The payout amount differs from the sum of its commissions or from the claimed amount.',
  commission_flagged: 'A commission is flagged for review. Retry to pay the payout without the commission.',
  affiliate_inactive: 'The affiliate is not active or is archived.',
  not_positive: 'The payout amount is not greater than zero.',
  below_minimum: 'The payout amount is below the campaign’s minimum payout.',
  payout_details_changed: 'The payout details have just changed. Retry when payouts_held_until has passed.',
  screening: 'The affiliate has not been cleared by the screening. Retry once it is.',
  missing_payout_details:
    'The affiliate has neither a PayPal email address (walleta_email) nor a Wise email address (walletb_email).',
  payment_failed:
    'An error kept the payout from being paid, and nothing was paid. Retry. If it fails again, the log of the service names the payout and the error.',
};

const issueCode = z
  .enum(ISSUE_CODES)
  .describe(
    '`missing_payout_details`: the affiliate has neither a PayPal (`walleta_email`) nor a Wise email address (`walletb_email`). `affiliate_inactive`: the affiliate is not active or is archived.',
  );

const PayoutRunItem = z.object({
  payout_id: id('payout'),
  affiliate_id: id('affiliate'),
  state: z
    .enum(PAYOUT_RUN_ITEM_STATES)
    .describe(
      '`planned`: the run has claimed or is about to claim the payout; `paid`; `returned`: the payout was paid, but the transfer bounced; `failed`: the item has an issue, and its payout is open again; `excluded`: the item was removed from the run, or its payout was claimed or paid elsewhere first; `canceled`: the payout was released when the run was canceled.',
    ),
  amount_cents: signedCents().describe('Amount when the payout was claimed.'),
  currency: currencyCode(),
  commissions_count: z.int(),
  issue: z.object({ code: issueCode, message: z.string() }).nullable(),
});

const PayoutRunTotal = z.object({
  currency: currencyCode(),
  items_count: z.int(),
  amount_cents: signedCents().describe('Total of all items.'),
  planned_cents: signedCents(),
  paid_cents: signedCents(),
  returned_cents: signedCents(),
  failed_cents: signedCents(),
  excluded_cents: signedCents(),
  canceled_cents: signedCents(),
});

export const PayoutRunRecord = z
  .object({
    id: id('payout_run'),
    state: z
      .enum(PAYOUT_RUN_STATES)
      .describe(
        '`planned`; `executing`; `completed`: no failed items remain; `partially_completed`: some items failed, see `issues`; `canceled`.',
      ),
    idempotency_key: z.string(),
    livemode: livemode(),
    affiliate_ids: z.array(id('affiliate')).nullable().describe('Affiliates that the run is limited to; `null` for all.'),
    payment_reference: z.string().nullable(),
    items_total: z.int(),
    items_done: z.int().describe('Number of items that are paid, failed, excluded, or canceled.'),
    totals: z.array(PayoutRunTotal).describe('Totals per currency.'),
    issues: z.array(z.object({ code: issueCode, items_count: z.int() })).describe('Issues of failed items, by code.'),
    items: z.array(PayoutRunItem).describe(`Up to ${MAX_ITEMS_SHOWN} items: failed items first, then oldest payouts first.`),
    executed_at: instant().nullable(),
    completed_at: instant().nullable(),
    canceled_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'PayoutRun', description: 'A batch of payouts that are checked and marked paid together.' });
export type PayoutRunRecord = z.infer<typeof PayoutRunRecord>;

/** A run without its items, of which there may be many. `payoutRuns.items` returns the items page by page. */
export const PayoutRunSummary = PayoutRunRecord.omit({ items: true }).meta({
  id: 'PayoutRunSummary',
  description: 'A payout run without its items.',
});
export type PayoutRunSummary = z.infer<typeof PayoutRunSummary>;

export const PayoutRunEventData = z.object(PayoutRunSummary.shape).meta({ id: 'PayoutRunEventData' });

export const ListPayoutRuns = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at'),
  ...updatedRange,
  state: oneOrMore(PAYOUT_RUN_STATES),
});
export type ListPayoutRuns = z.infer<typeof ListPayoutRuns>;
export const PayoutRunPage = paginated(PayoutRunSummary);

export const GetPayoutRun = z.strictObject({ id: id('payout_run') });

export const ListPayoutRunItems = z.strictObject({
  ...pageInput,
  id: id('payout_run'),
  state: oneOrMore(PAYOUT_RUN_ITEM_STATES),
});
export type ListPayoutRunItems = z.infer<typeof ListPayoutRunItems>;

const ListedItem = PayoutRunItem.extend({
  affiliate: z
    .object({ email: z.string(), first_name: z.string().nullable(), last_name: z.string().nullable() })
    .describe('Current details of the affiliate.'),
});
export const PayoutRunItemPage = paginated(ListedItem);
export type ListedPayoutRunItem = z.infer<typeof ListedItem>;

export const CreatePayoutRun = z.strictObject({
  idempotency_key: text(255).optional().describe('Repeating a key returns the existing run. Defaults to a generated key.'),
  execute_now: z.boolean().default(false).describe('If `true`, executes the run immediately and returns when it is finished.'),
  affiliate_ids: affiliateIds.optional().describe('Limits the run to these affiliates.'),
  payout_ids: payoutIds()
    .optional()
    .describe('Limits the run to these payouts. Fails and names them if one of them is not eligible.'),
  livemode: z
    .boolean()
    .default(true)
    .describe('`false` pays payouts of the payment provider’s test mode. A run never mixes modes.'),
  payment_reference: paymentReference.describe(
    'Your reference for the transfer, stored with each payout. Used with `execute_now`.',
  ),
});
export type CreatePayoutRun = z.infer<typeof CreatePayoutRun>;

export const ExecutePayoutRun = z.strictObject({
  id: id('payout_run'),
  async: z
    .boolean()
    .default(true)
    .describe('If `true`, executes in the background and returns 202 immediately; if `false`, returns when the run is finished.'),
  payment_reference: paymentReference,
});
export type ExecutePayoutRun = z.infer<typeof ExecutePayoutRun>;

export const RemediatePayoutRun = z.strictObject({
  id: id('payout_run'),
  remediation_action: z
    .enum(REMEDIATION_ACTIONS)
    .describe(
      '`retry`: claims and checks failed items again and pays those that pass; `exclude`: removes failed items, or the planned items in `payout_ids`; `cancel`: releases all unpaid payouts.',
    ),
  issue_code: issueCode.optional().describe('Limits the action to failed items with this issue. Not allowed with `cancel`.'),
  payout_ids: payoutIds().optional().describe('Limits the action to these items. Not allowed with `cancel`.'),
});
export type RemediatePayoutRun = z.infer<typeof RemediatePayoutRun>;
