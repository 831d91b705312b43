import { z } from 'zod';
import { deeper, expandable, toOne } from '../../platform/call/expand.ts';
import { csvPosition } from '../../platform/wire/csv.ts';
import { amountRange, createdRange, idsFilter, modeFilter, oneOrMore, updatedRange } from '../../platform/wire/filters.ts';
import { sortBy } from '../../platform/wire/list-order.ts';
import { merchantDataFilters } from '../../platform/wire/merchant-data.ts';
import { checkedInParts, pageInput, paginated } from '../../platform/wire/pagination.ts';
import { id } from '../../platform/wire/scalars.ts';
import { PAYOUT_STATES } from '../../platform/wire/states.ts';
import { toAffiliate } from '../../program/affiliates/affiliate.ts';
import { CAMPAIGN, CampaignRecord } from '../../program/campaigns/campaign.ts';
import { findSharedAccounts } from '../../program/payout-methods/payout-addresses.ts';
import { SharedAccount } from '../../program/payout-methods/payout-method.schema.ts';
import { findCommissionsOfPayouts, findUnderReview } from '../commissions/commission.queries.ts';
import { PlainCommission, UnderReview } from '../commissions/commission.schema.ts';
import { AmountExplanation } from '../commissions/explanation.schema.ts';
import { SALE } from '../sales/sale.queries.ts';
import { SaleRecord } from '../sales/sale.schema.ts';
import { explainPayouts } from './explain-payouts.ts';
import { findAttemptsOfPayouts } from './payout-attempt.queries.ts';
import { PayoutAttemptRecord } from './payout-attempt.schema.ts';
import { PlainPayout } from './payout.schema.ts';

const partsOfCommission = expandable<PlainCommission>()({
  campaign: { schema: CampaignRecord, ...toOne('campaign_id', CAMPAIGN) },
  sale: { schema: SaleRecord, ...toOne('sale_id', SALE) },
});
const commissions = deeper(PlainCommission, partsOfCommission, {
  id: 'CommissionOfPayout',
  description: 'A commission of a payout, on request with its campaign and sale.',
});

export const payoutExpansions = expandable<PlainPayout>()({
  affiliate: toAffiliate,
  commissions: { schema: z.array(commissions.schema), load: findCommissionsOfPayouts, nested: commissions.nested },
  attempts: { schema: z.array(PayoutAttemptRecord), load: findAttemptsOfPayouts },
  shared_accounts: {
    schema: z.array(SharedAccount),
    load: (ctx, rows) =>
      findSharedAccounts(
        ctx,
        rows.map(({ affiliate_id }) => affiliate_id),
      ),
  },
  under_review: { schema: UnderReview, load: findUnderReview },
  explanation: { schema: AmountExplanation, load: explainPayouts },
});

export const PayoutRecord = z
  .object({ ...PlainPayout.shape, ...payoutExpansions.output })
  .meta({ id: 'Payout', description: 'Commissions of one affiliate in one currency and mode that are paid together.' });
export type PayoutRecord = z.infer<typeof PayoutRecord>;

export const GetPayout = z.strictObject({ id: id('payout'), ...payoutExpansions.input });

const filters = {
  ...updatedRange,
  ...createdRange,
  ...amountRange,
  ...merchantDataFilters,
  affiliate_id: id('affiliate').optional(),
  campaign_id: id('campaign').optional().describe('Returns the payouts of affiliates in the campaign.'),
  payment_reference: z.string().max(255).optional().describe('Filters by exact `payment_reference`.'),
  ...idsFilter('payout'),
  state: oneOrMore(PAYOUT_STATES),
  livemode: modeFilter(),
};

export const ListPayouts = z.strictObject({
  ...pageInput,
  ...sortBy('updated_at', 'amount_cents'),
  ...payoutExpansions.input,
  ...filters,
  eligible: z
    .boolean()
    .optional()
    .describe(
      '`true`: returns all eligible payouts without pagination; only live payouts, unless `livemode` is `false`. `false`: returns only payouts that are not eligible.',
    ),
});
export type ListPayouts = z.infer<typeof ListPayouts>;

export const PayoutsAsCsv = z.strictObject({ ...csvPosition, ...sortBy('updated_at', 'amount_cents'), ...filters });
export type PayoutsAsCsv = z.infer<typeof PayoutsAsCsv>;

const page = paginated(PayoutRecord);

/** With `eligible=true` the list is complete and has no `pagination`. */
export const PayoutPage = checkedInParts(
  page.extend({ pagination: page.shape.pagination.optional().describe('Omitted with `eligible=true`.') }),
);
