import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/call/context.ts';
import { deeper, expandable, toOne } from '../../platform/call/expand.ts';
import { csvPosition } from '../../platform/wire/csv.ts';
import { amountRange, createdRange, idsFilter, modeFilter, oneOrMore, updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { merchantDataFilters } from '../../platform/wire/merchant-data.ts';
import { pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id } from '../../platform/wire/scalars.ts';
import { COMMISSION_STATES } from '../../platform/wire/states.ts';
import { toAffiliate } from '../../program/affiliates/affiliate.ts';
import { CAMPAIGN, CampaignRecord } from '../../program/campaigns/campaign.ts';
import { CUSTOMER, CustomerRecord } from '../../program/customers/customer.ts';
import { SALE } from '../sales/sale.queries.ts';
import { SaleRecord } from '../sales/sale.schema.ts';
import { type Commission, type ContestedReward as Contested, isContested, REVIEW_STATUSES } from './commission.entity.ts';
import { AmountExplanation, CommissionLine, ContestedReward, PlainCommission } from './commission.schema.ts';
import { explainCommissions, findLinesOfCommissions } from './explain-amounts.ts';

const partsOfSale = expandable<SaleRecord>()({
  customer: { schema: CustomerRecord, ...toOne('customer_id', CUSTOMER) },
});

/** The expansion to the sale of a record, whose customer can be expanded as well. */
const toSale = {
  ...toOne('sale_id', SALE),
  ...deeper(SaleRecord, partsOfSale, {
    id: 'SaleOfRecord',
    description: 'The sale of a record, on request with the customer who paid. The customer of its referral may be another one.',
  }),
};

export const commissionExpansions = expandable<PlainCommission>()({
  campaign: { schema: CampaignRecord, ...toOne('campaign_id', CAMPAIGN) },
  sale: toSale,
  affiliate: toAffiliate,
  lines: { schema: z.array(CommissionLine), load: findLinesOfCommissions },
  contested: { schema: ContestedReward, load: findContestsOfCommissions },
  explanation: { schema: AmountExplanation, load: explainCommissions },
});

export const CommissionRecord = z
  .object({ ...PlainCommission.shape, ...commissionExpansions.output })
  .meta({ id: 'Commission', description: 'Amount that an affiliate earns from a sale, or that was entered by hand.' });
export type CommissionRecord = z.infer<typeof CommissionRecord>;

export const GetCommission = z.strictObject({
  id: id('commission'),
  expand: commissionExpansions.input.expand.describe(
    '`explanation`: how the amount came about. `lines`: what each line of the sale earns. `contested`: what a paid reward would be by the facts that are known now, if it can be reconsidered. `sale.customer`: who paid. The campaign and sale are always expanded.',
  ),
});
export type GetCommission = z.infer<typeof GetCommission>;

const filters = {
  ...updatedRange,
  ...createdRange,
  ...amountRange,
  ...merchantDataFilters,
  state: oneOrMore(COMMISSION_STATES),
  affiliate_id: id('affiliate').optional(),
  campaign_id: id('campaign').optional(),
  referral_id: id('referral').optional(),
  sale_id: id('sale').optional(),
  payout_id: id('payout').optional().describe('Returns the commissions that the payout holds.'),
  customer_id: id('customer').optional().describe('Returns the commissions from sales to the customer.'),
  ...idsFilter('commission'),
  review_status: oneOrMore(REVIEW_STATUSES),
  needs_review: z
    .boolean()
    .optional()
    .describe(
      '`true`: only unpaid commissions that are flagged until somebody reviews them. `unpaid_lead` is not among them, because it ends by itself. `false`: only others.',
    ),
  contested: z
    .boolean()
    .optional()
    .describe('`true`: only paid rewards that facts contradict, which can be reconsidered. `false`: only others.'),
  livemode: modeFilter(),
};

export const ListCommissions = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at', 'amount_cents'),
  ...commissionExpansions.input,
  ...filters,
});
export type ListCommissions = z.infer<typeof ListCommissions>;

export const CommissionsAsCsv = z.strictObject({ ...csvPosition, ...sortBy('updated_at', 'amount_cents'), ...filters });
export type CommissionsAsCsv = z.infer<typeof CommissionsAsCsv>;

export const CommissionPage = paginated(CommissionRecord);

/** Returns what each paid reward would be by the facts that are known now, for expansions. Null for a commission that cannot be reconsidered. */
async function findContestsOfCommissions(
  { db, accountId }: Ctx,
  commissions: readonly { id: string }[],
): Promise<(Contested | null)[]> {
  const ids = commissions.map(({ id }) => id);
  const { rows } = await sql<Pick<Commission, 'id' | 'state' | 'contested'>>`
    select id, state, contested from commission where account_id = ${accountId} and id = any (${ids})`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row && isContested(row) ? row.contested : null;
  });
}
