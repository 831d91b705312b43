import { type RawBuilder, sql } from 'kysely';
import { NEEDS_REVIEW, RECONSIDERED } from '../../ledger/commissions/commission.transitions.ts';
import { explainToAffiliate } from '../../ledger/commissions/explain-amounts.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import { whatIsAsked } from '../access/list-filters.ts';
import { LINK_NAME } from '../links/link.queries.ts';
import type { ListPortalCommissions, PortalCommission } from './commission.schema.ts';

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
