import { type RawBuilder, sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { type EventSubjects, emitEach } from '../../webhooks/events/emit.ts';

/** Emits one event per payout that this transaction has marked paid or returned. */
export async function emitPayouts(ctx: WriteCtx, type: 'payout.paid' | 'payout.returned', ids: readonly string[]): Promise<void> {
  await emitEach(ctx, type, subjects(type, sql`(select * from payout where id = any (${ids}))`));
}

/** For a preview, emits the events that paying these payouts now would emit. Only reads the payouts. */
export async function previewPaid(ctx: WriteCtx, ids: readonly string[], paymentReference: string | null): Promise<void> {
  const paid = sql`(
    select id, account_id, affiliate_id, 'paid' as status, amount_cents, currency, livemode, commissions_count,
      ${paymentReference}::text as payment_reference, ${ctx.now}::timestamptz as paid_at, returned_at, return_reason, created_at,
      ${ctx.now}::timestamptz as updated_at
    from payout where id = any (${ids}))`;
  await emitEach(ctx, 'payout.paid', subjects('payout.paid', paid));
}

function subjects(type: 'payout.paid' | 'payout.returned', payouts: RawBuilder<unknown>): EventSubjects {
  const holding = sql.table(type === 'payout.paid' ? 'payout_item' : 'returned_payout_item');
  return sql`
    select p.account_id, p.id as subject_id, json_build_object(
      'id', p.id, 'affiliate_id', p.affiliate_id, 'state', p.status, 'amount_cents', p.amount_cents, 'currency', p.currency, 'livemode', p.livemode,
      'commissions_count', p.commissions_count, 'eligible', false, 'ineligible_reasons', json_build_array(),
      'payment_reference', p.payment_reference, 'paid_at', wire_time(p.paid_at),
      'returned_at', wire_time(p.returned_at), 'return_reason', p.return_reason,
      'created_at', wire_time(p.created_at), 'updated_at', wire_time(p.updated_at),
      'commission_ids', coalesce((select json_agg(commission_id order by commission_id) from ${holding} where payout_id = p.id), '[]')
    ) as data
    from ${payouts} p`;
}
