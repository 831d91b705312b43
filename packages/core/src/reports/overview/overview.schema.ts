import { z } from 'zod';
import { INELIGIBLE_REASONS } from '../../ledger/payouts/payout.schema.ts';
import { currency, currencyCode, id, instant, signedCents, timestamp } from '../../platform/wire/scalars.ts';
import { AFFILIATE_STATES } from '../../platform/wire/states.ts';

const amount = z.object({ count: z.int(), amount_cents: signedCents() });

export const Overview = z
  .object({
    as_of: instant(),
    due: z
      .array(
        z.object({
          currency: z.string(),
          payable: amount.describe('Eligible payouts.'),
          waiting: amount.describe(
            'Open payouts above zero that are not eligible: below minimum, on hold, or affiliate inactive, for example.',
          ),
          obstacles: z
            .array(z.object({ reason: z.enum(INELIGIBLE_REASONS), ...amount.shape }))
            .describe('The payouts of `waiting` by reason. A payout with several reasons is counted for each.'),
          debts: amount.describe(
            'Open payouts below zero: more was taken back than earned. They are never netted against payouts of other affiliates.',
          ),
          processing: amount.describe('Payouts claimed by an export or a run.'),
          not_due_yet: amount.describe('Pending commissions that do not wait for a review.'),
          under_review: amount.describe(
            'Flagged commissions that wait for a review. They are in no payout until they are approved.',
          ),
        }),
      )
      .describe('Amounts owed to affiliates, per currency.'),
    needs_review: z.object({
      commissions_count: z.int(),
      commissions: z
        .array(
          z.object({
            id: id('commission'),
            affiliate_id: id('affiliate'),
            amount_cents: signedCents(),
            currency: z.string(),
            created_at: instant(),
          }),
        )
        .describe('Commissions that wait for a review; the ten oldest.'),
      rewards_count: z.int().describe('Paid bonuses, rewards for leads and milestones that facts contradict.'),
      sales_count: z.int().describe('Sales whose paid commission facts contradict, or whose refunds are in doubt.'),
      affiliates: z
        .array(z.object({ id: id('affiliate'), email: z.string(), state: z.enum(AFFILIATE_STATES), created_at: instant() }))
        .describe('Pending and suspicious affiliates; the ten oldest.'),
    }),
    affiliates: z
      .object({ pending: z.int(), active: z.int(), disabled: z.int(), suspicious: z.int(), rejected: z.int() })
      .describe('Number of affiliates in each state, excluding archived ones.'),
    recent_activity: z
      .array(
        z.object({
          id: id('event'),
          type: z.string(),
          occurred_at: instant(),
          affiliate_name: z.string().nullable().describe('Name or email address of the affiliate; null if unknown.'),
          data: z.record(z.string(), z.unknown()),
        }),
      )
      .describe('The ten most recent events, in webhook format.'),
  })
  .meta({ id: 'Overview', description: 'Balances, records that need review, and recent activity.' });
export type Overview = z.infer<typeof Overview>;

export const GetOverview = z.strictObject({});

export const GetPayable = z.strictObject({
  at: timestamp().describe('Time of the payment, e.g. next Friday. Now or later.').meta({ example: '2099-12-31T12:00:00Z' }),
});
export type GetPayable = z.infer<typeof GetPayable>;

export const Payable = z
  .object({
    at: instant(),
    currencies: z
      .array(
        z.object({
          currency: currencyCode(),
          payable: amount.describe('Payouts that could be paid then.'),
          falling_due: amount.describe('Commissions that become due until then. Included in the payouts.'),
          under_review: amount.describe('Flagged commissions. They are in no payout until they are approved.'),
          obstacles: z
            .array(z.object({ reason: z.enum(INELIGIBLE_REASONS), ...amount.shape }))
            .describe('Payouts that could not be paid, by reason. A payout with several reasons is counted for each.'),
        }),
      )
      .describe('Live payouts per currency, without those that an export or a run has claimed.'),
    largest: z
      .array(
        z.object({
          affiliate_id: id('affiliate'),
          email: z.string(),
          currency: currencyCode(),
          amount_cents: signedCents(),
          ineligible_reasons: z.array(z.enum(INELIGIBLE_REASONS)),
        }),
      )
      .describe('The ten payouts with the largest amounts.'),
  })
  .meta({ id: 'Payable', description: 'Payouts that could be paid at a time, if nothing else happens until then.' });
