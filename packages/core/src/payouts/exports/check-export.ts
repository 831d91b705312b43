import { sql } from 'kysely';
import { payoutView } from '../../ledger/payouts/payout.queries.ts';
import type { Ctx } from '../../platform/call/context.ts';
import { type ValidationDetail, validationError } from '../../platform/errors/errors.ts';
import { MAX_NAMED } from './payout-export.queries.ts';

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
 * export, its `affiliate`, and the totals of its commissions (`held`). An address that the file does not have cannot have changed.
 */
const CHANGE = sql<ChangeCode | null>`case
  when payout.amount_cents <> item.amount_cents
    or (payout.amount_cents, payout.commissions_count) is distinct from (held.amount_cents, held.commissions_count) then 'amount_mismatch'
  when held.has_voided then 'commission_voided'
  when held.has_flagged then 'commission_flagged'
  when payout.obstacles && array['affiliate_inactive', 'on_hold'] then 'affiliate_inactive'
  when 'not_positive' = any (payout.obstacles) then 'not_positive'
  when 'below_minimum' = any (payout.obstacles) then 'below_minimum'
  when 'details_changed' = any (payout.obstacles)
    or (item.walleta_email is not null and item.walleta_email is distinct from affiliate.walleta_email)
    or (item.walletb_email is not null and item.walletb_email is distinct from affiliate.walletb_email) then 'payout_details_changed'
end`;

/**
 * Checks all payouts of an export again before they are paid, because they may have changed since the export was created
 * (docs/rules/payouts.md#exports).
 *
 * @throws VALIDATION_ERROR naming the payouts that must not be paid, each with the first reason
 */
export async function assertUnchanged(ctx: Ctx, exportId: string): Promise<void> {
  const changed = await payoutView(ctx)
    .innerJoin('payout_export_item as item', 'item.payout_id', 'payout.id')
    .innerJoin('affiliate', 'affiliate.id', 'payout.affiliate_id')
    .innerJoin('payout_claim as claim', 'claim.payout_id', 'payout.id')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('payout_item')
          .innerJoin('commission', 'commission.id', 'payout_item.commission_id')
          .select([
            sql<number>`coalesce(sum(commission.amount_cents), 0)`.as('amount_cents'),
            sql<number>`count(*)`.as('commissions_count'),
            // A payout may have held a voided commission before it was claimed, with the adjustment that takes the amount back.
            sql<boolean>`coalesce(bool_or(commission.voided_at >= claim.claimed_at), false)`.as('has_voided'),
            sql<boolean>`coalesce(bool_or(commission.state <> 'voided' and commission.review_status = 'suspicious'), false)`.as(
              'has_flagged',
            ),
          ])
          .whereRef('payout_item.payout_id', '=', 'payout.id')
          .as('held'),
      (join) => join.onTrue(),
    )
    .select(['item.payout_id', CHANGE.as('code')])
    .where('item.export_id', '=', exportId)
    .where(CHANGE, 'is not', null)
    .orderBy('item.payout_id')
    .limit(MAX_NAMED)
    .execute();
  if (changed.length > 0) throw validationError(changed.map(({ payout_id, code }) => detailOf(payout_id, code!)));
}

function detailOf(payoutId: string, code: ChangeCode): ValidationDetail {
  return {
    path: 'payout_export_id',
    code,
    message: `${payoutId} must not be paid as exported: ${MESSAGES[code]}. Delete the export and create it again or, if the money was sent already, repeat the request with already_sent true.`,
  };
}
