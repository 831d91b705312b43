import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { jsonLiteral, jsonObject, jsonWord } from '../../platform/db/json-text.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { type AnnouncedRecord, becomes, CREATED } from '../../webhooks/events/announced-record.ts';
import { HOLDS_PAYOUT, PAID_BY_HAND } from './payout-attempt.entity.ts';
import { isOpen, Payout } from './payout.entity.ts';
import { payoutView } from './payout.queries.ts';
import { type MergedPayoutEventData, type PayoutPayment, PlainPayout } from './payout.schema.ts';

const EVENT_DATA = wireRecord(Payout, PlainPayout);

/** SQL: the data of an event about the payout `record`. */
const DATA = EVENT_DATA.json('record', {
  state: jsonWord(sql`record.state`),
  eligible: jsonLiteral(sql`record.eligible`),
  ineligible_reasons: sql`to_jsonb(record.ineligible_reasons)::text`,
});
/**
 * SQL expression: the payment of a payout (`PayoutPayment`), or null.
 *
 * @param payoutId the id of the payout, e.g. `record.id`
 */
export function paymentOf(payoutId: string): RawBuilder<PayoutPayment> {
  return sql<PayoutPayment>`(select json_build_object('method', method, 'fee_cents', fee_cents, 'fee_currency', fee_currency,
    'affiliate_fee_cents', coalesce(affiliate_fee_cents, 0), 'returned_cents', returned_cents)
    from payout_attempt attempt where attempt.payout_id = ${sql.ref(payoutId)} and not superseded and ${HOLDS_PAYOUT})`;
}

/** SQL: the payment and the ids of the commissions. Only events about a payment have them, because there may be many. */
const OF_PAYMENT = {
  payment: sql`case when announced.type in ('payout.paid', 'payout.returned') then ${paymentOf('record.id')} end`,
  commission_ids: sql`case announced.type when 'payout.paid' then ${idsIn('payout_item')} when 'payout.returned' then ${idsIn('returned_payout_item')} end`,
};

function idsIn(holding: 'payout_item' | 'returned_payout_item'): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(commission_id order by commission_id), '[]') from ${sql.table(holding)} where payout_id = record.id)`;
}

/** The open payouts of an affiliate, or of the affiliates of a campaign, that a change of these may make eligible or ineligible. */
const OPEN_PAYOUTS_OF_AFFILIATE = sql`select id from payout where affiliate_id = followed.id and ${isOpen()}`;
const OPEN_PAYOUTS_OF_CAMPAIGN = sql`
  select payout.id from affiliate join payout on payout.affiliate_id = affiliate.id
  where affiliate.campaign_id = followed.id and ${isOpen('payout')}`;

export const ANNOUNCED_PAYOUT: AnnouncedRecord = {
  table: Payout.meta.tableName,
  columns: [...EVENT_DATA.columns, 'status'],
  record: (db, now) =>
    sql`${payoutView({ db, now })
      .selectAll()
      .where(sql<boolean>`payout.id = change.id`)}`,
  data: DATA,
  optional: OF_PAYMENT,
  types: [
    ['payout.created', CREATED],
    ['payout.paid', becomes('status', 'paid')],
    ['payout.returned', becomes('status', 'returned')],
  ],
  updated: 'payout.updated',
  follows: [
    {
      table: 'affiliate',
      columns: ['state', 'archived_at', 'campaign_id', 'payouts_held_until'],
      ids: OPEN_PAYOUTS_OF_AFFILIATE,
    },
    {
      table: 'payout_screening',
      columns: ['held'],
      ids: sql`select payout.id from payout_screening screening join payout on payout.affiliate_id = screening.affiliate_id
        where screening.id = followed.id and ${isOpen('payout')}`,
    },
    {
      table: 'account',
      columns: ['shadow', 'payout_screening'],
      ids: sql`select id from payout where account_id = followed.id and ${isOpen()}`,
    },
    { table: 'campaign', columns: ['minimum_payout_cents', 'minimum_payout_currency'], ids: OPEN_PAYOUTS_OF_CAMPAIGN },
  ],
};

/** Returns the data of an event about an open payout that was merged into another one. */
export function mergedPayout(payout: Payout, mergedInto: string): MergedPayoutEventData {
  return { ...EVENT_DATA.of(payout, { state: 'pending', eligible: false, ineligible_reasons: [] }), merged_into: mergedInto };
}

/** The payment of a payout for which a preview makes no attempt. */
const BY_HAND: PayoutPayment = {
  method: PAID_BY_HAND,
  fee_cents: null,
  fee_currency: null,
  affiliate_fee_cents: 0,
  returned_cents: null,
};

/** For a preview, shows the events that paying these payouts now would cause. Only reads the payouts. */
export async function previewPaid(ctx: WriteCtx, ids: readonly string[], paymentReference: string | null): Promise<void> {
  const now = sql`${ctx.now}::timestamptz`;
  const changed: Partial<Record<string, RawBuilder<unknown>>> = {
    payment_reference: sql`${paymentReference}::text`,
    paid_at: now,
    updated_at: now,
  };
  const columns = EVENT_DATA.columns.map((name) => (changed[name] ? sql`${changed[name]} as ${sql.ref(name)}` : sql.ref(name)));
  const { rows } = await sql<{ data: unknown }>`
    select (${jsonObject(DATA, { ...OF_PAYMENT, payment: sql`coalesce(${paymentOf('record.id')}, ${JSON.stringify(BY_HAND)}::json)` })})::json as data
    from (
      select account_id, ${sql.join(columns)}, 'paid' as state, false as eligible, '{}'::text[] as ineligible_reasons from payout where id = any (${ids})
    ) record cross join (values ('payout.paid')) as announced (type)`.execute(ctx.db);
  ctx.preview?.events.push(...rows.map(({ data }) => ({ type: 'payout.paid', data })));
}
