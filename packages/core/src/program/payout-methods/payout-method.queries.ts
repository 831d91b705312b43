import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/call/context.ts';
import { foundOrThrow } from '../../platform/call/records.ts';
import type { Db } from '../../platform/db/database.ts';
import { jsonWord } from '../../platform/db/json-text.ts';
import type { Instant } from '../../platform/time/instant.ts';
import { allOf, whenUpdated } from '../../platform/wire/filters.ts';
import { listOrder } from '../../platform/wire/list-order.ts';
import { type Page, paginate } from '../../platform/wire/pagination.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, CREATED } from '../../webhooks/events/announced-record.ts';
import { PayoutMethod } from './payout-method.entity.ts';
import { type ListPayoutMethods, PayoutMethodEventData, PayoutMethodRecord } from './payout-method.schema.ts';

const RECORD = wireRecord(PayoutMethod, PayoutMethodRecord);
const EVENT_DATA = wireRecord(PayoutMethod, PayoutMethodEventData);

type State = PayoutMethodRecord['state'];

/** SQL expression: the state of a row of `payout_method` at a time. */
function stateAt(now: Instant): RawBuilder<State> {
  return sql`case
    when payout_method.retired_at is not null then 'retired'
    when (select payouts_held_until from affiliate where affiliate.id = payout_method.affiliate_id) > ${now}::timestamptz then 'held'
    else 'confirmed'
  end`;
}

export const ANNOUNCED_PAYOUT_METHOD: AnnouncedRecord = {
  table: PayoutMethod.meta.tableName,
  columns: EVENT_DATA.columns,
  record: (_db, now) => sql`select payout_method.*, ${stateAt(now)} as state from payout_method where id = change.id`,
  data: EVENT_DATA.json('record', { state: jsonWord(sql`record.state`) }),
  types: [['payout_method.created', CREATED]],
  updated: 'payout_method.updated',
};

/** Selects methods in their wire form. */
export function selectMethods(db: Pick<Db, 'selectFrom'>, now: Instant) {
  return db.selectFrom('payout_method').select(RECORD.columns).select(stateAt(now).as('state'));
}

/** Lists payout methods, newest first. */
export async function listPayoutMethods(ctx: Ctx, input: ListPayoutMethods): Promise<Page<PayoutMethodRecord>> {
  let query = ctx.db.selectFrom('payout_method').where('account_id', '=', ctx.accountId);
  if (input.affiliate_id !== undefined) query = query.where('affiliate_id', '=', input.affiliate_id);
  if (input.kind !== undefined) query = query.where('kind', '=', input.kind);
  if (!input.retired) query = query.where('retired_at', 'is', null);
  const { data, pagination } = await paginate(query.where(allOf(whenUpdated('updated_at', input))), input, {
    order: listOrder(input.sort, { table: 'payout_method' }),
    select: (all) => all.select(RECORD.columns).select(stateAt(ctx.now).as('state')),
  });
  return { data, pagination };
}

/** Returns a payout method, even a removed one. Throws NOT_FOUND. */
export async function getPayoutMethod(ctx: Pick<Ctx, 'db' | 'accountId' | 'now'>, id: string): Promise<PayoutMethodRecord> {
  const method = await selectMethods(ctx.db, ctx.now)
    .where('account_id', '=', ctx.accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return foundOrThrow(method, 'payout method');
}
