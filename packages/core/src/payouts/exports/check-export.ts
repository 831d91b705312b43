import { sql } from 'kysely';
import { payoutView } from '../../ledger/payouts/payout.queries.ts';
import type { Ctx } from '../../platform/call/context.ts';
import type { ValidationDetail } from '../../platform/errors/errors.ts';
import {
  methodVersions,
  openAddresses,
  type SealedAddresses,
  sealedAddresses,
} from '../../program/payout-methods/payout-addresses.ts';
import type { Receiver } from '../method/method.ts';
import { MAX_NAMED, refuse } from '../methods/assert-eligible.ts';
import { isPaidTo } from '../methods/prepared-items.ts';

/** Why a payout of an export must not be paid as exported, in the order in which the reasons are checked. */
const MESSAGES = {
  amount_mismatch: 'the amount is not the exported amount or not the sum of the commissions',
  commission_voided: 'one of its commissions was voided',
  commission_flagged: 'one of its commissions was flagged for review',
  affiliate_inactive: 'the affiliate is not active',
  not_positive: 'the amount is not above zero',
  below_minimum: 'the amount is below the campaign’s minimum',
  payout_details_changed: 'the payout details of the affiliate have changed',
} as const;
type ChangeCode = keyof typeof MESSAGES;

/**
 * SQL expression: why a payout must not be paid as exported, or null. For rows of `payout` (from `payoutView`) joined with its `item` of the
 * export and the totals of its commissions (`held`).
 */
const CHANGE = sql<ChangeCode | null>`case
  when payout.amount_cents <> item.amount_cents
    or (payout.amount_cents, payout.commissions_count) is distinct from (held.amount_cents, held.commissions_count) then 'amount_mismatch'
  when held.has_voided then 'commission_voided'
  when held.has_flagged then 'commission_flagged'
  when payout.obstacles && array['affiliate_inactive', 'on_hold'] then 'affiliate_inactive'
  when 'not_positive' = any (payout.obstacles) then 'not_positive'
  when 'below_minimum' = any (payout.obstacles) then 'below_minimum'
  when 'details_changed' = any (payout.obstacles) then 'payout_details_changed'
end`;

/**
 * Checks all payouts of an export again before they are paid, because they may have changed since the export was created
 * (docs/rules/payouts.md#exports).
 *
 * @param except payouts that are not paid
 * @throws VALIDATION_ERROR naming the payouts that must not be paid, each with the first reason
 */
export async function assertUnchanged(ctx: Ctx, exportId: string, except: readonly string[] = []): Promise<void> {
  const changed = await payoutView(ctx)
    .innerJoin('payout_attempt as item', 'item.payout_id', 'payout.id')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('payout_item')
          .innerJoin('commission', 'commission.id', 'payout_item.commission_id')
          .select([
            sql<number>`coalesce(sum(commission.amount_cents), 0)`.as('amount_cents'),
            sql<number>`count(*)`.as('commissions_count'),
            // A payout may have held a voided commission before it was claimed, with the adjustment that takes the amount back.
            sql<boolean>`coalesce(bool_or(commission.voided_at >= item.prepared_at), false)`.as('has_voided'),
            sql<boolean>`coalesce(bool_or(commission.state <> 'voided' and commission.review_status = 'suspicious'), false)`.as(
              'has_flagged',
            ),
          ])
          .whereRef('payout_item.payout_id', '=', 'payout.id')
          .as('held'),
      (join) => join.onTrue(),
    )
    .select(['item.payout_id', CHANGE.as('code')])
    .where('item.batch_id', '=', exportId)
    .where('item.state', '=', 'prepared')
    .where(sql<boolean>`item.payout_id <> all (${except}::text[])`)
    .where(CHANGE, 'is not', null)
    .orderBy('item.payout_id')
    .limit(MAX_NAMED)
    .execute();
  const codes = new Map<string, ChangeCode>(
    (await findReaddressed(ctx, exportId)).flatMap((id) => (except.includes(id) ? [] : [[id, 'payout_details_changed']])),
  );
  for (const { payout_id, code } of changed) codes.set(payout_id, code!);
  refuse([...codes].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([id, code]) => detailOf(id, code)));
}

/**
 * Finds the payouts of an export with another address than that of the affiliate now. Only addresses with
 * another version are opened.
 */
async function findReaddressed({ db, services }: Ctx, exportId: string): Promise<string[]> {
  const { rows } = await sql<{ payout_id: string; sealed_receiver: string; sealed_addresses: SealedAddresses }>`
    select payout_id, sealed_receiver, ${sql.raw(sealedAddresses('affiliate'))} as sealed_addresses
    from payout_attempt item join affiliate on affiliate.id = item.affiliate_id
    where batch_id = ${exportId} and item.state = 'prepared' and method_versions is distinct from ${sql.raw(methodVersions('affiliate.id'))}`.execute(
    db,
  );
  const { secrets } = services;
  return rows.flatMap(({ payout_id, sealed_receiver, sealed_addresses }) => {
    const receiver = JSON.parse(secrets.open(sealed_receiver)) as Receiver;
    return isPaidTo(receiver, openAddresses(secrets, sealed_addresses)) ? [] : [payout_id];
  });
}

function detailOf(payoutId: string, code: ChangeCode): ValidationDetail {
  return {
    path: 'payout_export_id',
    code,
    message: `${payoutId} must not be paid as exported: ${MESSAGES[code]}. Delete the export and create it again or, if the money was sent already, repeat the request with already_sent true.`,
  };
}
