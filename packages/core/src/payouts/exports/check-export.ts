import { sql } from 'kysely';
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
import { type Change, changeOf, heldPayouts } from '../methods/recheck.ts';

/** The reasons against paying a payout as exported, as errors say them. */
const MESSAGES = {
  amount_mismatch: 'the amount is not the exported amount or not the sum of the commissions',
  commission_voided: 'one of its commissions was voided',
  commission_flagged: 'one of its commissions was flagged for review',
  affiliate_inactive: 'the affiliate is not active',
  not_positive: 'the amount is not above zero',
  below_minimum: 'the amount is below the campaign’s minimum',
  payout_details_changed: 'the payout details of the affiliate have changed',
} as const satisfies Record<Change, string>;

const CHANGE = changeOf({ checksVoids: true });

/**
 * Checks all payouts of an export again before they are paid, because they may have changed since the export was created
 * (docs/rules/payouts.md#exports).
 *
 * @param except payouts that are not paid
 * @throws VALIDATION_ERROR naming the payouts that must not be paid, each with the first reason
 */
export async function assertUnchanged(ctx: Ctx, exportId: string, except: readonly string[] = []): Promise<void> {
  const changed = await heldPayouts(ctx, exportId)
    .select(['item.payout_id', CHANGE.as('code')])
    .where(sql<boolean>`item.payout_id <> all (${except}::text[])`)
    .where(CHANGE, 'is not', null)
    .orderBy('item.payout_id')
    .limit(MAX_NAMED)
    .execute();
  const codes = new Map<string, Change>(
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

function detailOf(payoutId: string, code: Change): ValidationDetail {
  return {
    path: 'payout_export_id',
    code,
    message: `${payoutId} must not be paid as exported: ${MESSAGES[code]}. Delete the export and create it again or, if the money was sent already, repeat the request with already_sent true.`,
  };
}