export type Payable = z.infer<typeof Payable>;

/** Maximum length of a time series in days: a leap year. */
export const MAX_DAYS = 366;

const day = z.iso.date().meta({ example: '2026-11-20' });

const range = {
  from: day.optional().describe('First day, in UTC. Defaults to 29 days before `to`.'),
  to: day.optional().describe(`Last day, in UTC. Defaults to today. The range can span up to ${MAX_DAYS} days.`),
};

export const GetDailySeries = z.strictObject(range);
export type GetDailySeries = z.infer<typeof GetDailySeries>;

export const DailySeries = z
  .object({
    from: day,
    to: day,
    days: z.array(
      z.object({
        date: day,
        clicks: z.int(),
        referrals: z.int().describe('Referrals created on this day.'),
        conversions: z.int().describe('Referrals that converted on this day.'),
        currencies: z
          .array(
            z.object({
              currency: z.string(),
              sales: z.int().describe('Sales of affiliates.'),
              sales_cents: signedCents().describe(
                'Sales of affiliates charged on this day, net of tax and refunds to date. Sales that no affiliate brought are not included.',
              ),
              commissions_cents: signedCents().describe(
                'Commissions in this currency on this day’s sales, net of voids and adjustments, and manual commissions created on this day.',
              ),
              payouts: z.int().describe('Payouts marked paid on this day.'),
              payouts_cents: signedCents(),
            }),
          )
          .describe('Currencies with sales, commissions, or payouts on this day.'),
      }),
    ),
  })
  .meta({ id: 'DailySeries', description: 'Daily figures of a date range, in UTC.' });
export type DailySeries = z.infer<typeof DailySeries>;

export const GetTopAffiliates = z.strictObject({
  ...range,
  currency: currency().describe('Currency to rank by. Sales in other currencies are not included.'),
  limit: z.int().min(1).max(50).default(10).describe('Number of affiliates.'),
});
export type GetTopAffiliates = z.infer<typeof GetTopAffiliates>;

export const TopAffiliates = z
  .object({
    from: day,
    to: day,
    currency: currencyCode(),
    affiliates: z
      .array(
        z.object({
          id: id('affiliate'),
          email: z.string(),
          first_name: z.string().nullable(),
          last_name: z.string().nullable(),
          state: z.enum(AFFILIATE_STATES),
          sales: z.int(),
          sales_cents: signedCents().describe('Sales charged in the range, net of tax and refunds to date.'),
          previous_sales_cents: signedCents().describe('Sales in the same number of days before the range.'),
          commissions_cents: signedCents().describe(
            'Commissions on these sales in the same currency, net of voids and adjustments.',
          ),
        }),
      )
      .describe('Affiliates with sales in the range, highest sales first.'),
  })
  .meta({ id: 'TopAffiliates', description: 'Affiliates with the highest sales in a date range, in one currency.' });
export type TopAffiliates = z.infer<typeof TopAffiliates>;

export const GetFallingDue = z.strictObject({});

export const FallingDue = z
  .object({
    months: z
      .array(
        z.object({
          month: z.string().meta({ example: '2026-12' }),
          currency: currencyCode(),
          count: z.int(),
          amount_cents: signedCents(),
        }),
      )
      .describe('Pending live commissions by the month (UTC) in which they become due, e.g. `2026-12`.'),
  })
  .meta({ id: 'FallingDue', description: 'Pending commissions by the month in which they become due.' });
export type FallingDue = z.infer<typeof FallingDue>;

export const FirstSteps = z.object({
  campaign: z.boolean(),
  affiliate: z.boolean(),
  test: z
    .boolean()
    .describe('`true` if a test visit or a test sale was recorded, or a live sale, which makes a test unnecessary.'),
  tracking: z
    .boolean()
    .describe('`true` if the tracking script was seen on a site of the account, or a live sale has an affiliate.'),
  payment_provider: z.boolean().describe('`true` if the payment provider is connected in live mode.'),
  sale: z.boolean().describe('`true` if there is a live sale.'),
  webhook: z.boolean(),
});
export type FirstSteps = z.infer<typeof FirstSteps>;
