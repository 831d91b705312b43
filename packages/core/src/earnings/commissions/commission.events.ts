import { sql } from 'kysely';
import type { z } from 'zod';
import type { WriteCtx } from '../../platform/call/context.ts';
import type { Commission } from '../commission-records/commission.entity.ts';
import { Sale } from '../sales/sale.entity.ts';
import type { CommissionEventData } from './commission.schema.ts';
import { plainCommission } from './commission.queries.ts';
import { Customer } from '../../program/customers/customer.entity.ts';
import { type EventSubjects, emit, emitEach } from '../../webhooks/events/emit.ts';

export type CommissionEventType = 'commission.created' | 'commission.due' | 'commission.voided';

/** Emits an event of each type per commission, with the record as it now is in the transaction. */
export async function emitCommissions(
  ctx: WriteCtx,
  types: CommissionEventType | readonly CommissionEventType[],
  ids: readonly string[],
): Promise<void> {
  await ctx.em.flush();
  await emitEach(ctx, types, commissionSubjects(ids));
}

/** `emitCommissions` for a commission that this transaction has created and that no payout holds: its record is at hand. */
export async function emitCommission(
  ctx: WriteCtx,
  types: CommissionEventType | readonly CommissionEventType[],
  commission: Commission,
): Promise<void> {
  const sale = commission.sale_id === null ? null : await ctx.em.findOneOrFail(Sale, { id: commission.sale_id });
  const customer = sale?.customer_id ? await ctx.em.findOneOrFail(Customer, { id: sale.customer_id }) : null;
  const { email, name, first_name, last_name } = customer ?? NOBODY;
  await emit(ctx, types, {
    ...plainCommission(commission, null),
    ...(email !== null && { sale_customer_email: email }),
    ...(name !== null && { sale_customer_name: name }),
    ...(first_name !== null && { sale_customer_first_name: first_name }),
    ...(last_name !== null && { sale_customer_last_name: last_name }),
  } satisfies z.infer<typeof CommissionEventData>);
}

const NOBODY = { email: null, name: null, first_name: null, last_name: null };

/** The wire form of commissions, built by PostgreSQL: a sweep announces a million of them without loading any. */
export function commissionSubjects(ids: readonly string[]): EventSubjects {
  return sql`
    select c.account_id, c.id as subject_id, json_build_object(
      'id', c.id, 'state', c.state, 'kind', c.kind, 'amount_cents', c.amount_cents, 'currency', c.currency, 'livemode', c.livemode,
      'due_at', wire_time(c.due_at), 'paid_at', wire_time(c.paid_at), 'voided_at', wire_time(c.voided_at), 'void_reason', c.void_reason,
      'review_status', c.review_status, 'review_reason', c.review_reason, 'campaign_id', c.campaign_id, 'affiliate_id', c.affiliate_id, 'referral_id', c.referral_id,
      'sale_id', c.sale_id, 'payout_id', item.payout_id, 'adjusts_commission_id', c.adjusts_commission_id,
      'note', c.note, 'created_by', c.created_by,
      'created_at', wire_time(c.created_at), 'updated_at', wire_time(c.updated_at)
    )::jsonb || jsonb_strip_nulls(jsonb_build_object(
      'sale_customer_email', customer.email, 'sale_customer_name', customer.name,
      'sale_customer_first_name', customer.first_name, 'sale_customer_last_name', customer.last_name
    )) as data
    from unnest(${ids}::text[]) as subject (id)
    join commission c on c.id = subject.id
    left join sale on sale.id = c.sale_id
    left join customer on customer.id = sale.customer_id
    left join payout_item item on item.commission_id = c.id`;
}
