import { sql } from 'kysely';
import type { z } from 'zod';
import type { WriteCtx } from '../../platform/call/context.ts';
import { known } from '../../platform/call/records.ts';
import type { Commission } from './commission.entity.ts';
import type { IdsAsText } from './commission.transitions.ts';
import { jsonWord } from '../../platform/db/json-text.ts';
import { Sale } from '../sales/sale.entity.ts';
import type { CommissionEventData } from './commission.schema.ts';
import { COMMISSION, plainCommission } from './commission.queries.ts';
import { Customer } from '../../program/customers/customer.entity.ts';
import { type EventSubjects, emit, emitEach } from '../../webhooks/events/emit.ts';

export type CommissionEventType = 'commission.created' | 'commission.due' | 'commission.voided';

/**
 * Emits one event of each type for each commission. The event contains the commission's current state, including this transaction's
 * changes.
 */
export async function emitCommissions(
  ctx: WriteCtx,
  types: CommissionEventType | readonly CommissionEventType[],
  ids: readonly string[],
): Promise<void> {
  await emitEach(ctx, types, commissionSubjects(ids));
}

/**
 * Like `emitCommissions`, for one commission that this transaction has created and that is in no payout. Builds the event from the loaded
 * record instead of querying the commission.
 */
export async function emitCommission(
  ctx: WriteCtx,
  types: CommissionEventType | readonly CommissionEventType[],
  commission: Commission,
): Promise<void> {
  const sale = commission.sale_id === null ? null : await known(ctx, Sale, commission.sale_id);
  const customer = sale?.customer_id ? await known(ctx, Customer, sale.customer_id) : null;
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

/**
 * SQL query: the event data of commissions, as JSON that PostgreSQL builds. A sweep can therefore emit events about a million commissions
 * without loading them.
 */
export function commissionSubjects(ids: readonly string[] | IdsAsText): EventSubjects {
  return sql`
    select c.account_id, c.id as subject_id, ${DATA} as data
    from unnest(${ids}::text[]) as subject (id)
    join commission c on c.id = subject.id
    left join sale on sale.id = c.sale_id
    left join lateral (select * from customer where id = sale.customer_id offset 0) customer on true`;
}

const DATA = COMMISSION.json(
  'c',
  { payout_id: jsonWord(sql`(select payout_id from payout_item where commission_id = c.id)`) },
  {
    sale_customer_email: sql`customer.email`,
    sale_customer_name: sql`customer.name`,
    sale_customer_first_name: sql`customer.first_name`,
    sale_customer_last_name: sql`customer.last_name`,
  },
);
