import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import { isUnfinished } from '../../ledger/payouts/payout-attempt.entity.ts';
import { IS_UNCLEARED } from '../../ledger/payouts/payout-screening.entity.ts';
import { payoutView } from '../../ledger/payouts/payout.queries.ts';
import type { Ctx } from '../../platform/call/context.ts';
import {
  HAS_NO_METHOD,
  methodVersions,
  openAddresses,
  type SealedAddresses,
  sealedAddresses,
} from '../../program/payout-methods/payout-addresses.ts';
import type { Receiver } from '../port/method.ts';

/** Why a claimed payout must not be paid as it was prepared, in the order in which the reasons are checked. */
export type Change =
  | 'amount_mismatch'
  | 'commission_voided'
  | 'commission_flagged'
  | 'affiliate_inactive'
  | 'not_positive'
  | 'below_minimum'
  | 'payout_details_changed'
  | 'screening'
  | 'missing_payout_details';

interface Held {
  amount_cents: number;
  commissions_count: number;
  has_voided: boolean;
  has_flagged: boolean;
}

/**
 * SQL source: the commissions of a row of `payout`, as one row.
 *
 * @param preparedAt SQL expression: the time of the claim. A payout may have held a voided commission before it, with the adjustment that takes the
 * amount back
 */
export function commissionsHeld(preparedAt: RawBuilder<unknown>): RawBuilder<Held> {
  return sql`(
    select coalesce(sum(commission.amount_cents), 0) as amount_cents, count(*) as commissions_count,
      coalesce(bool_or(commission.voided_at >= ${preparedAt}), false) as has_voided,
      coalesce(bool_or(commission.state <> 'voided' and commission.review_status = 'suspicious'), false) as has_flagged
    from payout_item join commission on commission.id = payout_item.commission_id where payout_item.payout_id = payout.id)`;
}

/** The preparation that a payout is compared with. */
export interface Basis {
  /**
   * True if the payment goes out as it was prepared, so that a void since then and another address are reasons. False if a payout is paid as it is now:
   * the next one takes voided amounts back, and any address suffices.
   */
  asPrepared: boolean;
}

/**
 * Finds the payouts that a batch holds and must not pay, each with the first reason. Every payment checks its payouts again, because they may have
 * changed since they were claimed (docs/rules/payouts.md#payout-runs, docs/rules/payouts.md#exports).
 *
 * @param which only these payouts, or all but these
 */
export async function findChanges(
  ctx: Ctx,
  batchId: string,
  basis: Basis,
  { only, except = [] }: { only?: readonly string[]; except?: readonly string[] },
): Promise<Map<string, Change>> {
  const chosen = only ? sql<boolean>`payout_id = any (${only})` : sql<boolean>`payout_id <> all (${except}::text[])`;
  const change = changeOf(basis);
  const rows = await payoutView(ctx)
    .innerJoin('payout_attempt as item', 'item.payout_id', 'payout.id')
    .innerJoin('affiliate', 'affiliate.id', 'payout.affiliate_id')
    .innerJoinLateral(commissionsHeld(sql`item.prepared_at`).as('held'), (join) => join.onTrue())
    .select(['item.payout_id', change.as('change')])
    .where('item.batch_id', '=', batchId)
    .where('payout.status', '=', 'processing')
    .where(isUnfinished('item'))
    .where(chosen)
    .where(change, 'is not', null)
    .execute();
  const found = new Map(rows.map(({ payout_id, change: first }) => [payout_id, first!]));
  for (const id of basis.asPrepared ? await findReaddressed(ctx, batchId, chosen) : [])
    if (!found.has(id)) found.set(id, 'payout_details_changed');
  return found;
}

/** Finds the payouts of a batch that would be paid to another address than the affiliate has now. Only addresses with another version are opened. */
async function findReaddressed(
  { db, services: { secrets } }: Ctx,
  batchId: string,
  chosen: RawBuilder<boolean>,
): Promise<string[]> {
  const { rows } = await sql<{ payout_id: string; sealed_receiver: string; sealed_addresses: SealedAddresses }>`
    select payout_id, sealed_receiver, ${sql.raw(sealedAddresses('affiliate'))} as sealed_addresses
    from payout_attempt item join affiliate on affiliate.id = item.affiliate_id
    where batch_id = ${batchId} and item.state in ('prepared', 'approved') and ${chosen}
      and method_versions is distinct from ${sql.raw(methodVersions('affiliate.id'))}`.execute(db);
  return rows.flatMap(({ payout_id, sealed_receiver, sealed_addresses }) => {
    const { addresses } = JSON.parse(secrets.open(sealed_receiver)) as Receiver;
    const current = openAddresses(secrets, sealed_addresses);
    return Object.entries(addresses).every(([kind, address]) => isDeepStrictEqual(address, current[kind])) ? [] : [payout_id];
  });
}

/** SQL expression: the `Change` of a payout, or null. Needs `payout` with its obstacles, its attempt (`item`), `commissionsHeld` (`held`) and `affiliate`. */
export function changeOf({ asPrepared }: Basis): RawBuilder<Change | null> {
  return sql`case
  when payout.amount_cents <> item.amount_cents
    or (payout.amount_cents, payout.commissions_count) is distinct from (held.amount_cents, held.commissions_count) then 'amount_mismatch'
  when ${sql.lit(asPrepared)} and held.has_voided then 'commission_voided'
  when held.has_flagged then 'commission_flagged'
  when payout.obstacles && array['affiliate_inactive', 'on_hold'] then 'affiliate_inactive'
  when 'not_positive' = any (payout.obstacles) then 'not_positive'
  when 'below_minimum' = any (payout.obstacles) then 'below_minimum'
  when 'details_changed' = any (payout.obstacles) then 'payout_details_changed'
  when exists (select from account where account.id = affiliate.account_id and ${IS_UNCLEARED}) then 'screening'
  when ${sql.lit(!asPrepared)} and ${HAS_NO_METHOD} then 'missing_payout_details'
end`;
}
