import { sql } from 'kysely';
import { z } from 'zod';
import { NEEDS_REVIEW } from '../../ledger/commissions/commission.transitions.ts';
import { CREDITED_STATE } from '../../ledger/earning/credited.ts';
import { IS_LIVE_SALE, IS_SOLD } from '../../ledger/sales/sale.entity.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { currencyCode, id, instant, signedCents } from '../../platform/wire/scalars.ts';
import { IS_COUNTED } from '../../program/links/counted-referrals.ts';
import { refundsOfSales } from '../timelines/record-timeline.queries.ts';

export const CommissionStats = z
  .object({
    visitors: z.int().describe('Referrals in any state, including expired referrals that were deleted.'),
    leads: z.int().describe('Referrals that became leads, including conversions.'),
    conversions: z.int().describe('Referrals that converted.'),
    currencies: z.array(
      z.object({
        currency: currencyCode(),
        pending_cents: signedCents(),
        due_cents: signedCents(),
        paid_cents: signedCents().describe(
          'Paid commissions, including commissions voided after they were paid; the clawback is in `due_cents`.',
        ),
        voided_cents: signedCents().describe('Commissions voided before they were claimed or paid.'),
        under_review_cents: signedCents().describe(
          'Part of `pending_cents` and `due_cents` that is kept out of payouts until it is reviewed (`needs_review` of commissions).',
        ),
        gross_sales_cents: signedCents().describe('Amount charged to referred customers, before tax and refunds.'),
      }),
    ),
  })
  .meta({ id: 'CommissionStats', description: 'Referrals, sales, and commissions of an affiliate, per currency.' });
export type CommissionStats = z.infer<typeof CommissionStats>;

const KINDS = [
  'joined',
  'first_click',
  'first_sale',
  'refund',
  'refund_failed',
  'dispute_lost',
  'payout_paid',
  'payout_returned',
] as const;

export const GetTimeline = z.strictObject({ id: id('affiliate') });

export const Timeline = z
  .object({
    entries: z
      .array(
        z.object({
          at: instant(),
          kind: z.enum(KINDS),
          amount_cents: signedCents().nullable(),
          currency: currencyCode().nullable(),
        }),
      )
      .describe('Newest first.'),
  })
  .meta({ id: 'AffiliateTimeline', description: 'The milestones of an affiliate.' });
export type Timeline = z.infer<typeof Timeline>;

type Funnel = Pick<CommissionStats, 'visitors' | 'leads' | 'conversions'>;

/**
 * Loads the statistics of all the given affiliates with two queries. Visitors include those whose referrals were purged. Test-mode amounts
 * are excluded.
 */
export async function loadCommissionStats({ db }: Ctx, affiliates: readonly { id: string }[]): Promise<CommissionStats[]> {
  const ids = affiliates.map(({ id }) => id);
  if (ids.length === 0) return [];
  const { rows: funnels } = await sql<Funnel & { affiliate_id: string }>`
    select affiliate_id, sum(visitors) as visitors, sum(leads) as leads, sum(conversions) as conversions
    from (
      select affiliate_id, count(*) as visitors,
        count(*) filter (where conversion_state in ('lead', 'conversion')) as leads,
        count(*) filter (where conversion_state = 'conversion') as conversions
      from referral where affiliate_id = any (${ids}) and ${IS_COUNTED} group by affiliate_id
      union all
      select affiliate_id, sum(visitors), 0, 0 from visitor_count where affiliate_id = any (${ids}) group by affiliate_id
    ) part
    group by affiliate_id`.execute(db);
  const { rows: money } = await sql<CommissionStats['currencies'][number] & { affiliate_id: string }>`
    select affiliate_id, currency,
      sum(pending_cents) as pending_cents, sum(due_cents) as due_cents, sum(paid_cents) as paid_cents,
      sum(voided_cents) as voided_cents, sum(under_review_cents) as under_review_cents, sum(gross_sales_cents) as gross_sales_cents
    from (
      select affiliate_id, currency,
        coalesce(sum(amount_cents) filter (where credited_state = 'pending'), 0) as pending_cents,
        coalesce(sum(amount_cents) filter (where credited_state = 'due'), 0) as due_cents,
        coalesce(sum(amount_cents) filter (where credited_state = 'paid'), 0) as paid_cents,
        coalesce(sum(amount_cents) filter (where credited_state = 'voided'), 0) as voided_cents,
        coalesce(sum(amount_cents) filter (where ${NEEDS_REVIEW}), 0) as under_review_cents,
        0 as gross_sales_cents
      from (select commission.*, ${CREDITED_STATE} as credited_state from commission where affiliate_id = any (${ids}) and livemode) commission
      group by affiliate_id, currency
      union all
      select affiliate_id, currency, 0, 0, 0, 0, 0, sum(charge_amount_cents)
      from sale where affiliate_id = any (${ids}) and ${IS_LIVE_SALE} group by affiliate_id, currency
    ) part
    group by affiliate_id, currency
    order by affiliate_id, currency`.execute(db);
  return ids.map((id) => ({
    ...(funnels.find((funnel) => funnel.affiliate_id === id) ?? { visitors: 0, leads: 0, conversions: 0 }),
    currencies: money.filter((row) => row.affiliate_id === id),
  }));
}

