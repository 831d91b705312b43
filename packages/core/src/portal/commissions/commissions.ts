import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { COMMISSION_KINDS } from '../../ledger/commissions/commission.entity.ts';
import { NEEDS_REVIEW, RECONSIDERED } from '../../ledger/commissions/commission.transitions.ts';
import { explainToAffiliate } from '../../ledger/commissions/explain-amounts.ts';
import { searchFilter } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, pageInput, paginate, paginated } from '../../platform/wire/pagination.ts';
import { currencyCode, id, instant, signedCents, textInEachLanguage } from '../../platform/wire/scalars.ts';
import { COMMISSION_STATES } from '../../platform/wire/states.ts';
import { GetAnalytics } from '../../reports/analytics/analytics.ts';
import { endOfDay, startOfDay } from '../../reports/analytics/counts.queries.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import { LINK_NAME } from '../links/link.ts';

const { since, until } = GetAnalytics.shape;

/** Filters of an affiliate's lists of sales and commissions, by day in the time zone of the account. */
export const ownListInput = {
  ...pageInput,
  ...searchFilter('customer, description, code and link, as the affiliate sees them', 'tea'),
  since: since.describe('First day, in the time zone of the account.'),
  until: until.describe('Last day.'),
  currency: GetAnalytics.shape.currency.describe('Filters by currency.'),
};

interface OwnFilters {
  q?: string | undefined;
  since?: z.infer<typeof since>;
  until?: z.infer<typeof until>;
  currency?: string | undefined;
}

/** Returns the SQL condition for `ownListInput`. */
export async function whatIsAsked(
  { mine }: AffiliateCtx,
  { q, since: first, until: last, currency }: OwnFilters,
  row: { at: RawBuilder<unknown>; currency: RawBuilder<unknown>; texts: readonly RawBuilder<unknown>[] },
): Promise<RawBuilder<boolean>> {
  const [account] =
    first === undefined && last === undefined ? [] : await mine('account').selectFrom('account').select('time_zone').execute();
  const conditions = [
    sql<boolean>`true`,
    ...(first === undefined ? [] : [sql<boolean>`${row.at} >= ${startOfDay(account!.time_zone, first)}`]),
    ...(last === undefined ? [] : [sql<boolean>`${row.at} < ${endOfDay(account!.time_zone, last)}`]),
    ...(currency === undefined ? [] : [sql<boolean>`${row.currency} = ${currency}`]),
    ...(q === undefined ? [] : [sql<boolean>`position(lower(${q}) in lower(concat_ws(' ', ${sql.join(row.texts)}))) > 0`]),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

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

/** The tables from which explanations are made. */
export const EXPLAINED_BY = ['commission', 'sale', 'reward_rule', 'commission_line', 'sale_line', 'campaign'] as const;

/** SQL expression: the affiliate's code that was redeemed, otherwise the label and token of the link. Needs `sale` and `link`. */
export const SOURCE: RawBuilder<string | null> = sql`coalesce(
  (select max(code) from promo_code where lower(promo_code.code) = lower(sale.promo_code)), ${LINK_NAME})`;

/** Lists the affiliate's commissions in all states, newest first by default. */
export async function listOwnCommissions(ctx: AffiliateCtx, input: ListPortalCommissions): Promise<Page<PortalCommission>> {
  const { mine, affiliate } = ctx;
  let query = mine('commission', 'sale', 'customer', 'campaign', 'payout_item', 'referral', 'link', 'promo_code')
    .selectFrom('commission')
    .leftJoin('sale', 'sale.id', 'commission.sale_id')
    .leftJoin('customer', 'customer.id', 'sale.customer_id')
    .leftJoin('referral', 'referral.id', 'commission.referral_id')
    .leftJoin('link', 'link.id', 'referral.link_id')
    .where(
      await whatIsAsked(ctx, input, {
        at: sql`coalesce(sale.charged_at, commission.created_at)`,
        currency: sql`commission.currency`,
        texts: [sql`customer.name`, sql`customer.email`, sql`sale.description`, sql`commission.note`, SOURCE],
      }),
    );
  if (input.state !== undefined) query = query.where('commission.state', '=', input.state);
  const { data, pagination } = await paginate(query, input, {
    order: listOrder(input.sort, { table: 'commission' }),
    select: (all) =>
      all
        .leftJoin('campaign', 'campaign.id', 'commission.campaign_id')
        .leftJoin('payout_item', 'payout_item.commission_id', 'commission.id')
        .select([
          'commission.id',
          'commission.state',
          'commission.kind',
          'commission.amount_cents',
          'commission.currency',
          'campaign.name as campaign_name',
          'sale.charged_at',
          'commission.due_at',
          'commission.paid_at',
          'commission.voided_at',
          'commission.adjusts_commission_id',
          'commission.note',
          'payout_item.payout_id',
          'commission.created_at',
          'sale.description',
          SOURCE.as('source'),
          sql<boolean>`${NEEDS_REVIEW} is true`.as('in_review'),
          sql<string | null>`coalesce(customer.name, customer.email)`.as('customer'),
          sql<PortalCommission['void_cause']>`case when commission.state <> 'voided' then null
          when commission.voided_by_refund and sale.charge_amount_cents = 0 then 'not_charged'
          when commission.voided_by_refund then 'refund' when commission.superseded and commission.void_reason = ${RECONSIDERED} then 'corrected'
          when commission.superseded then 'reattributed' else 'merchant' end`.as('void_cause'),
          sql<boolean>`coalesce(sale.refund_amount_cents > 0, false)`.as('sale_refunded'),
        ]),
  });
  const explanations = await explainToAffiliate(
    { accountId: affiliate.account_id, read: (statement) => mine.rows(EXPLAINED_BY, statement) },
    data,
  );
  return { data: data.map((commission, at) => ({ ...commission, explained_in: explanations[at]!.in_words })), pagination };
}
