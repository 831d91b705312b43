import { z } from 'zod';
import { AFFILIATE_STATES } from '../../program/affiliates/affiliate.entity.ts';
import { currency, currencyCode, id, instant, signedCents } from '../../platform/wire/scalars.ts';

const amount = z.object({ count: z.int(), amount_cents: signedCents() });

export const Overview = z
  .object({
    as_of: instant(),
    due: z
      .array(
        z.object({
          currency: z.string(),
          payable: amount.describe('Open payouts that can be paid now.'),
          waiting: amount.describe('Open payouts that cannot be paid yet: below the minimum, on hold, affiliate inactive.'),
          processing: amount.describe('Payouts claimed by an export or a run.'),
          not_due_yet: amount.describe('Pending commissions, which fall due later.'),
        }),
      )
      .describe('What is owed to affiliates, per currency.'),
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
        .describe('Unpaid commissions flagged suspicious, the oldest ten.'),
      affiliates: z
        .array(z.object({ id: id('affiliate'), email: z.string(), state: z.enum(AFFILIATE_STATES), created_at: instant() }))
        .describe('Affiliates pending or suspicious, the oldest ten.'),
    }),
    affiliates: z
      .object({ pending: z.int(), active: z.int(), disabled: z.int(), suspicious: z.int(), rejected: z.int() })
      .describe('How many there are in each state, archived ones not counted.'),
    recent_activity: z
      .array(z.object({ id: id('event'), type: z.string(), occurred_at: instant(), data: z.record(z.string(), z.unknown()) }))
      .describe('The ten newest events, as webhooks tell them.'),
  })
  .meta({ id: 'Overview', description: 'What is due, what needs review, and what happened of late.' });
export type Overview = z.infer<typeof Overview>;

export const GetOverview = z.strictObject({});

/** Longest range of a time series: a leap year. */
export const MAX_DAYS = 366;

const day = z.iso.date().meta({ example: '2026-11-20' });

const range = {
  from: day.optional().describe('First day, UTC; 29 days before `to` when missing.'),
  to: day.optional().describe(`Last day, UTC; today when missing. At most ${MAX_DAYS} days in all.`),
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
        referrals: z.int().describe('Created on this day.'),
        conversions: z.int().describe('Referrals that converted on this day.'),
        currencies: z
          .array(
            z.object({
              currency: z.string(),
              sales: z.int(),
              sales_cents: signedCents().describe('Charged on this day, less tax and refunds to date.'),
              commissions_cents: signedCents().describe(
                'Earned in this currency by the sales of this day, less what was voided or taken back.',
              ),
              payouts: z.int().describe('Marked paid on this day.'),
              payouts_cents: signedCents(),
            }),
          )
          .describe('Only those with sales, commissions or payouts.'),
      }),
    ),
  })
  .meta({ id: 'DailySeries', description: 'What happened on each day (UTC) of a range.' });
export type DailySeries = z.infer<typeof DailySeries>;

export const GetTopAffiliates = z.strictObject({
  ...range,
  currency: currency().describe('Amounts of different currencies cannot be ranked together.'),
  limit: z.int().min(1).max(50).default(10),
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
          sales_cents: signedCents().describe('Charged in the range, less tax and refunds to date.'),
          commissions_cents: signedCents().describe(
            'Earned by these sales in the same currency, less what was voided or taken back.',
          ),
        }),
      )
      .describe('Whoever sold most comes first; those without sales in the range are not there.'),
  })
  .meta({ id: 'TopAffiliates', description: 'Whose referrals bought most in a range of days, in one currency.' });
export type TopAffiliates = z.infer<typeof TopAffiliates>;
