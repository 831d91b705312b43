import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { jsonWord } from '../../platform/db/json-text.ts';
import { wireRecord } from '../../platform/wire/wire-record.ts';
import { Payout } from './payout.entity.ts';
import { type EventSubjects, emitEach } from '../../webhooks/events/emit.ts';
import { PayoutEventData } from './payout.schema.ts';

const EVENT_DATA = wireRecord(Payout, PayoutEventData);

/** Emits one event per payout that this transaction has marked paid or returned. */
export async function emitPayouts(ctx: WriteCtx, type: 'payout.paid' | 'payout.returned', ids: readonly string[]): Promise<void> {
  await emitEach(ctx, type, subjects(type, sql`(select * from payout where id = any (${ids}))`));
}

/** For a preview, emits the events that paying these payouts now would emit. Only reads the payouts. */
export async function previewPaid(ctx: WriteCtx, ids: readonly string[], paymentReference: string | null): Promise<void> {
  const now = sql`${ctx.now}::timestamptz`;
  const changed: Partial<Record<string, RawBuilder<unknown>>> = {
    payment_reference: sql`${paymentReference}::text`,
    paid_at: now,
    updated_at: now,
  };
  const columns = EVENT_DATA.columns.map((name) => (changed[name] ? sql`${changed[name]} as ${sql.ref(name)}` : sql.ref(name)));
  const paid = sql`(select ${sql.join(columns)}, account_id, 'paid' as status from payout where id = any (${ids}))`;
  await emitEach(ctx, 'payout.paid', subjects('payout.paid', paid));
}

function subjects(type: 'payout.paid' | 'payout.returned', payouts: RawBuilder<unknown>): EventSubjects {
  return sql`select p.account_id, p.id as subject_id, ${DATA[type]} as data from ${payouts} p`;
}

const DATA = { 'payout.paid': dataOf('payout_item'), 'payout.returned': dataOf('returned_payout_item') };

/** SQL: the event data of a payout `p` whose commissions are in the table `holding`. */
function dataOf(holding: 'payout_item' | 'returned_payout_item') {
  const ids = sql`select json_agg(commission_id order by commission_id) from ${sql.table(holding)} where payout_id = p.id`;
  return EVENT_DATA.json('p', {
    state: jsonWord(sql`p.status`),
    eligible: sql`'false'`,
    ineligible_reasons: sql`'[]'`,
    commission_ids: sql`coalesce((${ids})::text, '[]')`,
  });
}
