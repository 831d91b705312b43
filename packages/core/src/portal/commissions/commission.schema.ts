import { z } from 'zod';
import { COMMISSION_KINDS } from '../../ledger/commissions/commission.entity.ts';
import { paginated } from '../../platform/wire/pagination.ts';
import { currencyCode, id, instant, signedCents, textInEachLanguage } from '../../platform/wire/scalars.ts';
import { COMMISSION_STATES } from '../../platform/wire/states.ts';
import { ownListInput } from '../access/list-filters.ts';

export const PortalCommission = z
  .object({
    id: id('commission'),
    state: z.enum(COMMISSION_STATES),
    in_review: z.boolean().describe('`true` if the commission is held until the merchant has reviewed it.'),
    kind: z.enum(COMMISSION_KINDS),
    amount_cents: signedCents(),
    currency: currencyCode(),
    campaign_name: z.string().nullable(),
    customer: z
      .string()
      .nullable()
      .describe(
        'Name or email address of the customer; masked unless the campaign shows its customers to affiliates, and then followed by a code that is the same for all sales to the customer.',
      ),
    description: z.string().nullable().describe('Description of the sale; null unless the campaign shows it to affiliates.'),
    source: z.string().nullable().describe('Code that was redeemed, or label and token of the link; null without one.'),
    explained_in: textInEachLanguage().describe('The steps to the amount, in words, in each language.'),
    charged_at: instant().nullable().describe('Time of the sale; null for a commission without a sale.'),
    due_at: instant(),
    paid_at: instant().nullable(),
    voided_at: instant().nullable(),
    void_cause: z
      .enum(['refund', 'not_charged', 'reattributed', 'corrected', 'merchant'])
      .nullable()
      .describe(
        '`refund`: the sale was refunded; `not_charged`: nothing was charged for the sale; `reattributed`: the sale was attributed to another referral or to none; `corrected`: a paid reward was decided again; `merchant`: voided by the merchant.',
      ),
    sale_refunded: z.boolean().describe('`true` if the sale was refunded, in part or in full.'),
    adjusts_commission_id: id('commission')
      .nullable()
      .describe('Commission that this adjustment corrects; null for other commissions.'),
    note: z.string().nullable(),
    payout_id: id('payout').nullable(),
    created_at: instant(),
  })
  .meta({ id: 'PortalCommission', description: 'A commission, as its affiliate sees it.' });
export type PortalCommission = z.infer<typeof PortalCommission>;

export const ListPortalCommissions = z.strictObject({
  ...ownListInput,
  sort: z
    .enum(['created_at', '-created_at', 'amount_cents', '-amount_cents'])
    .default('-created_at')
    .describe('Order of the list; a minus for descending order.'),
  state: z.enum(COMMISSION_STATES).optional().describe('Filters by state.'),
});
export type ListPortalCommissions = z.infer<typeof ListPortalCommissions>;
export const PortalCommissionPage = paginated(PortalCommission);
