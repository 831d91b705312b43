import { z } from 'zod';
import { oneOrMore } from '../../platform/wire/filters.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { currencyCode, id, instant, signedCents, text } from '../../platform/wire/scalars.ts';
import { PAYOUT_RUN_STATES } from './payout-run.entity.ts';
import { ISSUE_CODES, type IssueCode } from './payout-run.tables.ts';

/** Items that a run shows; a run may have any number. */
export const MAX_ITEMS_SHOWN = 1_000;
export const ITEM_STATES = ['planned', 'paid', 'failed', 'excluded', 'canceled'] as const;
export const REMEDIATION_ACTIONS = ['retry', 'exclude', 'cancel'] as const;

/** What each issue says to people. */
export const ISSUE_MESSAGES: Record<IssueCode, string> = {
  amount_mismatch: 'The amount differs from the sum of the commissions, or from what was claimed.',
  affiliate_inactive: 'The affiliate is not active, or archived.',
  not_positive: 'The amount is not above zero.',
  below_minimum: 'The amount is below the campaign’s minimum payout.',
  missing_payout_details: 'The affiliate has neither walleta_email nor walletb_email.',
};

const issueCode = z
  .enum(ISSUE_CODES)
  .describe(
    '`missing_payout_details`: the affiliate has neither `walleta_email` nor `walletb_email`. `affiliate_inactive`: in any state but active, or archived.',
  );

const PayoutRunItem = z.object({
  payout_id: id('payout'),
  affiliate_id: id('affiliate'),
  state: z
    .enum(ITEM_STATES)
    .describe(
      '`planned`: claimed by the run; `failed`: has an issue, its payout is open again; `excluded`: dropped, or its payout was taken elsewhere before the run could claim it; `canceled`: released by the cancellation of the run.',
    ),
  amount_cents: signedCents().describe('As of the claim.'),
  currency: currencyCode(),
  commissions_count: z.int(),
  issue: z.object({ code: issueCode, message: z.string() }).nullable(),
});

const PayoutRunTotal = z.object({
  currency: currencyCode(),
  items_count: z.int(),
  amount_cents: signedCents().describe('All items.'),
  planned_cents: signedCents(),
  paid_cents: signedCents(),
  failed_cents: signedCents(),
  excluded_cents: signedCents(),
  canceled_cents: signedCents(),
});

export const PayoutRunRecord = z
  .object({
    id: id('payout_run'),
    state: z
      .enum(PAYOUT_RUN_STATES)
      .describe('`completed`: nothing is left unpaid; `partially_completed`: some items failed, see `issues`.'),
    idempotency_key: z.string(),
    affiliate_ids: z.array(id('affiliate')).nullable().describe('The affiliates it was limited to; null: all.'),
    payment_reference: z.string().nullable(),
    items_total: z.int(),
    items_done: z.int().describe('Items that were paid, failed, excluded or canceled.'),
    totals: z.array(PayoutRunTotal).describe('Per currency.'),
    issues: z.array(z.object({ code: issueCode, items_count: z.int() })).describe('Of failed items.'),
    items: z.array(PayoutRunItem).describe(`At most ${MAX_ITEMS_SHOWN}, failed ones first, then the oldest payouts.`),
    executed_at: instant().nullable(),
    completed_at: instant().nullable(),
    canceled_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  })
  .meta({ id: 'PayoutRun', description: 'Payouts that are checked and marked paid together.' });
export type PayoutRunRecord = z.infer<typeof PayoutRunRecord>;

/** A run may have any number of items: lists leave them to `payoutRuns.items`. */
export const PayoutRunSummary = PayoutRunRecord.omit({ items: true }).meta({
  id: 'PayoutRunSummary',
  description: 'A payout run without its items.',
});
export type PayoutRunSummary = z.infer<typeof PayoutRunSummary>;

export const ListPayoutRuns = z.strictObject({ ...pageInput, state: oneOrMore(PAYOUT_RUN_STATES) });
export type ListPayoutRuns = z.infer<typeof ListPayoutRuns>;
export const PayoutRunPage = paginated(PayoutRunSummary);

export const GetPayoutRun = z.strictObject({ id: id('payout_run') });

export const ListPayoutRunItems = z.strictObject({ ...pageInput, id: id('payout_run'), state: oneOrMore(ITEM_STATES) });
export type ListPayoutRunItems = z.infer<typeof ListPayoutRunItems>;

const ListedItem = PayoutRunItem.extend({
  affiliate: z
    .object({ email: z.string(), first_name: z.string().nullable(), last_name: z.string().nullable() })
    .describe('As it is now.'),
});
export const PayoutRunItemPage = paginated(ListedItem);
export type ListedPayoutRunItem = z.infer<typeof ListedItem>;

export const CreatePayoutRun = z.strictObject({
  idempotency_key: text(255).optional().describe('The same key returns the same run; generated when missing.'),
  execute_now: z.boolean().default(false).describe('Executes at once, and answers when that is done.'),
  affiliate_ids: z.array(id('affiliate')).min(1).max(10_000).optional().describe('Limits the run to these affiliates.'),
  payment_reference: text(255).optional().describe('Yours, of the transfer; kept with every payout. For `execute_now`.'),
});
export type CreatePayoutRun = z.infer<typeof CreatePayoutRun>;

export const ExecutePayoutRun = z.strictObject({
  id: id('payout_run'),
  async: z
    .boolean()
    .default(true)
    .describe('Leaves the work to a worker and answers 202 at once; otherwise answers when it is done.'),
  payment_reference: text(255).optional().describe('Yours, of the transfer; kept with every payout.'),
});
export type ExecutePayoutRun = z.infer<typeof ExecutePayoutRun>;

export const RemediatePayoutRun = z.strictObject({
  id: id('payout_run'),
  remediation_action: z
    .enum(REMEDIATION_ACTIONS)
    .describe(
      '`retry`: claims, checks and pays failed items again; `exclude`: drops failed items, or planned ones that are named; `cancel`: releases everything unpaid.',
    ),
  issue_code: issueCode.optional().describe('Only failed items with this issue; not with `cancel`.'),
  payout_ids: z.array(id('payout')).min(1).max(10_000).optional().describe('Only these items; not with `cancel`.'),
});
export type RemediatePayoutRun = z.infer<typeof RemediatePayoutRun>;
