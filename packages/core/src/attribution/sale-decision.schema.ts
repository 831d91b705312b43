import { z } from 'zod';
import { REVIEW_REASONS } from '../ledger/commissions/commission.entity.ts';
import { PlainCommission } from '../ledger/commissions/commission.schema.ts';
import { NO_COMMISSION_REASONS } from '../ledger/sales/sale.entity.ts';
import { SaleRecord } from '../ledger/sales/sale.schema.ts';
import { cents, currencyCode, id, instant, signedCents } from '../platform/wire/scalars.ts';

const ClaimInDecision = z.object({
  kind: z.enum(['link', 'code']).describe('`link`: a referral was named for the customer. `code`: a promo code was redeemed.'),
  affiliate_id: id('affiliate'),
  campaign_id: id('campaign'),
  referral_id: id('referral').nullable().describe('Null as long as a claim by a code has no referral.'),
  code: z.string().nullable().describe('The promo code; null for a link.'),
  visited_at: instant().describe('Time of the visit or of the redemption. The claim earns nothing from earlier charges.'),
  made_at: instant().describe(
    'Time at which the claim was made, e.g. when the checkout was opened. A claim does not change who earned from earlier charges.',
  ),
  proven: z.boolean().describe('`false` if only a public lead made the claim.'),
  status: z
    .enum([
      'won',
      'another_claim_won',
      'made_after_charge',
      'visited_after_charge',
      'lead_without_effect',
      'referral_expired',
      'referral_deactivated',
      'affiliate_inactive',
      'campaign_archived',
    ])
    .describe('Outcome of the claim for this sale.'),
  explanation: z.string().describe('The status in plain words.'),
});

const TermsInDecision = z.object({
  commission_percent: z.number().nullable().describe('The percentage, if the campaign pays one.'),
  commission_amount_cents: cents().nullable().describe('The fixed amount, if the campaign pays one.'),
  commission_amount_currency: currencyCode().nullable(),
  max_commissions: z.int().nullable(),
  max_commission_period_months: z.int().nullable(),
  in_effect_at: instant().describe(
    'Time whose terms apply: of the charge or, after a person has reconsidered the sale, of that moment.',
  ),
});

/** The verdict about a sale, as a person reads it. */
export const SaleDecision = z
  .object({
    rule: z
      .enum(['paid', 'assigned', 'redeemed_code', 'converted', 'named', 'last_click', 'first_claim', 'none', 'imported'])
      .describe('The rule that chose the claim.'),
    explanation: z.string().describe('The decision in plain words.'),
    claims: z.array(ClaimInDecision).describe('All claims on the customer, in the order of their visits.'),
    affiliate_id: id('affiliate').nullable().describe('The affiliate to whom the sale belongs, or null.'),
    referral_id: id('referral').nullable(),
    no_commission_reason: z
      .enum(NO_COMMISSION_REASONS)
      .nullable()
      .describe('Reason why the sale earns nothing; null if it may earn.'),
    terms: TermsInDecision.nullable().describe(
      'The base reward and the limits of the campaign for this sale; null if the sale belongs to nobody. Rules may pay otherwise: `expand=explanation` has what the sale earns.',
    ),
    flags: z
      .array(z.object({ reason: z.enum(REVIEW_REASONS), explanation: z.string() }))
      .describe(
        'Reasons to look at the commission before it is paid. They hold the commission, unless a person has approved it.',
      ),
    contested: z
      .object({
        affiliate_id: id('affiliate').nullable(),
        no_commission_reason: z.enum(NO_COMMISSION_REASONS).nullable(),
        explanation: z.string(),
      })
      .nullable()
      .describe('Affiliate who would earn if the commission had not been paid; null if the facts agree with the payment.'),
  })
  .meta({
    id: 'SaleDecision',
    description:
      'Reasons why a sale belongs to an affiliate or to nobody: the claims, the rule that chose one of them, the terms, and what a person should look at.',
  });
export type SaleDecision = z.infer<typeof SaleDecision>;

export const AssignSale = z.strictObject({
  id: id('sale'),
  affiliate_id: id('affiliate').optional().describe('The affiliate who earns. Send either this or `referral_id`.'),
  referral_id: id('referral')
    .optional()
    .describe('The referral through which the customer came. Send either this or `affiliate_id`.'),
  dry_run: z.boolean().default(false).describe('If `true`, previews the assignment without making it.'),
});
export type AssignSale = z.infer<typeof AssignSale>;

/** Maximum number of commissions in `also`. */
export const MAX_ALSO = 20;

export const AssignedSale = z
  .object({
    sale: SaleRecord,
    commission: PlainCommission,
    also: z
      .array(PlainCommission)
      .describe(`Commissions that the customer’s later sales earn as a result: the first ${MAX_ALSO}.`),
    also_totals: z
      .array(z.object({ currency: currencyCode(), commissions_count: z.int(), amount_cents: signedCents() }))
      .describe('Count and sum of all commissions that later sales earn as a result, by currency.'),
  })
  .meta({ id: 'AssignedSale', description: 'A sale that was assigned to an affiliate, with the commissions it led to.' });
export type AssignedSale = z.infer<typeof AssignedSale>;

export const ReconsiderSale = z.strictObject({
  id: id('sale'),
  dry_run: z.boolean().default(false).describe('If `true`, previews the decision without making it.'),
});

export const ReconsideredSale = z
  .object({
    sale: SaleRecord,
    commission: PlainCommission.nullable(),
    reason: z.enum(NO_COMMISSION_REASONS).nullable().describe('Reason why the sale still earns no commission.'),
  })
  .meta({ id: 'ReconsideredSale' });
export type ReconsideredSale = z.infer<typeof ReconsideredSale>;
