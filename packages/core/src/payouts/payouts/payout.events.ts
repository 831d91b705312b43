import { sql } from 'kysely';
import type { WriteCtx } from '../../platform/call/context.ts';
import { emitEach } from '../../webhooks/events/emit.ts';

/** Emits `payout.paid` for payouts that this transaction has marked paid. */
export async function emitPayoutsPaid(ctx: WriteCtx, ids: readonly string[]): Promise<void> {
  await emitEach(
    ctx,
    'payout.paid',
    sql`
      select p.account_id, p.id as subject_id, json_build_object(
        'id', p.id, 'affiliate_id', p.affiliate_id, 'state', p.status, 'amount_cents', p.amount_cents, 'currency', p.currency, 'livemode', p.livemode,
        'commissions_count', p.commissions_count, 'eligible', false, 'ineligible_reasons', json_build_array(),
        'payment_reference', p.payment_reference, 'paid_at', wire_time(p.paid_at),
        'created_at', wire_time(p.created_at), 'updated_at', wire_time(p.updated_at),
        'commission_ids', coalesce((select json_agg(commission_id order by commission_id) from payout_item where payout_id = p.id), '[]')
      ) as data
      from payout p where p.id = any (${ids})`,
  );
}