/** Maximum number of entries of each of these kinds in a timeline: refunds, paid payouts, and returned payouts. The latest are listed. */
const MAX_OF_KIND = 50;
/** Maximum number of refunded sales whose refunds are read. The most recently changed sales are read. */
const MAX_SALES = 200;

/**
 * Returns the history of an affiliate, newest first: when they joined, their first click and first sale, refunds and payouts. Test sales are
 * excluded. If the record of the first click was purged, the time of that click is the beginning of its day.
 *
 * @throws NOT_FOUND
 */
export async function getTimeline({ db, accountId }: Ctx, affiliateId: string): Promise<Timeline> {
  const affiliate = await db
    .selectFrom('affiliate')
    .select('created_at')
    .where('account_id', '=', accountId)
    .where('id', '=', affiliateId)
    .executeTakeFirst();
  const { created_at } = foundOrThrow(affiliate, 'affiliate');
  const { rows } = await sql<Timeline['entries'][number]>`
    with first_day as (
      select min(link_clicks.day) as day from link_clicks join link on link.id = link_clicks.link_id where link.affiliate_id = ${affiliateId}
    ), entry as (
      select coalesce(
          (select min(at) from click join link on link.id = click.link_id
            where click.day = first_day.day and link.affiliate_id = ${affiliateId} and click.bot_reason is null),
          first_day.day::timestamptz) as at,
        'first_click' as kind, null::bigint as amount_cents, null::text as currency
      from first_day where day is not null
      union all
      (select charged_at, 'first_sale', charge_amount_cents, currency from sale
        where affiliate_id = ${affiliateId} and ${IS_LIVE_SALE} and ${IS_SOLD} order by charged_at limit 1)
      union all
      (select paid_at, 'payout_paid', amount_cents, currency from payout
        where affiliate_id = ${affiliateId} and livemode and paid_at is not null order by paid_at desc limit ${MAX_OF_KIND})
      union all
      (select returned_at, 'payout_returned', amount_cents, currency from payout
        where affiliate_id = ${affiliateId} and livemode and returned_at is not null order by returned_at desc limit ${MAX_OF_KIND})
    )
    select * from entry order by at desc, kind`.execute(db);
  const refunds = await refundsOfSales(
    db,
    sql`select id from sale where affiliate_id = ${affiliateId} and ${IS_LIVE_SALE} and refund_amount_cents > 0
      order by updated_at desc limit ${MAX_SALES}`,
  );
  const latest = refunds.toSorted(newestFirst).slice(0, MAX_OF_KIND);
  const joined = { at: created_at, kind: 'joined', amount_cents: null, currency: null } as const;
  return {
    entries: [...latest.map(({ record_id: _, actor: _actor, ...entry }) => entry), ...rows, joined].toSorted(newestFirst),
  };
}

function newestFirst(a: { at: Instant }, b: { at: Instant }): number {
  return a.at === b.at ? 0 : a.at < b.at ? 1 : -1;
}
