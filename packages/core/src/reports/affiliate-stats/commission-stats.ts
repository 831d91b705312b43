import { sql } from 'kysely';
import { z } from 'zod';
import { currencyCode, signedCents } from '../../platform/wire/scalars.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { IS_LIVE_SALE } from '../../ledger/sales/sale-mode.ts';
import { CREDITED_STATE } from '../../ledger/earning/credited.ts';

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
        gross_sales_cents: signedCents().describe('Amount charged to referred customers, before tax and refunds.'),
      }),
    ),
  })
  .meta({ id: 'CommissionStats', description: 'Referrals, sales, and commissions of an affiliate, per currency.' });
export type CommissionStats = z.infer<typeof CommissionStats>;
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
      from referral where affiliate_id = any (${ids}) group by affiliate_id
      union all
      select affiliate_id, sum(visitors), 0, 0 from visitor_count where affiliate_id = any (${ids}) group by affiliate_id
    ) part
    group by affiliate_id`.execute(db);
  const { rows: money } = await sql<CommissionStats['currencies'][number] & { affiliate_id: string }>`
    select affiliate_id, currency,
      sum(pending_cents) as pending_cents, sum(due_cents) as due_cents, sum(paid_cents) as paid_cents,
      sum(voided_cents) as voided_cents, sum(gross_sales_cents) as gross_sales_cents
    from (
      select affiliate_id, currency,
        coalesce(sum(amount_cents) filter (where credited_state = 'pending'), 0) as pending_cents,
        coalesce(sum(amount_cents) filter (where credited_state = 'due'), 0) as due_cents,
        coalesce(sum(amount_cents) filter (where credited_state = 'paid'), 0) as paid_cents,
        coalesce(sum(amount_cents) filter (where credited_state = 'voided'), 0) as voided_cents,
        0 as gross_sales_cents
      from (select commission.*, ${CREDITED_STATE} as credited_state from commission where affiliate_id = any (${ids}) and livemode) commission
      group by affiliate_id, currency
      union all
      select affiliate_id, currency, 0, 0, 0, 0, sum(charge_amount_cents)
      from sale where affiliate_id = any (${ids}) and ${IS_LIVE_SALE} group by affiliate_id, currency
    ) part
    group by affiliate_id, currency
    order by affiliate_id, currency`.execute(db);
  return ids.map((id) => ({
    ...(funnels.find((funnel) => funnel.affiliate_id === id) ?? { visitors: 0, leads: 0, conversions: 0 }),
    currencies: money.filter((row) => row.affiliate_id === id),
  }));
}
