import { sql } from 'kysely';
import { NEEDS_REVIEW, RECONSIDERED } from '../../ledger/commissions/commission.transitions.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import type { ListPortalCommissions, PortalCommission } from './commission.schema.ts';

/** Lists the affiliate's commissions in all states, newest first. */
export async function listOwnCommissions({ mine }: AffiliateCtx, input: ListPortalCommissions): Promise<Page<PortalCommission>> {
  const own = mine('commission', 'sale', 'customer', 'campaign', 'payout_item');
  let query = own.selectFrom('commission');
  if (input.state !== undefined) query = query.where('commission.state', '=', input.state);
  return paginate(query, input, {
    order: listOrder('-created_at', { table: 'commission' }),
    select: (all) =>
      all
        .leftJoin('sale', 'sale.id', 'commission.sale_id')
        .leftJoin('customer', 'customer.id', 'sale.customer_id')
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
          sql<boolean>`${NEEDS_REVIEW} is true`.as('in_review'),
          sql<string | null>`coalesce(customer.name, customer.email)`.as('customer'),
          sql<PortalCommission['void_cause']>`case when commission.state <> 'voided' then null
          when commission.voided_by_refund and sale.charge_amount_cents = 0 then 'not_charged'
          when commission.voided_by_refund then 'refund' when commission.superseded and commission.void_reason = ${RECONSIDERED} then 'corrected'
          when commission.superseded then 'reattributed' else 'merchant' end`.as('void_cause'),
          sql<boolean>`coalesce(sale.refund_amount_cents > 0, false)`.as('sale_refunded'),
        ]),
  });
}
