import type { Ctx } from '../../platform/call/context.ts';
import { refuse } from '../methods/assert-eligible.ts';
import { type Change, findChanges } from '../methods/recheck.ts';

/** The reasons against paying a payout as exported, as errors say them. */
const MESSAGES = {
  amount_mismatch: 'the amount is not the exported amount or not the sum of the commissions',
  commission_voided: 'one of its commissions was voided',
  commission_flagged: 'one of its commissions was flagged for review',
  affiliate_inactive: 'the affiliate is not active',
  not_positive: 'the amount is not above zero',
  below_minimum: 'the amount is below the campaign’s minimum',
  payout_details_changed: 'the payout details of the affiliate have changed',
} as const satisfies Record<Exclude<Change, 'missing_payout_details'>, string>;

/**
 * Checks all payouts of an export again before they are paid (docs/rules/payouts.md#exports).
 *
 * @param except payouts that are not paid
 * @throws VALIDATION_ERROR naming the payouts that must not be paid, each with the first reason
 */
export async function assertUnchanged(ctx: Ctx, exportId: string, except: readonly string[] = []): Promise<void> {
  const changes = await findChanges(ctx, exportId, { asPrepared: true }, { except });
  refuse(
    [...changes]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([payoutId, code]) => ({
        path: 'payout_export_id',
        code,
        message: `${payoutId} must not be paid as exported: ${MESSAGES[code as keyof typeof MESSAGES]}. Delete the export and create it again or, if the money was sent already, repeat the request with already_sent true.`,
      })),
  );
}
